// What the program is to cost, and what it costs on this machine: a table. Ends with code 1 where a goal is missed.

#include "tests/benchmarks/child_process.hpp"
#include "tests/benchmarks/exchange.hpp"
#include "tests/benchmarks/uniform_traffic.hpp"
#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>

namespace wormcast {
namespace {

enum class Bound { at_most, at_least };

struct Table {
  bool all_met = true;

  void row(const std::string& what, double measured, const std::string& unit, Bound bound, double goal)
  {
    const bool met = bound == Bound::at_most ? measured <= goal : measured >= goal;
    all_met = all_met && met;
    fmt::print("{:<64}{:>9.3g} {:<12}{} {:<8g}{}\n", what, measured, unit, bound == Bound::at_most ? "<=" : ">=", goal,
               met ? "met" : "MISSED");
    std::fflush(stdout);
  }
};

// Processor time of the quickest of `runs`, in seconds: other work on the machine only ever adds to it.
double quickest(int runs, const std::function<void()>& work)
{
  double best = 1e30;
  for (int i = 0; i < runs; ++i) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

class TemporaryFolder {
public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() / fmt::format("wormcast_goals_{}", static_cast<int>(getpid())))
  {
    std::filesystem::create_directory(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string write(const std::string& name, const std::string& text) const
  {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

private:
  std::filesystem::path path_;
};

std::string broadcast_config(const std::string& algorithm, int side)
{
  return fmt::format("[topology]\nkind = \"mesh\"\ndims = [{0}, {0}]\n[network]\nstartup = \"150us\"\nper_byte = "
                     "\"0.5us\"\n[algorithm]\nname = \"{1}\"\n[message]\nbytes = \"4KiB\"\n",
                     side, algorithm);
}

void large_meshes(Table& table, const TemporaryFolder& folder)
{
  struct Goal {
    const char* algorithm;
    int side;
    double seconds;
    double megabytes;
  };
  for (const Goal& goal : {Goal{"recursive_doubling", 1024, 3, 800}, Goal{"recursion_based", 1024, 6, 1200},
                           Goal{"recursion_based", 2048, 30, 5000}}) {
    const std::string config = folder.write("large.toml", broadcast_config(goal.algorithm, goal.side));
    const testing::ProcessCost cost = testing::run_program({"run", config});
    const std::string what = fmt::format("run, {0} x {0}, 4 KiB, {1}", goal.side, goal.algorithm);
    table.row(what, cost.ok ? cost.user_seconds : INFINITY, "s user", Bound::at_most, goal.seconds);
    table.row(what, cost.ok ? cost.peak_megabytes : INFINITY, "MB", Bound::at_most, goal.megabytes);
  }
  const std::string config = folder.write("large.toml", broadcast_config("recursion_based", 1024));
  const testing::ProcessCost cost = testing::run_program({"schedule", config, "--force"});
  table.row("schedule, 1024 x 1024, recursion_based", cost.ok ? cost.user_seconds : INFINITY, "s user", Bound::at_most,
            15);
}

void message_lists(Table& table, const TemporaryFolder& folder)
{
  std::string list = R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [32, 32]}, )"
                     R"("operation": "none", "messages": [)";
  std::mt19937_64 random(1);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto source = random() % 1024;
    fmt::format_to(
        std::back_inserter(list), "{}{{\"id\": {}, \"src\": {}, \"dst\": {}, \"bytes\": 64, \"start_us\": {}.{:03}}}",
        i == 0 ? "\n" : ",\n", i, source, (source + 1 + random() % 1023) % 1024, random() % 25'000, random() % 1000);
  }
  list += "\n]}\n";
  folder.write("list.json", list);
  const std::string config = folder.write(
      "list.toml", "[topology]\nkind = \"mesh\"\ndims = [32, 32]\n[network]\nstartup = \"1us\"\nper_hop = "
                   "\"1ns\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\nfile = \"list.json\"\n");
  const testing::ProcessCost cost = testing::run_program({"run", config});
  table.row("run, a list of 1,000,000 messages, read and simulated", cost.ok ? cost.user_seconds : INFINITY, "s user",
            Bound::at_most, 2);
}

// Rates with engines of 22 November 2026 on 2 cores of an AMD EPYC were 7 and 15 million before they were made anew.
void random_traffic(Table& table)
{
  const auto topology = make_topology(testing::grid("mesh", {32, 32}));
  const NetworkParameters network = testing::network_in_ns(1, 1, 1);
  const RunParameters run{.engine = EngineChoice::worm};
  for (const auto& [window_ns, name, goal] : {std::tuple(std::int64_t{50'000}, "at saturation", 14.0),
                                              std::tuple(std::int64_t{5'000'000}, "low load", 30.0)}) {
    const Schedule schedule = testing::uniform_traffic(200'000, 64, window_ns);
    std::uint64_t hops = 0;
    const double alone = quickest(5, [&] { hops = simulate_core(*topology, schedule, network, run).header_hops; });
    table.row(fmt::format("worm, 32 x 32, 200,000 messages of 64 B, {}", name), static_cast<double>(hops) / alone / 1e6,
              "M hops/s", Bound::at_least, goal);
    const double on_simgrid = quickest(5, [&] { simulate(*topology, schedule, network, run); });
    table.row(fmt::format("the same on SimGrid's clock, times the engine alone, {}", name), on_simgrid / alone, "",
              Bound::at_most, 1.1);
  }
}

// Uniform traffic with messages to the sender.
LoadResult load_for(const NetworkParameters& network, std::int64_t side, std::uint64_t flits, double load,
                    std::int64_t cycles, std::uint32_t threads)
{
  const auto mesh = testing::grid_of("mesh", {side, side});
  TrafficParameters traffic = testing::traffic_of("uniform", flits, Arrival::bernoulli);
  traffic.include_self = true;
  traffic.warm_up = Time{1'000'000};
  traffic.measure = Time{1000 * cycles};
  traffic.drain = Time{1000};
  return simulate_load(*mesh, network, traffic, load, {.threads = threads});
}

// Nanoseconds of a flit hop over external channels, of `cycles` beyond the first 1,000: four virtual channels, eight
// flits a buffer.
double nanoseconds_under_load(const NetworkParameters& network, std::int64_t side, std::uint64_t flits, double load,
                              std::int64_t cycles)
{
  const auto run = [&](std::int64_t measured) {
    double hops = 0;
    const double seconds = quickest(3, [&] {
      const LoadResult result = load_for(network, side, flits, load, measured, 1);
      hops = static_cast<double>(result.flit_hops) - 2.0 * static_cast<double>(result.all_messages * flits);
    });
    return std::pair(seconds, hops);
  };
  const auto [short_time, few] = run(cycles / 10);
  const auto [long_time, many] = run(cycles);
  return 1e9 * (long_time - short_time) / (many - few);
}

// Router "wormhole" with several virtual channels, where the engine is `flit`: a hop must not cost much more where the
// network is saturated, which is where a search for the saturation spends its time.
void flits_under_load(Table& table)
{
  NetworkParameters network = testing::plain_network();
  network.virtual_channels = 4;
  network.buffer_flits = 8;
  network.per_hop = Time{4000};
  const double low = nanoseconds_under_load(network, 32, 1, 0.0125, 10'000);
  const double saturated = nanoseconds_under_load(network, 32, 1, 0.085, 3'000);
  table.row("flit, 32 x 32, messages of one flit, load 0.0125", 1000 / low, "M hops/s", Bound::at_least, 7.9);
  table.row("the same at load 0.085, saturated: a hop, times one at load 0.0125", saturated / low, "", Bound::at_most,
            2);
}

// Router "input_queued": the goals are three times (messages of one flit) and twice (20 flits) the rates of 23 November
// 2026 on 2 cores of an Intel Xeon.
void cycles_under_load(Table& table)
{
  struct Goal {
    std::int64_t side;
    std::uint64_t flits;
    double load;
    std::int64_t cycles;
    double rate;
  };
  const NetworkParameters network = testing::booksim_network(4, false, false);
  for (const Goal& goal :
       {Goal{8, 1, 0.05, 100'000, 22}, Goal{8, 1, 0.36, 20'000, 22}, Goal{8, 20, 0.05, 100'000, 35},
        Goal{8, 20, 0.33, 30'000, 25}, Goal{32, 1, 0.0125, 10'000, 22}, Goal{32, 1, 0.085, 2'000, 22},
        Goal{32, 20, 0.0125, 20'000, 32}, Goal{32, 20, 0.08, 3'000, 24}}) {
    table.row(fmt::format("cycle, {0} x {0}, messages of {1} flit{2}, load {3}", goal.side, goal.flits,
                          goal.flits == 1 ? "" : "s", goal.load),
              1000 / nanoseconds_under_load(network, goal.side, goal.flits, goal.load, goal.cycles), "M hops/s",
              Bound::at_least, goal.rate);
  }
}

// The median of pairs of runs one after the other, as the elapsed time of threads suffers most from other work.
void cycles_on_threads(Table& table)
{
  const NetworkParameters network = testing::booksim_network(4, false, false);
  for (const auto& [flits, load] : {std::pair{1U, 0.085}, std::pair{20U, 0.08}}) {
    const auto seconds = [&, flits = flits, load = load](std::uint32_t threads) {
      const auto begin = std::chrono::steady_clock::now();
      load_for(network, 32, flits, load, 8'000, threads);
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::array<double, 5> ratios{};
    for (double& ratio : ratios) {
      const double alone = seconds(1);
      ratio = alone / seconds(2);
    }
    std::ranges::sort(ratios);
    table.row(fmt::format("cycle, 32 x 32, messages of {} flit{}, load {}, on two threads", flits,
                          flits == 1 ? "" : "s", load),
              ratios[2], "x speed", Bound::at_least, 1.9);
  }
}

void message_lengths(Table& table)
{
  const auto topology = make_topology(testing::grid("mesh", {32, 32}));
  const NetworkParameters network = testing::network_in_ns(1500, 1, 1);
  for (const char* algorithm : {"recursive_doubling", "scatter_collect", "recursion_based"}) {
    const auto seconds = [&](std::uint64_t bytes) {
      ScheduleRequest request;
      request.message_bytes = bytes;
      const Schedule schedule = make_schedule(find_algorithm(algorithm), *topology, request);
      return quickest(20, [&] {
        for (int i = 0; i < 3; ++i) {
          simulate_core(*topology, schedule, network, {.engine = EngineChoice::worm});
        }
      });
    };
    table.row(fmt::format("32 x 32, {}: a message of 1 GiB, times one of 64 B", algorithm),
              seconds(std::uint64_t{1} << 30) / seconds(64), "", Bound::at_most, 1.05);
  }
}

// Of messages that start one after the other, so that the load is the same from 10^5 to 10^8 hops.
void number_of_hops(Table& table)
{
  const auto topology = make_topology(testing::grid("mesh", {32, 32}));
  const NetworkParameters network = testing::network_in_ns(1, 1, 1);
  const auto nanoseconds_per_hop = [&](int messages, int runs) {
    const Schedule schedule = testing::uniform_traffic(messages, 64, std::int64_t{25} * messages);
    std::uint64_t hops = 0;
    const double seconds = quickest(
        runs, [&] { hops = simulate_core(*topology, schedule, network, {.engine = EngineChoice::worm}).header_hops; });
    return std::pair(static_cast<double>(hops), 1e9 * seconds / static_cast<double>(hops));
  };
  const auto [few, short_time] = nanoseconds_per_hop(4'300, 20);
  const auto [many, long_time] = nanoseconds_per_hop(4'300'000, 1);
  table.row(fmt::format("worm: growth of the time of a hop, exponent from {:.0e} to {:.0e} hops", few, many),
            std::log(long_time / short_time) / std::log(many / few), "", Bound::at_most, 0.1);
}

// Processes of MPI programs included.
void mpi_programs(Table& table, const TemporaryFolder& folder)
{
  if (!WormholeModel::what_is_missing().empty() || !std::filesystem::exists(WORMCAST_COLLECTIVES)) {
    fmt::print("no MPI programs here: no SimGrid that is known, or no smpicxx\n");
    return;
  }
  struct Goal {
    const char* algorithm;
    const char* messages;
    double seconds;
    double megabytes;
  };
  const std::string config = folder.write("mpi.toml", broadcast_config("recursion_based", 32));
  for (const Goal& goal :
       {Goal{"binomial_tree", "2,046 messages", 2, 400}, Goal{"scatter_LR_allgather", "1,049,598 messages", 30, 400}}) {
    const testing::ProcessCost cost =
        testing::run_program({"mpi", config, "--bcast", goal.algorithm, "--", WORMCAST_COLLECTIVES, "bcast", "4096"});
    const std::string what = fmt::format("mpi, 1024 ranks, {}, {}", goal.algorithm, goal.messages);
    table.row(what, cost.ok ? cost.user_seconds : INFINITY, "s user", Bound::at_most, goal.seconds);
    table.row(what, cost.ok ? cost.peak_megabytes : INFINITY, "MB", Bound::at_most, goal.megabytes);
  }
  constexpr int rounds = 100;
  std::uint64_t messages = 0;
  const double alone = quickest(3, [&] { messages = testing::exchange_online(rounds); });
  const double by_mailboxes = quickest(3, [&] { testing::exchange_by_mailboxes(rounds); });
  table.row("a message between mailboxes, more than on the network alone",
            1e6 * (by_mailboxes - alone) / static_cast<double>(messages), "us", Bound::at_most, 10);
}

int print_goals()
{
  Table table;
  const TemporaryFolder folder;
  large_meshes(table, folder);
  message_lists(table, folder);
  random_traffic(table);
  flits_under_load(table);
  cycles_under_load(table);
  cycles_on_threads(table);
  message_lengths(table);
  number_of_hops(table);
  mpi_programs(table, folder);
  return table.all_met ? 0 : 1;
}

} // namespace
} // namespace wormcast

int main()
{
  return wormcast::print_goals();
}
