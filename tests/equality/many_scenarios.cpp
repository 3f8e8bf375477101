#include "tests/equality/many_scenarios.hpp"

#include "tests/equality/shrink.hpp"
#include "wormcast/simulator/model/channel_times.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <unistd.h>

namespace wormcast::testing {

namespace {

constexpr int most_tries_to_shrink = 1500;
constexpr std::size_t shown_lines = 10;
constexpr unsigned most_seconds = 600; ///< for one scenario; nothing takes so long

/// What is written when a scenario crashes or hangs; a signal handler may do little more than that.
std::array<char, 100> last_words = {};

extern "C" void write_last_words(int)
{
  const std::string_view words(last_words.data());
  [[maybe_unused]] const auto written = write(STDERR_FILENO, words.data(), words.size());
  _exit(1);
}

/// While it lives, a crash or a scenario without end says which scenario that is. Handlers of others, as of sanitizers,
/// stay.
class LastWords {
public:
  LastWords()
  {
    for (const int signal : signals) {
      if (const auto before = std::signal(signal, write_last_words); before != SIG_DFL) {
        std::signal(signal, before);
      }
    }
  }
  ~LastWords()
  {
    alarm(0);
    for (const int signal : signals) {
      if (const auto before = std::signal(signal, SIG_DFL); before != write_last_words) {
        std::signal(signal, before);
      }
    }
  }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  void about(std::uint64_t seed)
  {
    last_words = {};
    fmt::format_to_n(last_words.data(), last_words.size() - 1,
                     "CRASH, or no end, in scenario {0}; to run it alone: ./dev equal 1 {0}\n", seed);
    alarm(most_seconds);
  }

private:
  static constexpr std::array signals = {SIGSEGV, SIGABRT, SIGFPE, SIGALRM};
};

void write_lines(const Mismatches& lines, std::ostream& out)
{
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == shown_lines) {
      out << fmt::format("  and {} lines more\n", lines.size() - shown_lines);
      break;
    }
    out << "  " << lines[i] << '\n';
  }
}

void report(const Scenario& scenario, const Mismatches& found, Fault fault, std::ostream& out)
{
  out << "MISMATCH in scenario " << scenario.seed << ":\n";
  write_lines(found, out);
  const auto still_fails = [fault](const Scenario& other) {
    Tally ignored;
    return !mismatches(other, fault, ignored).empty();
  };
  const Scenario small = shrink(scenario, still_fails, most_tries_to_shrink);
  Tally ignored;
  out << "what is left of it when it is made small:\n" << describe(small);
  write_lines(mismatches(small, fault, ignored), out);
  out << "to run it alone: ./dev equal 1 " << scenario.seed;
  if (fault != Fault::none) {
    out << " --wrong " << fault_names()[static_cast<std::size_t>(fault)];
  }
  out << std::endl;
}

void count_kind(const Scenario& scenario, Tally& tally)
{
  const bool is_algorithm = scenario.traffic != "plain list" && scenario.traffic != "gossip";
  ++tally["scenarios"];
  ++tally["traffic: " + (is_algorithm ? "algorithm" : scenario.traffic)];
  tally["nodes compute, or start-ups have a latency"] +=
      scenario.run.computation.any() || scenario.network.startup_latency != Time{} ? 1U : 0U;
  tally["last flits as long as their bytes"] += scenario.network.last_flit == LastFlit::exact ? 1U : 0U;
  tally["rates or latencies of channels are unequal"] += has_equal_channels(scenario.network) ? 0U : 1U;
  tally["receivers report that they are ready"] += count_without_blocks(scenario.schedule) > 0 ? 1U : 0U;
  tally["messages are bound to ports"] += scenario.network.port_choice == PortChoice::of_message ? 1U : 0U;
  tally["messages are sent in packets"] += scenario.schedule.packets.empty() ? 0U : 1U;
  ++tally["topology: " + scenario.topology->description().kind];
}

} // namespace

std::uint64_t seed_of_the_day()
{
  using namespace std::chrono;
  const year_month_day today(floor<days>(system_clock::now()));
  const auto year = static_cast<std::uint64_t>(static_cast<int>(today.year()));
  const std::uint64_t month = static_cast<unsigned>(today.month());
  return ((year * 100 + month) * 100 + static_cast<unsigned>(today.day())) * 1'000'000;
}

std::uint64_t check_scenarios(const ManyOptions& options, std::ostream& out)
{
  LastWords last_words_of_scenario;
  Tally tally;
  std::set<std::string> kinds_of_traffic;
  std::uint64_t failures = 0;
  for (std::uint64_t i = 0; i < options.count && failures < options.most_failures; ++i) {
    last_words_of_scenario.about(options.seed + i);
    const Scenario scenario = random_computing_scenario(options.seed + i);
    count_kind(scenario, tally);
    kinds_of_traffic.insert(scenario.traffic);
    const Mismatches found = mismatches(scenario, options.fault, tally);
    if (!found.empty()) {
      alarm(0); // to make it small may take longer
      ++failures;
      report(scenario, found, options.fault, out);
    }
  }
  tally["different kinds of traffic"] = kinds_of_traffic.size();
  for (const auto& [what, count] : tally) {
    out << fmt::format("{:<44} {:>10}\n", what, count);
  }
  out << fmt::format("{:<44} {:>10}\n", "scenarios that went wrong", failures);
  return failures;
}

} // namespace wormcast::testing
