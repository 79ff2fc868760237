#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include <unistd.h>
#include <zlib.h>

#include "io/case/input_error.hpp"
#include "io/raster/raster.hpp"
#include "io/text.hpp"

namespace swe::io {

namespace {

[[noreturn]] void fail(std::filesystem::path const& file, std::string message) {
  throw InputError({{file.string(), 0, "", std::move(message)}});
}

/// Every member of a gzip file, one after the other.
std::string inflate_gzip(std::filesystem::path const& file, std::string const& packed) {
  constexpr std::size_t piece = std::size_t(1) << 20;
  constexpr std::uint64_t largest_input = std::uint64_t(1) << 31;
  if (packed.size() >= largest_input)
    fail(file, "gzipped files of 2 GiB and more are not read; unpack it first");
  std::string text;
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = uInt(packed.size());
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) fail(file, "zlib could not start");
  int status = Z_OK;
  std::uint64_t const limit = memory_limit_bytes();
  while (status == Z_OK) {
    std::size_t const before = text.size();
    if (before > limit) break;
    text.resize(before + piece);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream.avail_out = uInt(piece);
    status = inflate(&stream, Z_NO_FLUSH);
    text.resize(text.size() - stream.avail_out);
    bool const another_member = status == Z_STREAM_END && stream.avail_in > 1 && stream.next_in[0] == 0x1f;
    if (another_member && inflateReset(&stream) == Z_OK) status = Z_OK;
    if (status == Z_BUF_ERROR) break;
  }
  inflateEnd(&stream);
  if (status == Z_OK) fail(file, "the unpacked text does not fit this machine's memory");
  if (status != Z_STREAM_END) fail(file, "the gzip file is cut short or damaged");
  return text;
}

std::string projection_beside(std::filesystem::path const& file) {
  auto projection = file;
  if (lower_case(projection.extension().string()) == ".gz") projection.replace_extension();
  projection.replace_extension(".prj");
  if (!std::filesystem::is_regular_file(projection)) return "";
  return std::string(trim(read_whole_file(projection)));
}

bool starts_like_hdf5(std::string_view bytes) { return bytes.starts_with("\x89HDF\r\n\x1a\n"); }
bool starts_like_tiff(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv) || bytes.starts_with("II+\0"sv) ||
         bytes.starts_with("MM\0+"sv);
}
bool starts_like_classic_netcdf(std::string_view bytes) {
  return bytes.size() > 3 && bytes.starts_with("CDF") && bytes[3] >= 1 && bytes[3] <= 5;
}

}  // namespace

std::string read_whole_file(std::filesystem::path const& file) {
  std::error_code error;
  auto const status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) fail(file, "no such file");
  if (std::filesystem::is_directory(status)) fail(file, "is a folder, not a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(file, "cannot be opened for reading");
  std::string bytes;
  if (auto const size = std::filesystem::file_size(file, error); !error) {
    if (size > memory_limit_bytes()) fail(file, "the file does not fit this machine's memory");
    bytes.resize(size);
    in.read(bytes.data(), std::streamsize(size));
    bytes.resize(std::size_t(in.gcount()));
  }
  // Pipes and the like have no size beforehand.
  if (std::ostringstream rest; !in.fail() && rest << in.rdbuf()) bytes += rest.str();
  if (in.bad()) fail(file, "reading failed");
  if (bytes.starts_with("\x1f\x8b")) return inflate_gzip(file, bytes);
  return bytes;
}

std::uint64_t memory_limit_bytes() {
  auto limit = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGE_SIZE));
  std::ifstream group("/sys/fs/cgroup/memory.max");
  if (std::uint64_t bytes = 0; group >> bytes) limit = std::min(limit, bytes);
  return limit;
}

Raster read_raster(std::filesystem::path const& file, RasterSelection const& selection) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) fail(file, "no such file");
  if (std::filesystem::is_directory(file, error)) fail(file, "is a folder, not a raster");
  std::array<char, 16> magic{};
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(file, "cannot be opened for reading");
  in.read(magic.data(), magic.size());
  std::string_view const bytes(magic.data(), std::size_t(in.gcount()));
  in.close();

  Raster raster;
  if (starts_like_hdf5(bytes)) {
    raster = read_hdf5_raster(file, selection);
  } else if (starts_like_classic_netcdf(bytes)) {
    fail(file, "classic NetCDF is not read; convert it with `nccopy -k nc4`");
  } else if (starts_like_tiff(bytes)) {
    raster = read_gdal_raster(file);
  } else {
    std::string const text = read_whole_file(file);
    if (has_gdal() && text.find('\0') < 4096) {
      raster = read_gdal_raster(file);
    } else {
      raster = parse_ascii_raster(text, file.string());
      raster.crs = projection_beside(file);
    }
  }
  if (std::all_of(raster.values.begin(), raster.values.end(), [](double v) { return std::isnan(v); }))
    fail(file, "every cell is no data");
  return raster;
}

}  // namespace swe::io
