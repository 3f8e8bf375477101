#include "wormcast/algorithms/imported/chakra.hpp"

#include "tests/fuzz/simulation.hpp"
#include "tests/fuzz/targets.hpp"
#include "wormcast/formats/compressed_input.hpp"
#include "wormcast/values/input_error.hpp"

#include <sstream>
#include <utility>

namespace wormcast::fuzz {

namespace {

constexpr std::string_view between_ranks = "\n=====\n";
constexpr std::uint64_t longest_rank = 1 << 20;

std::vector<ChakraFile> files_of(std::string_view input)
{
  std::vector<ChakraFile> files;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = input.find(between_ranks);
    std::istringstream in{std::string(input.substr(0, end))};
    files.push_back({.name = "step.et", .bytes = decompressed(in, "step.et", longest_rank)});
    input.remove_prefix(end == std::string_view::npos ? 0 : end + between_ranks.size());
  }
  return files;
}

/// Each member sends to the next one in a circle.
Program circle(std::uint64_t bytes, std::size_t members)
{
  Program program;
  program.ranks = static_cast<std::uint32_t>(members);
  for (std::uint32_t rank = 0; rank < program.ranks; ++rank) {
    const std::uint32_t next = (rank + 1) % program.ranks;
    program.sends.push_back(static_cast<std::uint32_t>(program.actions.size()));
    program.actions.push_back(
        {.kind = ProgramAction::Kind::send, .rank = rank, .peer = next, .tag = rank, .bytes = bytes, .duration = {}});
    program.actions.push_back({.kind = ProgramAction::Kind::receive,
                               .rank = next,
                               .peer = rank,
                               .tag = rank,
                               .bytes = bytes,
                               .duration = {}});
  }
  return program;
}

} // namespace

bool run_chakra(std::string_view input)
{
  const std::vector<ChakraFile> files = files_of(input);
  if (files.size() > 64) {
    return false;
  }
  ChakraTrace trace = read_chakra(files);
  const ChakraReport report = check_chakra(trace);
  const CollectiveProgram collective = [](ChakraCollective kind, std::uint64_t bytes,
                                          std::span<const std::uint32_t> members) {
    if (kind == ChakraCollective::gather || kind == ChakraCollective::scatter) {
      throw InputError("no algorithm of this collective");
    }
    return circle(bytes, members.size());
  };
  Program program = chakra_program(trace, report, 1'000'000'000, collective, "step");
  require(program.sends.size() >= report.messages, "every message is sent");
  check_and_simulate_on_line(std::move(program));
  return true;
}

} // namespace wormcast::fuzz
