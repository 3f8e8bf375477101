#include "wormcast/experiments/program/reference/reference.hpp"

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/config/plot_section.hpp"
#include "wormcast/experiments/config/random_draws.hpp"
#include "wormcast/experiments/config/sweep_section.hpp"
#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/experiments/program/reference/trace_page.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/run/series_quantities.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wormcast {

namespace {

/// A text in a cell of a table, where a bar would end it.
std::string cell(std::string_view text)
{
  std::string escaped;
  for (const char letter : text) {
    if (letter == '|' || letter == '*' || letter == '<') {
      escaped += '\\';
    }
    escaped += letter == '\n' ? ' ' : letter;
  }
  return escaped;
}

std::string default_of(const Parameter& parameter)
{
  if (parameter.fallback) {
    const std::string value = json_text(parameter_json(parameter, *parameter.fallback), JsonLayout::one_line);
    return value == "\"\"" ? "empty" : "`" + value + "`";
  }
  return parameter.optional ? "-" : "required";
}

std::string parameter_table(std::span<const Parameter> parameters)
{
  std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const Parameter& parameter : parameters) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name, cell(expectation(parameter)),
                        cell(default_of(parameter)), cell(parameter.text));
  }
  return text;
}

struct ColumnText {
  std::string_view name;
  std::string_view text;
};

template <std::size_t Size> std::string column_table(const ColumnText (&columns)[Size])
{
  std::string text = "| column | meaning |\n|---|---|\n";
  for (const ColumnText& column : columns) {
    text += fmt::format("| `{}` | {} |\n", column.name, column.text);
  }
  return text;
}

} // namespace

std::string configuration_page()
{
  std::string text = "# Configuration\n\n";
  text += made_from;
  text += "A configuration is a TOML file with the sections below, and for sweeps [`[sweep]`, `[[case]]` and "
          "`[plot]`](sweeps.md).\n"
          "An unknown section or key is an error that names the nearest known one. "
          "`--set SECTION.KEY=VALUE` gives a key one value\n"
          "and takes its axis out of the sweep, `--set sweep.SECTION.KEY=VALUE,VALUE` makes or replaces an axis,\n"
          "`--unset KEY` takes a key or a whole section out first: `--unset topology --set\n"
          "topology.kind=hypercube --set topology.dimension=6`. Relative paths are relative to the file, those of "
          "`--set` to the\n"
          "working directory. `wormcast init KIND` writes a configuration with every key in a comment.\n\n"
          "Times are texts with a unit (`s`, `ms`, `us`, `ns`, `ps`), "
          "whole numbers of picoseconds. Sizes are whole numbers of\n"
          "bytes, or texts with a unit: `B`, `kB`, `MB`, `GB` (powers of 1000), "
          "`KiB`, `MiB`, `GiB` (powers of 1024). A node is an\n"
          "id, or its coordinates. Ports are a number, or `\"all\"`.\n";
  for (const std::string& section : config_sections()) {
    text += fmt::format("\n## [{}]\n\n", section);
    if (section == "network") {
      text += "What each means for the times is in [the network model](../network-model.md).\n\n";
    } else if (section == "ranks") {
      text +=
          "Where the ranks of `[algorithm]` are ([guide](../guide.md#ranks-on-some-of-the-nodes)). Beside these keys "
          "those of `[topology]` for `kind`.\n\n";
    } else if (section == "program") {
      text += "For `algorithm.file` that names a trace ([formats of others](../formats-of-others.md)).\n\n";
    } else if (section == "mpi") {
      text += "For `wormcast mpi` alone ([MPI programs](../mpi.md)).\n\n";
    } else if (section == "broadcast") {
      text += "For `wormcast run` and `wormcast sweep`: the operation again and again, alone or among `[traffic]` "
              "([networks under load](../load.md#a-broadcast-among-others)).\n\n";
    } else if (section == "traffic") {
      text += "For `wormcast load`, and beside `[algorithm]` ([networks under load](../load.md)). "
              "A table `hot_spot = { nodes = [0], share = 0.1 }`\n"
              "is the same as the dotted keys, a list of tables `bytes = [{ bytes = 8, weight = 9 }, { bytes = 64, "
              "weight = 1 }]`\n"
              "the same as the two lists `bytes.bytes` and `bytes.weight`.\n\n";
    } else if (section == "load") {
      text += "For `wormcast load` alone: the points of its curves.\n\n";
    }
    text += parameter_table(fixed_parameters(section));
    if (section == section_of(traffic_classes_table)) {
      const std::string of_class = fmt::format("{}.NAME", traffic_classes_table);
      text += fmt::format("\n### [{}]\n\n"
                          "Classes of traffic, each with a name of its own ([networks under "
                          "load](../load.md#classes-of-traffic)); beside them `[{}]` has none of these keys.\n\n{}",
                          of_class, section, parameter_table(fixed_parameters(of_class)));
    }
    if (section == "topology") {
      for (const TopologyKind& kind : topology_kinds()) {
        text += fmt::format("\n### kind = \"{}\"\n\n{}. Routing: {}.\n\n{}", kind.name, cell(kind.summary),
                            fmt::join(kind.routings, ", "),
                            kind.parameters.empty() ? "No keys of its own.\n" : parameter_table(kind.parameters));
      }
    }
    if (section == "algorithm") {
      for (const UnregisteredAlgorithm& algorithm : unregistered_algorithms()) {
        text += fmt::format("\n### name = \"{}\"\n\n{}.\n\n{}", algorithm.name, algorithm.text,
                            parameter_table(algorithm.parameters));
      }
      for (const Algorithm& algorithm : algorithms()) {
        text +=
            fmt::format("\n### name = \"{}\"\n\n{}. {}; {}.\n\n{}", algorithm.name, cell(algorithm.summary),
                        cell(algorithm.ports), cell(algorithm.topologies),
                        algorithm.parameters.empty() ? "No keys of its own.\n" : parameter_table(algorithm.parameters));
      }
    }
  }
  return text;
}

std::string sweep_page()
{
  std::string text = "# Sweeps\n\n";
  text += made_from;
  text += "`wormcast sweep CONFIG` runs every combination of the values of all axes. The first axis varies slowest.\n\n"
          "## [sweep]\n\n"
          "| key | value | meaning |\n|---|---|---|\n";
  for (const SweepSyntax& syntax : sweep_syntax()) {
    text += fmt::format("| `{}` | `{}` | {} |\n", cell(syntax.key), cell(syntax.value), cell(syntax.text));
  }
  text += R"(
```toml
[sweep]
"message.bytes" = { from = "64B", to = "64KiB", factor = 2 }
"algorithm.name" = ["recursive_doubling", "recursion_based"]
topology = [{ kind = "mesh", dims = [8, 8] }, { kind = "hypercube", dimension = 6 }]
repeat = 30
```

`--set sweep.KEY=VALUES` makes an axis on the command line, instead of another one of this key: `--set
sweep.message.bytes=64,4KiB`, `--set 'sweep.message.bytes={from = 64, to = 4096, factor = 4}'`, `--set sweep.repeat=10`.
`--set KEY=VALUE` takes the axis of that key out; `--repeat N` replaces `repeat`.

Tables, plots and comparisons of a sweep show the latency from the source's own start, `latency_from_source_us`, and say so; `latency_us`, which counts from
time 0, is in results.csv and statistics.csv. The two differ with `run.start_jitter`.

Runs with different seeds are repetitions of one experiment: tables and plots show their mean with its 95 % interval ([rules](results.md#intervals)),
[statistics.csv](results.md#statisticscsv) and [differences.csv](results.md#differencescsv) have the rest. )" +
          fmt::format("Seeds have an effect with {}.\n", all_random_keys("`")) +
          R"(A setting in which all runs have the same latency is shown without an interval.

A value of one axis may choose a kind of topology or an algorithm that does not have a key of the file, or of another axis: the key is then
left out as long as another value, or the file's own, has it.

## [[case]]

Things that belong together, such as a topology with its algorithm: an axis `case` before all others. Each table has a `name` and
tables of the sections above, whose keys win over the file's.

```toml
[[case]]
name = "mesh"
topology = { kind = "mesh", dims = [8, 8] }
algorithm.name = "recursion_based"

[[case]]
name = "hypercube, all ports"
topology = { kind = "hypercube", dimension = 6 }
network.ports = "all"
algorithm.name = "flooding"
```

Without `[sweep]` the cases alone are run. Cases are alternatives, as algorithms are: differences.csv and crossings.csv compare them.

## [plot]

`[plot]` is one plot, `[[plot]]` are several; `--plot 'x=nodes, y=max_channel_load, group=algorithm.name, scale=log'` is one, too. Without any
the latency from the source's start is drawn into `latency_from_source.svg`, `.png` and `.pdf`. `wormcast plot DIR` draws again what is in `DIR/results.sqlite`, or other
plots of it, without running anything. The same keys draw [latency-load curves](../load.md#figures).

)";
  text += parameter_table(plot_declarations());
  text += R"(
A column is any of [results.csv](results.md#resultscsv), or a key of [the configuration](configuration.md) (`topology.kind`). Numbers, fractions,
sizes and times are numbers on an axis; each of the other values has a position. Of runs that differ in nothing but their seed the mean is
drawn; where other runs have the same x on a curve, each is a point.

```toml
[[plot]]
y = "max_channel_load"
x = "nodes"
group = "topology.kind+algorithm.name"
scale = "log"

[[plot]]
y = "latency_us/bounds.latency_us"
spread = "band"
```
)";
  return text;
}

constexpr std::string_view quantity_heading = "| quantity | unit | meaning |\n|---|---|---|\n";

std::string quantity_row(const Quantity& quantity)
{
  return fmt::format("| `{}` | {} | {}{} |\n", quantity.name, quantity.unit, cell(quantity.text),
                     quantity.left_out ? " (without a value the key is left out)" : "");
}

/// A table of what results of one kind have as quantities.
template <typename Result> std::string quantity_table(std::span<const ResultQuantity<Result>> quantities)
{
  std::string text(quantity_heading);
  for (const ResultQuantity<Result>& declared : quantities) {
    text += quantity_row(declared.quantity);
  }
  return text;
}

std::string load_quantity_table()
{
  std::string text(quantity_heading);
  for (const LoadQuantity& quantity : load_quantities()) {
    text += quantity_row(quantity.declared.quantity);
  }
  return text;
}

std::string results_page()
{
  std::string text = "# Results\n\n";
  text += made_from;
  text += R"(## Quantities of a run

`wormcast run --json` writes them into an object of format `wormcast-result/1` ([what else it has](../formats.md)); a name with a dot is
a key of an object in it: `bounds.alpha`. The same names are columns of results.csv, keys of plots, and, as far as they have no dot,
attributes of a result in Python. Times are exact; a fraction of the message length is a text (`"39/16"`). Where a quantity has no
value it is `null`, and its cell in a table is empty. `bounds` as a whole is `null` where the bounds do not bind: operations other than
broadcast, `all_reduce`, `reduce_scatter` and `all_gather`, half-duplex ports, messages of a step that do not fit the ports, in a
broadcast messages of a step that share a channel, a schedule that is not complete, routing that is not in dimension order. `paired` is there only with `run.paired`.

)";
  text += quantity_table(run_quantities());
  text += R"(
## Quantities of a series of broadcasts

A configuration with `[broadcast]`, or with `[traffic]` beside `[algorithm]`, gives an object of format `wormcast-series/1`
([a broadcast among others](../load.md#a-broadcast-among-others)). Means have seven digits. `load` is `null` where there is none.

)";
  text += quantity_table(series_quantities());
  text += R"(
## Quantities of a load

An element of `points` of `wormcast load --json` ([networks under load](../load.md#result)); the window is the time in which the network is
measured. All but the waits of the kind `depth`, of which there are none, are columns of its results.csv, and where they are numbers also of its
statistics.csv. `latency_us` and `network_latency_us` as a whole are `null` of a saturated point, and of an undecided one unless it lacks no more than an
interval; each has a `histogram` besides. `busiest_channel` is `null` where the network has no external channels. Measured numbers have seven digits.

)";
  text += load_quantity_table();
  text +=
      R"(
## Files of a sweep

Into the folder of `--out` (else `out/` and the configuration's name). All but the database are the same byte for byte whatever the
number of jobs. CSV files are after RFC 4180; in Python: `pandas.read_csv("results.csv")`.

## results.csv

One line for each point, in the order of the sweep: the axes under their keys (`message.bytes`; values as in a configuration, a time
also as a number `AXIS_us`), then the quantities, then with `--all-columns` every other key of the configuration, then

| column | meaning |
|---|---|
| `state` | `done`, `saturated` (the network does not carry the load of `[traffic]`: there are no latencies), `deadlock`, `bad_input` (the configuration cannot be run), `incomplete` (the schedule does not do its operation; there are numbers only with `run.unchecked`), `died` (its process broke down) |
| `error` | what was wrong, in one line; empty when done or saturated |

The quantities are those of the networks,

)";
  text += quantity_table(topology_quantities());
  text += R"(
then those of runs and of series, as above, and

| column | meaning |
|---|---|
| `NAME_decimal` | the fraction NAME as a decimal, next to it (`beta_decimal`) |
| `chosen.NAME` | the value that the algorithm chose for its parameter NAME if that was `"best"` |

Columns of bounds are there for the operations only that have some. An empty cell: the run has no such quantity. A saturated point is an answer: it is
"saturated" in the table, stays with `--resume`, and is in no mean, difference or comparison.

## statistics.csv

Where there are several seeds: for each setting (the axes but `run.seed`) and each quantity that is a number one line.

)";
  static constexpr ColumnText statistics[] = {
      {"quantity", "a column of results.csv"},
      {"runs", "runs that are done and have it"},
      {"not_done", "runs of the setting that are not done (a deadlock, say): the statistics are without them"},
      {"mean", "mean"},
      {"median", "median; of an even number the mean of the middle two"},
      {"standard_deviation", "standard deviation of a sample (n - 1 below); empty of one run"},
      {"interval_low", "lower end of the mean's 95 % interval; empty where too few runs carry one"},
      {"interval_high", "its upper end"},
      {"interval", "by which rule it was made ([below](#intervals)): `student_t`, `bootstrap_t`; empty: there is none"},
      {"smallest", "smallest"},
      {"largest", "largest"},
  };
  text += column_table(statistics);
  text += R"(
### Intervals

`student_t` is Student's t distribution with n - 1 degrees of freedom. It covers the mean as often as it says where means are nearly normal,
and far too seldom where most runs have the same value and few a large one: waits, and what contention costs.

`bootstrap_t` is the symmetric bootstrap-t interval (P. Hall, J. R. Statist. Soc. B 50, 1988): the quantile of \|t\| comes from 999 resamples of
the runs. It is taken for `contention.*`, `load.contention.*` and the costs and waits of `paired.*`, and for any other quantity, and any difference, of which two
runs have the same value or whose sample has a skewness above 1 or below -1. Where more than 5 % of the resamples have no deviation, which is where fewer than about 3 runs differ from the most frequent value,
there is no interval.

How often the intervals that are given cover the true mean, measured by 600 to 1500 samples out of 2000 runs (1000 for differences): recursion_based on an 8 x 8 mesh, `startup` 150 us, `per_byte`
0.5 us, self-timed, `start_jitter` 10 ms with 4096 bytes (3 ms, 1024 bytes and `per_hop` 5 us in the rows with *), and its difference to recursive_doubling with 3 ms and 4096 bytes.
In parentheses: in which share of the samples there is an interval.

| quantity | rule | 5 runs | 10 runs | 20 runs |
|---|---|---|---|---|
| `paired.contention_cost_us`, 0 in 83 % of the runs | t | 0.85 (0.61) | 0.82 (0.85) | 0.84 (0.98) |
|  | bootstrap_t | 1.00 (0.04) | 0.99 (0.26) | 0.97 (0.69) |
| `paired.contention_cost_us` *, 0 in 86 % | t | 0.55 (0.49) | 0.61 (0.79) | 0.65 (0.96) |
|  | bootstrap_t | 1.00 (0.02) | 0.87 to 0.91 (0.15) | 0.89 (0.51) |
| `contention.depth_wait_us` | t | 0.85 (0.99) | 0.87 (1) | 0.90 (1) |
|  | bootstrap_t | 0.97 (0.66) | 0.93 (0.98) | 0.94 (1) |
| `contention.port_wait_us` * | t | 0.79 (0.97) | 0.84 (1) | 0.90 (1) |
|  | bootstrap_t | 0.96 (0.54) | 0.94 (0.96) | 0.96 (1) |
| `contention.depth` * | t | 0.85 (0.90) | 0.86 (0.98) | 0.92 (1) |
|  | bootstrap_t | 1.00 (0.25) | 0.96 (0.76) | 0.95 (0.99) |
| difference, the same in 70 % of the pairs | t | 0.78 (0.84) | 0.78 (0.97) | 0.87 (1) |
|  | as chosen | 0.98 (0.18) | 0.96 (0.64) | 0.95 (0.95) |
| `latency_from_source_us` | t | 0.93 (1) | 0.94 (1) | 0.96 (1) |
|  | as chosen | 0.96 (0.90) | 0.96 (1) | 0.96 (1) |

## differences.csv

Where there are several seeds and several algorithms (or cases): for each two of them under the same setting the differences of
`latency_from_source_us` between runs with the same seed, the second minus the first.

)";
  static constexpr ColumnText differences[] = {
      {"quantity", "what the differences are of: `latency_from_source_us`"},
      {"first", "what is compared"},
      {"second", "with what"},
      {"pairs", "seeds with which both are done"},
      {"unpaired", "seeds with which one or both are not"},
      {"first_mean_us", "mean of the quantity of the first in these pairs"},
      {"difference_mean_us", "mean difference"},
      {"difference_median_us", "median difference"},
      {"difference_standard_deviation_us", "standard deviation of the differences"},
      {"difference_interval_low_us", "lower end of the 95 % interval of the mean difference, as above"},
      {"difference_interval_high_us", "its upper end"},
      {"interval", "by which rule, as above"},
      {"difference_smallest_us", "smallest difference"},
      {"difference_largest_us", "largest difference"},
      {"difference_percent", "mean difference in percent of `first_mean_us`"},
      {"faster", "the one that the interval says is faster; where there is no interval, the one that is faster with "
                 "every seed, of at least 6 (sign test); empty: not decided"},
  };
  text += column_table(differences);
  text += R"(
## crossings.csv

Where `message.bytes` and an algorithm (or cases) are axes: from which length on one is faster than the other. The axes that both have in common come
first.

)";
  static constexpr ColumnText crossings[] = {
      {"quantity", "by what: `latency_from_source_us`"},
      {"faster_before", "what is faster at shorter lengths"},
      {"faster_behind", "what is faster at longer ones"},
      {"predicted_bytes", "where alpha\\*T_s + beta\\*L\\*T_c of both are the same, as an exact fraction; empty: one "
                          "has no proved formula"},
      {"predicted_bytes_decimal", "the same as a decimal"},
      {"measured_from_bytes", "the last measured length before the curves cross"},
      {"measured_to_bytes", "the first one behind"},
      {"measured_bytes", "the crossing between the two, by linear interpolation; of several seeds of the means"},
  };
  text += column_table(crossings);
  text += R"(
## Plots

NAME.svg, NAME.png, NAME.pdf, and NAME.gnuplot, the program that draws them, with its data, to be changed by hand. `latency_from_source` is the plot
of a sweep without [`[plot]`](sweeps.md#plot).

## results.sqlite

What `--resume` goes on with and `wormcast plot` draws from. It can be read with any SQLite, also while the sweep is running. The view `runs` has a row for each
point of the last sweep, in its order, with `position`, the columns of results.csv, all keys of the configuration, `state`, `error` and
`wall_seconds` (what the run took). Numbers are INTEGER or REAL, whether their key is swept or not; truth values are 1 and 0. A time of the
configuration is a TEXT ("150us") with a REAL beside it (`network.startup_us`), a fraction too (`beta` and `beta_decimal`).
Names with a dot are in quotes:

```sql
SELECT "algorithm.name", "message.bytes", avg(latency_from_source_us), count(*)
FROM runs WHERE state = 'done' GROUP BY 1, 2;
```

    sqlite3 -header -csv out/figure4/results.sqlite 'SELECT * FROM runs'

| table | column | meaning |
|---|---|---|
| `points` | `key` | hash of version, configuration and the files that it names |
|  | `version` | of the program that computed it |
|  | `config` | the effective configuration, JSON |
|  | `state`, `error` | as in results.csv |
|  | `result` | the result object ([wormcast-result/1](../formats.md)), JSON; empty where there is none |
|  | `wall_seconds` | what the run took |
|  | `checksum` | hash of the row: one that does not match counts as missing |
| `sweep_points` | `position` | in the sweep's order, from 1 |
|  | `key` | of `points`; empty where the configuration is wrong |
|  | `cells` | the values of the axes, a JSON list, numbers as numbers |
|  | `facts` | `nodes`, `channels`, and the configuration's times in microseconds (`network.startup_us`), a JSON object |
| `sweep` | `document` | what it takes to draw the sweep again, JSON: axes, plots, formulas |

Points of earlier sweeps with other configurations stay in `points` and are not in `runs`. Those of [shards](../cluster.md) are taken over as far as they belong to the
sweep. The format's number is `PRAGMA user_version`; stores of
format 1 are brought up to 2 by `--resume`.
)";
  return text;
}

std::vector<ReferencePage> reference_pages()
{
  return {{"configuration.md", configuration_page()},
          {"sweeps.md", sweep_page()},
          {"results.md", results_page()},
          {"traces.md", trace_page()},
          {"wormcast.schema.json", config_schema()}};
}

} // namespace wormcast
