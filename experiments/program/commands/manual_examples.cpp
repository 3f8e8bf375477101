#include "wormcast/experiments/program/commands/manual_examples.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

using Entry = std::pair<std::string_view, std::vector<ManualExample>>;

const std::vector<Entry>& all_manual_examples()
{
  static const std::vector<Entry> examples = {
      {"",
       {{"Write a configuration with every key and its meaning, and simulate it:",
         {"wormcast init mesh --out my.toml", "wormcast run my.toml"}}}},
      {"run",
       {{"Simulate a broadcast, and show where its time went:",
         {"wormcast run configs/mesh_self_timed.toml --explain"}},
        {"The same with other values, the result as JSON:",
         {"wormcast run configs/mesh_self_timed.toml --set message.bytes=64KiB --json result.json"}}}},
      {"sweep",
       {{"Run all points of a sweep, and continue where it was interrupted:",
         {"wormcast sweep configs/figure4.toml --out out/figure4 --resume"}},
        {"Five seeds of every point, and waits by depth contention as a band:",
         {"wormcast sweep configs/mesh_jitter_sweep.toml --repeat 5 --out out/jitter "
          "--plot \"y=contention.depth, spread=band\""}}}},
      {"load",
       {{"Latency at three loads under three patterns, without a search for saturation:",
         {"wormcast load configs/load_patterns.toml --set load.points=[0.05,0.1,0.15] --set load.saturation=false "
          "--set traffic.precision=0.1 --out out/load"}}}},
      {"plot",
       {{"Draw another quantity of a sweep that has been run:",
         {"wormcast sweep configs/figure4.toml --out out/figure4",
          "wormcast plot out/figure4 --plot \"y=tcd, scale=linear\""}}}},
      {"mpi",
       {{"Run an MPI program, one rank on each node, and see its critical path:",
         {"smpicxx -std=c++17 -O2 examples/collectives.cpp -o collectives",
          "wormcast mpi configs/mpi_mesh.toml --explain -- ./collectives bcast 4096"}},
        {"The same with one of Wormcast's broadcasts:",
         {"wormcast mpi configs/mpi_mesh.toml --bcast wormcast:recursion_based -- ./collectives bcast 4096"}}}},
      {"contention",
       {{"Who waited for whom in a run:",
         {"wormcast run configs/mesh_self_timed.toml --trace trace.jsonl", "wormcast contention trace.jsonl --top 3"}},
        {"Only waits for ports:", {"wormcast contention trace.jsonl --kind port"}},
        {"The trace for <https://ui.perfetto.dev>:",
         {"wormcast contention trace.jsonl --perfetto trace.perfetto.json"}}}},
      {"convert",
       {{"A trace for <https://ui.perfetto.dev>:",
         {"wormcast run configs/mesh_self_timed.toml --trace trace.jsonl",
          "wormcast convert trace.jsonl trace.perfetto.json"}}}},
      {"view",
       {{"A page that plays a broadcast:", {"wormcast view configs/mesh_self_timed.toml --out view.html"}},
        {"One moment of it as a picture:",
         {"wormcast view configs/mesh_self_timed.toml --picture moment.svg --at 5450us"}}}},
      {"schedule",
       {{"The messages of an algorithm as a file:",
         {"wormcast schedule configs/mesh_recursion_based.toml --out schedule.json"}},
        {"The same for Graphviz:",
         {"wormcast schedule configs/mesh_recursive_doubling.toml --format dot --out schedule.dot"}}}},
      {"check",
       {{"Prove that a schedule broadcasts, and that no messages of a step meet:",
         {"wormcast schedule configs/mesh_recursion_based.toml --out schedule.json",
          "wormcast check schedule.json --contention-free"}}}},
      {"compare",
       {{"Three algorithms side by side, at the configured length:",
         {"wormcast compare configs/compare_mesh.toml --lengths none "
          "--algorithms recursive_doubling,recursion_based,scatter_collect"}}}},
      {"choose",
       {{"A table of the fastest algorithm for each message length:",
         {"wormcast choose configs/compare_mesh.toml --lengths 64..64KiB --csv table.csv"}}}},
      {"collectives",
       {{"Two of SMPI's broadcasts and one of Wormcast's, at two lengths:",
         {"wormcast collectives configs/mpi_mesh.toml --lengths 1KiB,16KiB "
          "--algorithms binomial_tree,scatter_LR_allgather,wormcast:recursion_based"}}}},
      {"validate",
       {{"The errors of two models, on long vectors alone, and as a picture:",
         {"wormcast validate examples/validation/measured.csv examples/validation/predicted.csv --only bytes=1MiB..",
          "wormcast validate examples/validation/measured.csv examples/validation/predicted.csv --picture "
          "errors.svg"}},
        {"Models that the program simulates:", {"wormcast validate examples/validation/study.toml --top 2"}}}},
      {"tcd",
       {{"The total communication distance from every source, as text and as a picture:",
         {"wormcast tcd configs/tcd_mesh.toml --picture tcd.svg"}}}},
      {"topology",
       {{"Properties of a network, and the proof that its routing is free of deadlock:",
         {"wormcast topology configs/figure4.toml --check-deadlock"}},
        {"The total communication distance from every source, as text and as a picture:",
         {"wormcast topology configs/tcd_mesh.toml --tcd --picture tcd.svg"}}}},
      {"reproduce",
       {{"The claims of the papers, and one of them:",
         {"wormcast reproduce --list", "wormcast reproduce zhuang_liberatore.rd_best_below_1_kilobyte"}}}},
      {"study", {{"The studies that the program has, with their questions:", {"wormcast study"}}}},
      {"import",
       {{"A configuration of BookSim2:",
         {"printf 'topology = mesh;\\nk = 8;\\nn = 2;\\nrouting_function = dor;\\n' > mesh.cfg",
          "wormcast import booksim mesh.cfg --out mesh.toml"}}}},
      {"list",
       {{"All algorithms, and the keys of the network:", {"wormcast list algorithms", "wormcast list network"}}}},
      {"init",
       {{"A configuration for latency-load curves:", {"wormcast init load --out load.toml"}},
        {"The network of a BookSim2 configuration:",
         {"printf 'topology = mesh;\\nk = 8;\\nn = 2;\\nrouting_function = dor;\\n' > mesh.cfg",
          "wormcast init --from booksim mesh.cfg --out mesh.toml"}}}},
      {"reference",
       {{"The pages of docs/reference, and the manual pages:",
         {"wormcast reference --out reference", "wormcast reference --man man1"}}}},
      {"completion",
       {{"Completion in this shell:", {"wormcast completion bash --out wormcast.bash", "source wormcast.bash"}}}},
  };
  return examples;
}

} // namespace

std::vector<ManualExample> manual_examples(std::string_view command)
{
  const std::vector<Entry>& all = all_manual_examples();
  const auto found = std::ranges::find(all, command, &Entry::first);
  return found == all.end() ? std::vector<ManualExample>{} : found->second;
}

} // namespace wormcast
