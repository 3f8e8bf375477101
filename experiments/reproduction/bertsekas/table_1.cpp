#include "wormcast/experiments/reproduction/bertsekas/cases.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"

#include <fmt/format.h>

#include <bit>

namespace wormcast::bertsekas {

namespace {

/// A line of table 1.
struct Problem {
  std::string algorithm;
  std::uint32_t proved = 10;   ///< d up to which the verifier goes
  std::uint32_t simulated = 8; ///< and the simulator
};

const Problem scatter{"single_node_scatter", 10, 9};
const Problem multinode{"multinode_broadcast", 10, 8};
const Problem exchange{"total_exchange", 9, 7};

std::uint64_t claimed_time(const Problem& problem, std::uint32_t d)
{
  return problem.algorithm == exchange.algorithm ? std::uint64_t{1} << (d - 1) : packets_per_link(d);
}

std::uint64_t claimed_transmissions(const Problem& problem, std::uint32_t d)
{
  const std::uint64_t nodes = std::uint64_t{1} << d;
  if (problem.algorithm == scatter.algorithm) {
    return d * nodes / 2;
  }
  return problem.algorithm == multinode.algorithm ? nodes * (nodes - 1) : d * nodes * nodes / 2;
}

std::vector<CubeCase> cases(const Problem& problem, std::uint32_t d)
{
  return from_roots({.dimension = d, .algorithm = problem.algorithm}, problem.algorithm == scatter.algorithm ? 256 : 1);
}

// The verifier's step counts, and the simulator's clock in units of one packet, with barriers and without.
Evidence line_of_table_1(const Problem& problem)
{
  std::vector<Observation> observations;
  std::vector<double> claimed;
  std::vector<double> measured;
  for (std::uint32_t d = 1; d <= problem.proved; ++d) {
    for (const CubeCase& one : cases(problem, d)) {
      observations.push_back(costs(one, claimed_time(problem, d), claimed_transmissions(problem, d)));
    }
    claimed.push_back(static_cast<double>(claimed_time(problem, d)));
    if (d <= problem.simulated) {
      const CubeCase one = cases(problem, d).back();
      const std::uint64_t time = simulated_time(one);
      measured.push_back(static_cast<double>(time));
      observations.push_back(equal("simulated time, " + title(one), claimed_time(problem, d), time));
    }
  }
  const bool is_scatter = problem.algorithm == scatter.algorithm;
  Evidence evidence = all_hold(fmt::format("verified d = 1..{}{}, simulated d = 1..{}", problem.proved,
                                           is_scatter ? ", up to 256 roots each" : "", problem.simulated),
                               observations, 24);
  evidence.figures.push_back({.title = problem.algorithm,
                              .x_label = "dimension d",
                              .y_label = "time (packets)",
                              .log_y = true,
                              .series = {series_by_dimension("table 1", ExhibitSeries::Kind::predicted, 1, claimed),
                                         series_by_dimension("simulated", ExhibitSeries::Kind::measured, 1, measured)},
                              .marks = {}});
  return evidence;
}

// The bounds as the paper counts them, of distances and links that the topology tells.
Evidence lower_bounds()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 10; ++d) {
    const auto cube = make_cube(d);
    const std::uint64_t nodes = cube->node_count();
    std::uint64_t from_root = 0;
    std::uint64_t all = 0;
    for (std::uint32_t from = 0; from < nodes; ++from) {
      std::uint64_t sum = 0;
      for (std::uint32_t to = 0; to < nodes; ++to) {
        sum += cube->distance(NodeId{from}, NodeId{to});
      }
      from_root = from == 0 ? sum : from_root;
      all += sum;
    }
    const std::uint64_t packets_at_node = nodes - 1;
    const std::uint64_t degree = cube->out_degree(NodeId{0});
    const auto add = [&](const std::string& what, std::uint64_t expected, std::uint64_t found) {
      observations.push_back(equal(fmt::format("{}, d = {}", what, d), expected, found));
    };
    add("eq. (2), transmissions of a scatter", claimed_transmissions(scatter, d), from_root);
    add("eq. (3), transmissions of a total exchange", claimed_transmissions(exchange, d), all);
    add("eq. (4), time of a total exchange", claimed_time(exchange, d),
        (all + cube->channel_count() - 1) / cube->channel_count());
    add("time of a scatter or multinode broadcast", packets_per_link(d), (packets_at_node + degree - 1) / degree);
    add("transmissions of a multinode broadcast", claimed_transmissions(multinode, d), nodes * packets_at_node);
  }
  return all_hold("d = 1..10: sums of all distances over numbers of links; the algorithms attain all of these bounds",
                  observations, 15);
}

// Steps of `hops` in which not all directed links carry a packet.
Evidence all_links_in_all_steps()
{
  std::vector<Observation> observations;
  for (const Problem& problem : {multinode, exchange}) {
    for (std::uint32_t d = 1; d <= 9; ++d) {
      const CubeCase one = cases(problem, d).front();
      const auto cube = make_cube(d);
      const Schedule schedule = schedule_of(one, *cube);
      std::vector<std::uint64_t> busy(step_count(schedule), 0);
      for (const Message& message : schedule.messages) {
        ++busy[message.step];
      }
      std::uint64_t full = 0;
      for (const std::uint64_t links : busy) {
        full += links == cube->channel_count();
      }
      // d does not divide 2^d - 1 (appendix), except for d = 1.
      const bool last_is_short = problem.algorithm == multinode.algorithm && d > 1;
      observations.push_back(equal("steps that use all d 2^d links, " + title(one), busy.size() - last_is_short, full));
    }
  }
  return all_hold("d = 1..9", observations);
}

// No barrier between the steps: every node sends what it has as soon as it has been through its earlier messages.
Evidence self_timed()
{
  std::vector<Observation> observations;
  for (const Problem& problem : {scatter, multinode, exchange}) {
    for (std::uint32_t d = 1; d <= 7; ++d) {
      const CubeCase one = cases(problem, d).back();
      observations.push_back(equal(title(one), claimed_time(problem, d), simulated_time(one, true)));
    }
  }
  return all_hold("d = 1..7, simulated self-timed, all nodes started at once", observations);
}

} // namespace

std::vector<Check> table_1_checks()
{
  const auto shown = [](const Problem& problem) {
    return Demonstration{config_text({.dimension = 5, .algorithm = problem.algorithm}), "wormcast run CONFIG"};
  };
  return {check_of("table_1_scatter", shown(scatter), [] { return line_of_table_1(scatter); }),
          check_of("table_1_multinode_broadcast", shown(multinode), [] { return line_of_table_1(multinode); }),
          check_of("table_1_total_exchange", shown(exchange), [] { return line_of_table_1(exchange); }),
          check_of("lower_bounds",
                   {config_text({.dimension = 5, .algorithm = exchange.algorithm}), "wormcast topology CONFIG"},
                   lower_bounds),
          check_of("all_links_in_all_steps", checked({.dimension = 5, .algorithm = exchange.algorithm}),
                   all_links_in_all_steps),
          check_of("global_clock",
                   {config_text({.dimension = 5, .algorithm = exchange.algorithm}) + "\n[run]\nmode = \"self_timed\"\n",
                    "wormcast run CONFIG"},
                   self_timed)};
}

} // namespace wormcast::bertsekas
