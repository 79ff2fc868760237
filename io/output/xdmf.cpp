#include "io/output/xdmf.hpp"

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
  auto const records = std::to_string(contents.times.size());
  std::string const precision = contents.single_precision ? "4" : "8";

  auto const nodes = [&](std::string const& count, std::string const& name) {
    return "          <DataItem Dimensions=\"" + count +
           "\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">" + file + ":/" + name + "</DataItem>\n";
  };
  std::string const mesh = "        <Topology TopologyType=\"2DRectMesh\" Dimensions=\"" + nodes_y + " " +
                           nodes_x + "\"/>\n        <Geometry GeometryType=\"VXVY\">\n" +
                           nodes(nodes_x, "x_node") + nodes(nodes_y, "y_node") + "        </Geometry>\n";
  std::string const bed =
      "        <Attribute Name=\"bed\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
      "          <DataItem Dimensions=\"" +
      ny + " " + nx + "\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">" + file +
      ":/bed</DataItem>\n        </Attribute>\n";

  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n    <Grid Name=\"" +
      xml_escaped(contents.title.empty() ? "snapshots" : contents.title) +
      "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (std::size_t k = 0; k < contents.times.size(); ++k) {
    text += "      <Grid Name=\"record " + std::to_string(k) +
            "\" GridType=\"Uniform\">\n        <Time Value=\"" + number_text(contents.times[k]) + "\"/>\n" +
            mesh;
    for (auto const& field : contents.fields) {
      text += "        <Attribute Name=\"" + xml_escaped(field) +
              "\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
              "          <DataItem ItemType=\"HyperSlab\" Dimensions=\"" +
              ny + " " + nx + "\">\n            <DataItem Dimensions=\"3 3\" Format=\"XML\">" +
              std::to_string(k) + " 0 0  1 1 1  1 " + ny + " " + nx +
              "</DataItem>\n            <DataItem Dimensions=\"" + records + " " + ny + " " + nx +
              "\" NumberType=\"Float\" Precision=\"" + precision + "\" Format=\"HDF\">" + file + ":/" +
              xml_escaped(field) + "</DataItem>\n          </DataItem>\n        </Attribute>\n";
    }
    text += bed + "      </Grid>\n";
  }
  return text + "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

}  // namespace swe::io
