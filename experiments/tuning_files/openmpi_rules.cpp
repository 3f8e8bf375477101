#include "wormcast/experiments/tuning_files/openmpi_rules.hpp"

#include "wormcast/experiments/output/version.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

/// The numbers of ompi/mca/coll/base/coll_base_functions.h.
unsigned collective_number(const std::string& collective)
{
  static constexpr auto numbers = std::to_array<std::pair<std::string_view, unsigned>>(
      {{"allgather", 0}, {"allreduce", 2}, {"alltoall", 3}, {"bcast", 7}});
  for (const auto& [name, number] : numbers) {
    if (name == collective) {
      return number;
    }
  }
  throw std::logic_error(fmt::format("Open MPI's number of {} is not known", collective));
}

std::string_view meaning_of_bytes(const std::string& collective)
{
  return collective == "allgather" || collective == "alltoall" ? "bytes of all blocks of a rank"
                                                               : "bytes of the message";
}

/// The times of one length, and what is lost there.
std::string comment_of(const TuningRules& rules, const TunedLength& length)
{
  std::string text = fmt::format("# {} bytes: {} us as {}", length.bytes, format_microseconds(length.measured.latency),
                                 length.measured.title);
  if (length.usual) {
    text += fmt::format("; SMPI's {} {} us", selector_of(rules.library), format_microseconds(*length.usual));
    if (*length.usual > length.measured.latency) {
      text += fmt::format(", {} more", excess_text(*length.usual, length.measured.latency));
    } else if (*length.usual < length.measured.latency) {
      text += fmt::format("; the rule takes {} more", excess_text(length.measured.latency, *length.usual));
    }
  }
  text += '\n';
  if (length.lost) {
    text += fmt::format("#   lost: {}, {} us; the rule takes {} more\n", length.lost->title,
                        format_microseconds(length.lost->latency),
                        excess_text(length.measured.latency, length.lost->latency));
  }
  return text;
}

} // namespace

std::string openmpi_rules_text(const TuningRules& rules)
{
  const std::vector<TuningRule> merged = merged_rules(rules);
  std::string text = fmt::format(
      "# Open MPI, coll/tuned: rules for MPI_{} among {}, from simulated times\n"
      "# written by wormcast {} (version {}); use it with\n"
      "#   mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE\n"
      "# A rule holds from its bytes up to those of the next one, the first one from 0, the last one without end.\n"
      "# Open MPI 4.1 uses them for communicators of every size. Lost is what is faster, and Open MPI does not have.\n",
      mpi_function(rules.collective), rules.place, rules.command, program_version());
  for (const std::uint64_t bytes : rules.without) {
    text += fmt::format("# {} bytes: none of Open MPI's algorithms has a time\n", bytes);
  }
  text += fmt::format("1  # number of collectives\n"
                      "{}  # {}\n"
                      "1  # number of communicator sizes\n"
                      "{}  # ranks\n"
                      "{}  # number of rules: from {}, algorithm, 0, bytes of a segment (0: the message is not cut)\n",
                      collective_number(rules.collective), rules.collective, rules.ranks, merged.size(),
                      meaning_of_bytes(rules.collective));
  for (const TuningRule& rule : merged) {
    for (std::size_t i = rule.first; i < rule.end; ++i) {
      text += comment_of(rules, rules.lengths[i]);
    }
    const LibraryAlgorithm& algorithm = rules.lengths[rule.first].algorithm;
    text += fmt::format("{} {} 0 {}  # {}\n", rule.from, algorithm.number, algorithm.segment, algorithm.name);
  }
  return text;
}

} // namespace wormcast
