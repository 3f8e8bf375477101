// The playground reads no files: what takes the place of topologies/graph_files/graph_reader.cpp and
// formats/xml_reader.cpp, which need libraries.
#include "wormcast/formats/xml_reader.hpp"
#include "wormcast/topologies/graph_files/graph_reader.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

ListedGraph read_graph_file(const std::filesystem::path& file)
{
  throw FileError(fmt::format("{}: cannot be read: a page in a browser has no files", file.string()));
}

void read_xml(std::istream&, std::string_view name, XmlElements&, const XmlLimits&)
{
  throw FileError(fmt::format("{}: cannot be read: a page in a browser has no files", name));
}

} // namespace wormcast
