#include "wormcast/algorithms/imported/program_of_sends.hpp"

#include <algorithm>

namespace wormcast {

Program program_of_sends(std::uint32_t ranks, std::span<const DependentSend> sends)
{
  Program program;
  program.ranks = ranks;
  for (std::uint32_t message = 0; message < sends.size(); ++message) {
    const DependentSend& send = sends[message];
    ProgramAction action{.kind = ProgramAction::Kind::send,
                         .rank = send.from,
                         .peer = send.to,
                         .tag = message,
                         .bytes = send.bytes,
                         .duration = {},
                         .line = send.line};
    program.sends.push_back(2 * message);
    program.actions.push_back(action);
    std::swap(action.rank, action.peer);
    action.kind = ProgramAction::Kind::receive;
    program.actions.push_back(action);
    for (const std::uint32_t before : send.after) {
      program.dependencies.push_back({.before = 2 * before + 1, .after = 2 * message});
    }
    if (send.with) {
      program.dependencies.push_back({.before = 2 * *send.with, .after = 2 * message, .on_start = true});
    }
  }
  return program;
}

std::uint64_t begin_of_chunk(std::uint64_t chunk, std::uint64_t chunks, std::uint64_t bytes)
{
  return chunk * (bytes / chunks) + chunk * (bytes % chunks) / chunks;
}

std::uint64_t bytes_of_chunks(std::uint64_t begin, std::uint64_t end, std::uint64_t chunks, std::uint64_t bytes)
{
  return std::max<std::uint64_t>(begin_of_chunk(end, chunks, bytes) - begin_of_chunk(begin, chunks, bytes), 1);
}

} // namespace wormcast
