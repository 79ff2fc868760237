#include "io/output/summary.hpp"

#include "io/output/posix_file.hpp"
#include "io/output/version.hpp"

namespace swe::io {
namespace {

/// The file is padded to whole blocks, so that a longer text still fits where no new block can be had.
constexpr std::size_t block_bytes = 4096;

char const* name_of(RunSummary::Status status) {
  switch (status) {
    case RunSummary::Status::running:
      return "running";
    case RunSummary::Status::finished:
      return "finished";
    case RunSummary::Status::stopped:
      return "stopped";
    case RunSummary::Status::failed:
      return "failed";
  }
  return "";
}

}  // namespace

double RunSummary::mcell_per_s() const {
  auto const cell_steps =
      static_cast<double>(grid.cells()) * static_cast<double>(progress.steps - first_step);
  return stepping_s > 0 ? cell_steps / stepping_s / 1e6 : 0;
}

JsonObject to_json(RunSummary const& s) {
  JsonObject grid;
  grid.set("nx", s.grid.nx).set("ny", s.grid.ny).set("dx_m", s.grid.dx).set("dy_m", s.grid.dy);
  grid.set("x0_m", s.grid.x0).set("y0_m", s.grid.y0);
  if (!s.crs.empty()) grid.set("crs", s.crs);
  grid.set("cells", s.grid.cells()).set("active_cells", s.active_cells);

  double const parts = s.timings.flux + s.timings.boundaries + s.timings.sources + s.timings.maxima +
                       s.timings.gauges + s.timings.other + s.output_wait_s;
  auto const share = [&](double seconds) { return parts > 0 ? seconds / parts : 0; };
  JsonObject shares;
  shares.set("flux", share(s.timings.flux)).set("boundaries", share(s.timings.boundaries));
  shares.set("sources", share(s.timings.sources)).set("maxima", share(s.timings.maxima));
  shares.set("gauges", share(s.timings.gauges)).set("other", share(s.timings.other));
  shares.set("output", share(s.output_wait_s));

  auto const& b = s.balance;
  auto const terms = [](std::vector<VolumeTerm> const& list) {
    std::vector<JsonObject> objects;
    for (auto const& term : list)
      objects.push_back(JsonObject().set("name", term.name).set("in_m3", term.in).set("out_m3", term.out));
    return objects;
  };
  JsonObject balance;
  balance.set("initial_m3", b.initial).set("in_m3", b.boundary_in).set("out_m3", b.boundary_out);
  balance.set("rain_m3", b.rain).set("inflow_m3", b.inflow).set("abstraction_m3", b.abstraction);
  balance.set("infiltration_m3", b.infiltration)
      .set("evaporation_m3", b.evaporation)
      .set("final_m3", b.final_);
  balance.set("error_m3", b.error()).set("relative_error", b.relative_error());
  if (!b.terms.empty()) balance.set("terms", terms(b.terms));
  if (!b.through.empty()) balance.set("structures_m3", b.structures).set("structures", terms(b.through));
  if (b.bed_displaced != 0) balance.set("bed_displaced_m3", b.bed_displaced);

  JsonObject json;
  json.set("status", name_of(s.status));
  if (!s.reason.empty()) json.set("reason", s.reason);
  json.set("title", s.title).set("version", version).set("device", s.device);
  json.set("precision", s.precision == Precision::double_precision ? "double" : "single");
  json.set("threads", s.threads).set("ranks", s.ranks).set("grid", grid);
  json.set("start_s", s.start_time).set("end_s", s.end_time).set("simulated_s", s.progress.time);
  json.set("steps", s.progress.steps).set("rejected_steps", s.progress.rejected_steps);
  json.set("steps_this_run", s.progress.steps - s.first_step).set("last_dt_s", s.progress.dt);
  json.set("wall_s", s.wall_s).set("wall_total_s", s.wall_total_s).set("stepping_s", s.stepping_s);
  json.set("mcell_per_s", s.mcell_per_s()).set("memory_bytes", s.memory_bytes);
  json.set("time_share", shares).set("volume_balance", balance);
  json.set("snapshot_records", s.snapshot_records);
  if (!s.restarted_from.empty())
    json.set("restarted_from", s.restarted_from).set("restarted_at_s", s.restarted_at);
  if (!s.notes.empty()) json.set("notes", s.notes);
  return json;
}

void write_summary(std::filesystem::path const& path, RunSummary const& summary) {
  auto text = to_json(summary).text() + "\n";
  text.append((block_bytes - text.size() % block_bytes) % block_bytes, ' ');
  text.back() = '\n';
  try {
    write_atomically(path, text);
  } catch (FileError const&) {
    if (!std::filesystem::exists(path)) throw;
    PosixFile file(path, PosixFile::Mode::update);
    if (file.size() > text.size()) text.append(file.size() - text.size(), '\n');
    file.write_at(0, text.data(), text.size());
    file.sync();
  }
}

std::string summary_status(std::filesystem::path const& path) {
  try {
    auto const text = read_text(path);
    for (auto const status : {RunSummary::Status::running, RunSummary::Status::finished,
                              RunSummary::Status::stopped, RunSummary::Status::failed})
      if (text.find("\"status\": \"" + std::string(name_of(status)) + "\"") != std::string::npos)
        return name_of(status);
  } catch (FileError const&) {
    // no summary: no status
  }
  return "";
}

}  // namespace swe::io
