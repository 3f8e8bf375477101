#pragma once

#include <string>

namespace wormcast::testing {

/// Prints a broadcast to one node of a 4 x 4 mesh after another, with what it read as the schedule's head.
inline const std::string printing_script = R"(head=$(cat)
printf '%s"messages": [' "${head%\"messages\"*}"
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
  test $i = 0 || printf ,
  printf '{"id": %d, "step": %d, "src": 0, "dst": %d, "blocks": [[0, 1]]}\n' $i $i $((i + 1))
done
echo ']}'
)";

/// A configuration on that mesh whose algorithm is `command`, an array of TOML.
inline std::string command_config(const std::string& command)
{
  return R"([topology]
kind = "mesh"
dims = [4, 4]
[network]
startup = "10us"
per_byte = "10ns"
[message]
bytes = 1000
[algorithm]
source = 0
command = )" +
         command + "\n";
}

} // namespace wormcast::testing
