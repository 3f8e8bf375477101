// The playground reads no files: what takes the place of topologies/graph_files/graph_reader.cpp, which needs a library
// of Boost.
#include "wormcast/topologies/graph_files/graph_reader.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

ListedGraph read_graph_file(const std::filesystem::path& file)
{
  throw FileError(fmt::format("{}: cannot be read: a page in a browser has no files", file.string()));
}

} // namespace wormcast
