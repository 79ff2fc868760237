#include "io/output/xdmf.hpp"

#include <utility>

#include "io/output/number_text.hpp"

namespace swe::io {

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (char const c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&apos;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string xdmf_text(XdmfContents const& contents) {
  auto const file = xml_escaped(contents.hdf5_name);
  auto const nx = std::to_string(contents.grid.nx), ny = std::to_string(contents.grid.ny);
  auto const nodes_x = std::to_string(contents.grid.nx + 1), nodes_y = std::to_string(contents.grid.ny + 1);
  auto const records = contents.times.size();
  auto const stored = [](bool single) {
    return std::string("NumberType=\"Float\" Precision=\"") + (single ? "4" : "8") + "\" Format=\"HDF\"";
  };
  std::vector<std::pair<std::string, std::string>> over_time;  // name and storage
  for (auto const& field : contents.fields)
    over_time.emplace_back(xml_escaped(field), stored(contents.single_precision));
  if (contents.bed_moves) over_time.emplace_back("bed", stored(false));
  auto const whole = std::to_string(records) + " " + ny + " " + nx;
  auto const part = "1 " + ny + " " + nx;

  // XDMF 2 readers know a part of a dataset only as a HyperSlab item, XDMF 3 readers only as text behind the
  // name of the dataset. The attributes below carry the text, and a reference to the items here: each reader
  // takes the form it knows and passes over the other.
  std::string slabs;
  for (std::size_t k = 0; k < records; ++k)
    for (auto const& [name, storage] : over_time)
      slabs += "    <DataItem ItemType=\"HyperSlab\" Dimensions=\"" + ny + " " + nx +
               "\"><DataItem Dimensions=\"3 3\" NumberType=\"Int\" Format=\"XML\">" + std::to_string(k) +
               " 0 0 1 1 1 " + part + "</DataItem><DataItem Dimensions=\"" + whole + "\" " + storage + ">" +
               file + ":/" + name + "</DataItem></DataItem>\n";

  std::string const mesh =
      "        <Topology TopologyType=\"2DSMesh\" Dimensions=\"" + nodes_y + " " + nodes_x +
      "\"/>\n        <Geometry GeometryType=\"XY\">\n          <DataItem Dimensions=\"" + nodes_y + " " +
      nodes_x + " 2\" " + stored(false) + ">" + file + ":/mesh/node</DataItem>\n        </Geometry>\n";
  auto const attribute = [&](std::string const& name, std::string const& item) {
    return "        <Attribute Name=\"" + name + "\" AttributeType=\"Scalar\" Center=\"Cell\">\n          " +
           item + "\n        </Attribute>\n";
  };
  std::string const still_bed = contents.bed_moves
                                    ? ""
                                    : attribute("bed", "<DataItem Dimensions=\"" + ny + " " + nx + "\" " +
                                                           stored(false) + ">" + file + ":/bed</DataItem>");

  std::string grids;
  std::size_t slab = 0;
  for (std::size_t k = 0; k < records; ++k) {
    grids += "      <Grid Name=\"record " + std::to_string(k) +
             "\" GridType=\"Uniform\">\n        <Time Value=\"" + number_text(contents.times[k]) + "\"/>\n" +
             mesh;
    for (auto const& [name, storage] : over_time)
      grids += attribute(name, "<DataItem Reference=\"/Xdmf/Domain/DataItem[" + std::to_string(++slab) +
                                   "]\" Dimensions=\"" + ny + " " + nx + "\" " + storage + ">" + file + ":/" +
                                   name + "|" + std::to_string(k) + " 0 0:1 1 1:" + part + ":" + whole +
                                   "</DataItem>");
    grids += still_bed + "      </Grid>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n" + slabs +
         "    <Grid Name=\"" + xml_escaped(contents.title.empty() ? "snapshots" : contents.title) +
         "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n" + grids +
         "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

}  // namespace swe::io
