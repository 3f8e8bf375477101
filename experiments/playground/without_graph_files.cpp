// The playground reads no files: what takes the place of topologies/graph_files/graph_reader.cpp,
// formats/compressed_input.cpp and formats/xml_reader.cpp, which need libraries.
#include "wormcast/formats/compressed_input.hpp"
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

class CompressedInput::Format {};

CompressedInput::CompressedInput(std::istream&, std::string_view name, std::uint64_t)
{
  throw FileError(fmt::format("{}: cannot be read: a page in a browser has no files", name));
}

CompressedInput::~CompressedInput() = default;

std::size_t CompressedInput::read(std::span<unsigned char>)
{
  return 0;
}

std::string decompressed(std::istream&, std::string_view name, std::uint64_t)
{
  throw FileError(fmt::format("{}: cannot be read: a page in a browser has no files", name));
}

} // namespace wormcast
