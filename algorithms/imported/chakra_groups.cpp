#include "wormcast/algorithms/imported/chakra.hpp"
#include "wormcast/formats/json_reader.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace wormcast {

ChakraGroups read_chakra_groups(const std::filesystem::path& file)
{
  constexpr std::size_t deepest = 8;
  std::ifstream in = open_file(file);
  JsonReader reader(in, file.string(), deepest);
  const nlohmann::json document = reader.value();
  reader.finish();
  ChakraGroups groups;
  const auto fail = [&](std::string_view text) { throw InputError(fmt::format("{}: {}", file.string(), text)); };
  if (!document.is_object()) {
    fail("no object of groups, such as {\"0\": [0, 1, 2, 3]}");
  }
  for (const auto& [name, members] : document.items()) {
    std::vector<std::uint32_t>& group = groups[name];
    if (!members.is_array()) {
      fail(fmt::format("group {}: no list of ranks", printable(name)));
    }
    for (const nlohmann::json& member : members) {
      if (!member.is_number_unsigned() || member.get<std::uint64_t>() >= most_chakra_ranks) {
        fail(fmt::format("group {}: found {}, expected a rank", printable(name), member.dump()));
      }
      group.push_back(member.get<std::uint32_t>());
    }
  }
  return groups;
}

} // namespace wormcast
