#include "tests/fuzz/targets.hpp"

#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace wormcast::fuzz {

std::span<const Target> targets()
{
  static constexpr std::array all = {
      Target{"config", "toml", run_config},                   //
      Target{"sweep", "toml", run_sweep},                     //
      Target{"booksim", "cfg", run_booksim},                  //
      Target{"schedule", "json", run_schedule},               //
      Target{"goal", "goal", run_goal},                       //
      Target{"dot", "dot", run_dot},                          //
      Target{"graphml", "xml", run_graphml},                  //
      Target{"routing_table", "txt", run_routing_table},      //
      Target{"msccl", "xml", run_msccl},                      //
      Target{"forestcoll", "xml", run_forestcoll},            //
      Target{"te_ccl", "json", run_te_ccl},                   //
      Target{"time_independent", "ti", run_time_independent}, //
      Target{"netrace", "bytes", run_netrace},                //
      Target{"chakra", "bytes", run_chakra},                  //
      Target{"trace", "json", run_trace},
  };
  return all;
}

const Target& find_target(std::string_view name)
{
  const auto found = std::ranges::find(targets(), name, &Target::name);
  if (found == targets().end()) {
    throw std::out_of_range("no target is called \"" + std::string(name) + "\"");
  }
  return *found;
}

Outcome run_target(const Target& target, std::string_view input)
{
  try {
    return {target.run(input) ? Verdict::accepted : Verdict::too_large, ""};
  } catch (const InputError& error) {
    require(error.what()[0] != '\0', "an error has a text");
    return {Verdict::refused, error.what()};
  }
}

void require(bool kept, const char* text)
{
  if (!kept) {
    throw std::logic_error(text);
  }
}

InputFile::InputFile(std::string_view text, std::string_view extension)
    : path_(std::filesystem::temp_directory_path() /
            ("wormcast-input-" + std::to_string(getpid()) + std::string(extension)))
{
  std::ofstream out(path_, std::ios::binary);
  out << text << std::flush;
  require(out.good(), "the temporary file can be written");
}

InputFile::~InputFile()
{
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

} // namespace wormcast::fuzz
