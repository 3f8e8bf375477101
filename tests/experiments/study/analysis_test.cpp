// Studies: what is read, what is paired, what the intervals hold, and that conclusions follow the data.

#include "wormcast/experiments/study/question_answer.hpp"
#include "wormcast/experiments/study/study_file.hpp"
#include "wormcast/experiments/study/study_list.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace wormcast {
namespace {

using testing::HasSubstr;

/// From 0 to 1.
double uniform(std::mt19937_64& random)
{
  return static_cast<double>(random() >> 11U) / 9007199254740992.0;
}

/// What contention costs: nothing for most sources, much for a few, and more or less of it in each broadcast.
std::vector<std::vector<double>> skewed_costs(std::mt19937_64& random, int sources, int of_each)
{
  std::vector<std::vector<double>> values;
  for (int source = 0; source < sources; ++source) {
    const double common = uniform(random) < 0.4 ? -std::log(1 - uniform(random)) : 0.0;
    values.emplace_back();
    for (int i = 0; i < of_each; ++i) {
      values.back().push_back(common * 2 * uniform(random));
    }
  }
  return values;
}

double mean_of(const std::vector<double>& values)
{
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

TEST(ResampledStatistic, CoversSkewedCostsOfFewSources)
{
  std::mt19937_64 random(7);
  constexpr int studies = 150;
  int covered = 0;
  int covered_by_percentiles = 0;
  int covered_shares = 0;
  const auto holds = [](const ClusterInterval& found) { return found.low <= 0.4 && 0.4 <= found.high ? 1 : 0; };
  for (int study = 0; study < studies; ++study) {
    std::vector<std::vector<double>> values = skewed_costs(random, 48, 2);
    covered += holds(ResampledStatistic::of_mean(values, 400).interval(0.05));
    covered_by_percentiles += holds(ResampledStatistic(values, mean_of, 400).interval(0.05));
    for (std::vector<double>& cluster : values) {
      std::ranges::transform(cluster, cluster.begin(), [](double value) { return value > 0 ? 1.0 : 0.0; });
    }
    covered_shares += holds(ResampledStatistic::of_mean(values, 400).interval(0.05));
  }
  EXPECT_GE(covered, studies * 90 / 100);
  EXPECT_GE(covered_shares, studies * 90 / 100);
  EXPECT_LT(covered, studies); // intervals that always cover say nothing
  EXPECT_LT(covered_by_percentiles, covered);
}

TEST(ResampledStatistic, CoversQuantiles)
{
  std::mt19937_64 random(4);
  constexpr int studies = 100;
  int covered = 0;
  for (int study = 0; study < studies; ++study) {
    std::vector<std::vector<double>> values;
    for (int source = 0; source < 30; ++source) {
      values.push_back({-std::log(1 - uniform(random)), -std::log(1 - uniform(random))});
    }
    const ClusterStatistic median = [](std::vector<double>& all) {
      std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2);
      return all[all.size() / 2];
    };
    const ClusterInterval found = ResampledStatistic(values, median, 200).interval(0.05);
    covered += found.low <= std::log(2.0) && std::log(2.0) <= found.high ? 1 : 0;
  }
  EXPECT_GE(covered, studies * 90 / 100);
  EXPECT_LT(covered, studies);
}

TEST(ResampledStatistic, HasThePValueOfItsIntervals)
{
  std::mt19937_64 random(5);
  const std::vector<std::vector<double>> costs = skewed_costs(random, 30, 1);
  for (const ResampledStatistic& statistic :
       {ResampledStatistic(costs, mean_of, 2000), ResampledStatistic::of_mean(costs, 2000)}) {
    for (const double value : {0.05, 0.2, 0.6, 0.9}) {
      const double p = statistic.p_value(value);
      const auto holds = [&](double error) {
        const ClusterInterval found = statistic.interval(error);
        return found.low <= value && value <= found.high;
      };
      EXPECT_TRUE(p <= 0.0011 || holds(p * 0.98)) << value;
      EXPECT_FALSE(holds(std::min(p * 1.02, 0.999))) << value;
    }
    EXPECT_GE(statistic.p_value(1000), 0.001);
  }
  EXPECT_THROW(ResampledStatistic(std::vector<std::vector<double>>{{1}}, mean_of, 10), std::logic_error);
}

/// A study of invented runs.
constexpr const char* invented = R"([study]
question = "Who is faster?"
cluster = "algorithm.source"

[topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "1us"
per_byte = "1ns"

[message]
bytes = 64

[quick.sweep]
"algorithm.name" = ["recursive_doubling", "scatter_collect"]
"network.hold" = ["tail", "path"]
"algorithm.source" = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

[[question]]
name = "slower"
text = "Is the second more than 10 % slower?"
value = "latency_us"
between = "algorithm.name"
first = "recursive_doubling"
second = "scatter_collect"
paired_on = ["algorithm.source"]
difference = "relative"
unit = "%"
each = ["network.hold"]
statistic = "mean"
threshold = "10 %"
side = "above"
)";

/// A run of each source for both algorithms; with hold "tail" the second is slower by `tail`, in the mean, else by
/// `path`.
StudyObservations invented_runs(double tail, double path)
{
  StudyObservations observations{
      .columns = {"algorithm.name", "network.hold", "algorithm.source", "latency_us"}, .factors = 3, .rows = {}};
  for (int source = 0; source < 10; ++source) {
    for (const bool is_tail : {true, false}) {
      const double slower = (is_tail ? tail : path) * (0.5 + 0.1 * source + 0.05);
      const double first = 100 + 20 * source;
      const std::string hold = is_tail ? "tail" : "path";
      const std::string name = fmt::to_string(source);
      observations.rows.push_back({"done", {"recursive_doubling", hold, name, fmt::to_string(first)}});
      observations.rows.push_back(
          {"done", {"scatter_collect", hold, name, fmt::format("{:.9f}", first * (1 + slower))}});
    }
  }
  return observations;
}

StudyDesign invented_design(const std::string& from = "", const std::string& to = "")
{
  std::string text = invented;
  if (!from.empty()) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  }
  return read_study_file(text, "s.toml", StudyScale::quick).design;
}

Conclusion concluded(const StudyDesign& design, const StudyObservations& observations)
{
  return answer_study(design, observations).front().conclusion;
}

TEST(StudyAnswers, TurnWithTheData)
{
  const StudyDesign every = invented_design();
  EXPECT_EQ(concluded(every, invented_runs(0.3, 0.3)), Conclusion::holds);
  EXPECT_EQ(concluded(every, invented_runs(0.3, 0.02)), Conclusion::does_not_hold);
  EXPECT_EQ(concluded(every, invented_runs(0.3, 0.1)), Conclusion::not_decided);
  const StudyDesign some = invented_design("side =", "cells = \"some\"\nside =");
  EXPECT_EQ(concluded(some, invented_runs(0.3, 0.02)), Conclusion::holds);
  EXPECT_EQ(concluded(some, invented_runs(0.02, 0.02)), Conclusion::does_not_hold);
  EXPECT_EQ(concluded(some, invented_runs(0.02, 0.1)), Conclusion::not_decided);
  const StudyDesign below = invented_design("side = \"above\"", "side = \"below\"");
  EXPECT_EQ(concluded(below, invented_runs(0.02, 0.02)), Conclusion::holds);
  EXPECT_EQ(concluded(below, invented_runs(0.3, 0.02)), Conclusion::does_not_hold);
}

TEST(StudyAnswers, PairRunsAndDecideByTheWiderInterval)
{
  const StudyDesign design = invented_design();
  const std::vector<StudyAnswer> answers = answer_study(design, invented_runs(0.3, 0.1));
  ASSERT_EQ(answers.front().cells.size(), 2);
  const AnsweredCell& tail = answers.front().cells[0];
  EXPECT_EQ(tail.setting, std::vector<std::string>{"tail"});
  EXPECT_EQ(tail.values, 10);
  EXPECT_NEAR(tail.estimate, 30, 1e-6);
  EXPECT_NEAR(tail.largest, 43.5, 1e-6);
  EXPECT_EQ(tail.side, ThresholdSide::above);
  EXPECT_EQ(tail.error, study_error / 2);
  EXPECT_LT(tail.decisive->low, tail.interval->low);
  const AnsweredCell& path = answers.front().cells[1];
  EXPECT_EQ(path.error, study_error);
  EXPECT_FALSE(path.side);
  EXPECT_GT(path.p, 0.5);
}

TEST(StudyAnswers, HaveNoEffectWhereClustersDifferByRoundingAlone)
{
  const StudyDesign design = invented_design();
  StudyObservations runs = invented_runs(0.3, 0.3);
  EXPECT_NEAR(*answer_study(design, runs).front().cells[0].effect, 30 / 9.082951,
              1e-3); // by hand: 16.5 to 43.5 in steps of 3
  for (std::size_t row = 0; row + 1 < runs.rows.size(); row += 2) {
    runs.rows[row + 1].cells[3] = fmt::format("{:.17g}", std::stod(runs.rows[row].cells[3]) * 1.3);
  }
  const std::vector<StudyAnswer> answers = answer_study(design, runs);
  const AnsweredCell& cell = answers.front().cells[0];
  EXPECT_NEAR(cell.estimate, 30, 1e-9);
  EXPECT_FALSE(cell.effect);
}

TEST(StudyAnswers, AreNotDecidedByRunsThatDidNotEnd)
{
  const StudyDesign design = invented_design();
  StudyObservations runs = invented_runs(0.3, 0.3);
  runs.rows[4].state = "deadlock";
  const std::vector<StudyAnswer> answers = answer_study(design, runs);
  EXPECT_EQ(answers.front().conclusion, Conclusion::not_decided);
  EXPECT_EQ(answers.front().cells[0].open, "1 pairs without a value");
  EXPECT_EQ(answers.front().cells[1].side, ThresholdSide::above);
  runs.rows.erase(runs.rows.begin());                               // its partner is left out
  EXPECT_EQ(answer_study(design, runs).front().cells[1].values, 8); // of "tail", which comes later now
  std::erase_if(runs.rows, [](const StudyObservations::Row& row) { return row.cells[0] == "scatter_collect"; });
  EXPECT_THROW(answer_study(design, runs), InputError);
}

TEST(StudyAnswers, KnowThatRareLossesMayNotHaveBeenMet)
{
  const StudyDesign design =
      invented_design("statistic = \"mean\"\nthreshold = \"10 %\"\nside = \"above\"",
                      "statistic = \"share_above\"\nbound = \"50 %\"\nthreshold = \"20 %\"\nside = \"below\"");
  const std::vector<StudyAnswer> answers = answer_study(design, invented_runs(0.3, 0.3));
  const AnsweredCell& cell = answers.front().cells[0];
  EXPECT_EQ(cell.estimate, 0);
  EXPECT_NEAR(cell.interval->high, 100 * (1 - std::pow(0.025, 0.1)), 1e-6); // none of 10 sources
  EXPECT_EQ(answers.front().conclusion, Conclusion::not_decided);
}

/// Runs whose latency is on a line over their hops, of which each source has another slope around `slope`, and off it
/// by what no line explains.
StudyObservations runs_on_lines(double slope)
{
  StudyObservations observations{
      .columns = {"algorithm.source", "algorithm.name", "latency_us", "tcd"}, .factors = 2, .rows = {}};
  for (int source = 0; source < 10; ++source) {
    for (int run = 0; run < 4; ++run) {
      const double off = run == 0 || run == 3 ? 5 : -5; // as much at both ends
      const double tcd = 100 + 10 * run;
      // Sources with large latencies have few hops: one line through all would fall.
      const double latency = 1000 - 50 * source + (slope + 0.1 * (source - 4.5)) * tcd + off;
      observations.rows.push_back(
          {"done", {fmt::to_string(source), "x", fmt::format("{:.9f}", latency), fmt::to_string(tcd + source)}});
    }
  }
  return observations;
}

/// The design with one question, about the slope of the latency.
StudyDesign slope_design(const std::string& on, const std::string& threshold = "0 us")
{
  std::string text = invented;
  text.resize(text.find("[[question]]"));
  text +=
      "[[question]]\nname = \"s\"\ntext = \"s?\"\nvalue = \"latency_us\"\nunit = \"us\"\nstatistic = \"slope\"\non = \"" +
      on + "\"\nthreshold = \"" + threshold + "\"\nside = \"above\"\n";
  return read_study_file(text, "s.toml", StudyScale::quick).design;
}

TEST(StudySlopes, AreThoseOfTheLinesWithinClusters)
{
  const StudyDesign design = slope_design("tcd");
  const std::vector<StudyAnswer> answers = answer_study(design, runs_on_lines(2));
  const AnsweredCell& cell = answers.front().cells.front();
  EXPECT_EQ(cell.values, 10);
  EXPECT_NEAR(cell.estimate, 2, 1e-7);
  EXPECT_NEAR(cell.largest, 2.45, 1e-7);
  EXPECT_LT(cell.interval->low, 2);
  EXPECT_GT(cell.interval->low, 1.6);
  EXPECT_EQ(answers.front().conclusion, Conclusion::holds);
  const StudyDesign by_sixty = slope_design("tcd / 60");
  EXPECT_NEAR(answer_study(by_sixty, runs_on_lines(2)).front().cells.front().estimate, 120, 1e-5);
  EXPECT_EQ(rule_text(by_sixty.questions.front()),
            "the interval of the slope on tcd / 60 lies above 0 us in every cell");
}

TEST(StudySlopes, AreNotTakenForMoreThanZeroWhereTheyAreAroundIt)
{
  const StudyDesign design = slope_design("tcd");
  EXPECT_EQ(concluded(design, runs_on_lines(0)), Conclusion::not_decided);
  EXPECT_EQ(concluded(design, runs_on_lines(-1)), Conclusion::does_not_hold);
  EXPECT_EQ(concluded(slope_design("tcd", "2 us"), runs_on_lines(2)), Conclusion::not_decided);
}

TEST(StudySlopes, NeedSeveralPlacesAndAllRuns)
{
  const StudyDesign design = slope_design("tcd");
  StudyObservations runs = runs_on_lines(2);
  runs.rows[1].state = "deadlock";
  EXPECT_EQ(answer_study(design, runs).front().cells.front().open, "1 runs without a value");
  runs = runs_on_lines(2);
  for (int run = 4; run < 8; ++run) {
    runs.rows[static_cast<std::size_t>(run)].cells[3] = "7";
  }
  try {
    answer_study(design, runs);
    ADD_FAILURE() << "a slope of one place";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("s.toml:27:6: question.on: \"tcd\" is 7 in all runs with algorithm.source 1, "
                                        "expected two values or more for a slope"));
  }
  EXPECT_THROW(slope_design("tcd /"), InputError);
}

TEST(StudySlopes, OnAFactorAreTheSameFromStoredRuns)
{
  const StudyDesign design = slope_design("message.bytes");
  StudyObservations runs{.columns = {"message.bytes", "algorithm.source", "latency_us"}, .factors = 2, .rows = {}};
  for (int i = 0; i < 20; ++i) {
    runs.rows.push_back({"done", {fmt::to_string(i % 4), fmt::to_string(i / 4), fmt::to_string(i * i)}});
  }
  const StudyObservations read = read_observations(design, observations_csv(runs), "runs.csv");
  EXPECT_EQ(read.factors, 2);
  EXPECT_EQ(read.columns, runs.columns);
  EXPECT_EQ(answer_study(design, read).front().cells.front().estimate,
            answer_study(design, runs).front().cells.front().estimate);
}

std::string error_of(const std::string& from, const std::string& to)
{
  try {
    const StudyDesign design = invented_design(from, to);
    answer_study(design, invented_runs(0.3, 0.3));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(StudyFiles, NameWhatIsWrongWithItsLine)
{
  EXPECT_THAT(
      error_of("\nthreshold = \"10 %\"", "\nthreshold = 10"),
      HasSubstr("s.toml:33:13: question.threshold: found 10, expected a number with its unit, such as \"5 %\""));
  EXPECT_THAT(error_of("\nthreshold = \"10 %\"", "\nthreshold = \"10 us\""), HasSubstr("such as \"5 %\""));
  EXPECT_THAT(error_of("cluster = \"algorithm.source\"", ""),
              HasSubstr("s.toml:1:1: study.cluster: missing, expected the factor of which runs"));
  EXPECT_THAT(error_of("paired_on = [\"algorithm.source\"]", ""), HasSubstr("question.paired_on: missing"));
  EXPECT_THAT(error_of("statistic = \"mean\"", "statistic = \"mode\""),
              HasSubstr("expected one of mean, median, quantile, share_above, slope"));
  EXPECT_THAT(error_of("\"latency_us\"", "\"latency_us / (2\""),
              HasSubstr("question.value: found the end in \"latency_us / (2\", expected \")\""));
  EXPECT_THAT(error_of("statistic = \"mean\"", "statistic = \"slope\""), HasSubstr("question.on: missing, expected"));
  EXPECT_THAT(error_of("statistic = \"mean\"", "on = \"tcd\"\nstatistic = \"mean\""),
              HasSubstr("question.on: only statistic = \"slope\" has this key"));
  EXPECT_THAT(error_of("statistic = \"mean\"", "on = \"tcd\"\nstatistic = \"slope\""),
              HasSubstr("question.statistic: a slope is of single runs, and between makes pairs"));
  EXPECT_THAT(error_of("text =", "texts ="), HasSubstr("did you mean \"text\"?"));
  EXPECT_THAT(error_of("[quick.sweep]", "[full.sweep]"), HasSubstr("s.toml: [quick]: missing"));
  EXPECT_THAT(error_of("[topology]", "[topolgy]"), HasSubstr("did you mean \"topology\"?"));
  EXPECT_THAT(error_of("[study]\nquestion = \"Who is faster?\"\ncluster = \"algorithm.source\"\n", ""),
              HasSubstr("[study]: missing"));
  EXPECT_THAT(error_of("each = [\"network.hold\"]\n", ""),
              HasSubstr("question.paired_on: several runs with algorithm.name \"recursive_doubling\" are the same in "
                        "algorithm.source, expected also network.hold there"));
}

TEST(StudyFiles, MergePartsWithWhatAllRunsHaveInCommon)
{
  std::string text = invented;
  const std::string sweep = "[quick.sweep]\n\"algorithm.name\" = [\"recursive_doubling\", \"scatter_collect\"]\n";
  text.replace(text.find(sweep), sweep.size(),
               "[sweep]\n\"algorithm.name\" = [\"recursive_doubling\", \"scatter_collect\"]\n[[quick]]\n"
               "topology = { dims = [8, 8] }\n[[quick]]\n[quick.sweep]\n");
  const StudyFile file = read_study_file(text, "s.toml", StudyScale::quick);
  ASSERT_EQ(file.sweeps.size(), 2);
  EXPECT_EQ(raw_value_text(file.sweeps[0].entries.at("topology.dims").value), "[8,8]");
  EXPECT_EQ(file.sweeps[0].entries.at("topology.dims").origin.text(), "s.toml:19:21");
  EXPECT_EQ(raw_value_text(file.sweeps[1].entries.at("topology.dims").value), "[4,4]");
  EXPECT_EQ(file.sweeps[0].sweep.size(), 1);
  const SweepAxis& sources = file.sweeps[1].sweep[2]; // each has a seed of its own
  EXPECT_EQ(sources.sets.size(), 10);
  EXPECT_EQ(raw_value_text(sources.sets[9][1].second.value), "10");
  EXPECT_EQ(file.sweeps[1].sweep.size(), 3);
}

TEST(StudyFiles, OfTheProgramCanBeReadAtEveryScale)
{
  for (const InstalledStudy& study : installed_studies()) {
    for (const StudyScale scale : study_scale_names.all()) {
      EXPECT_FALSE(find_study(std::string(study.name), scale).sweeps.empty()) << study.name;
    }
  }
  EXPECT_THROW(find_study("unsynchronized_broadcast", StudyScale::quick), InputError);
}

} // namespace
} // namespace wormcast
