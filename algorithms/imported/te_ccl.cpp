#include "wormcast/algorithms/imported/te_ccl.hpp"

#include "wormcast/algorithms/imported/program_of_sends.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::uint64_t largest_te_ccl_block = std::uint64_t{1} << 62;

} // namespace

Program te_ccl_program(const TecclSchedule& schedule, std::uint64_t block_bytes, std::string_view name)
{
  for (const Finding& finding : schedule.findings.all()) {
    if (finding.kind == FindingKind::possession) {
      throw InputError(fmt::format("{}: possession: {}", name, finding.text));
    }
  }
  if (block_bytes > largest_te_ccl_block) {
    throw InputError(
        fmt::format("{}: found a block of {} bytes, expected at most {}", name, block_bytes, largest_te_ccl_block));
  }
  std::vector<DependentSend> sends;
  for (const TecclSend& send : schedule.sends) {
    sends.push_back({.from = send.from,
                     .to = send.to,
                     .bytes = bytes_of_chunks(send.begin, send.end, schedule.parts, block_bytes)});
    if (send.after != TecclSend::at_start) {
      sends.back().after.push_back(send.after);
    }
  }
  Program program = program_of_sends(static_cast<std::uint32_t>(schedule.ids.size()), sends);
  program.title = "program of TE-CCL";
  program.message_bytes = block_bytes;
  return program;
}

} // namespace wormcast
