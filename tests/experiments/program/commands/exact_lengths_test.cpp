#include "tests/experiments/program/commands/configured_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class ExactLengthsOfRuns : public ConfiguredRuns {
protected:
  ExactLengthsOfRuns()
      : ConfiguredRuns("[topology]\nkind = \"mesh\"\ndims = [4]\n\n[network]\nstartup = \"1us\"\nper_byte = "
                       "\"0.1575ns\"\nflit_bytes = 16\n\n[algorithm]\nname = \"recursive_doubling\"\n\n[message]\n"
                       "bytes = 1000003\n")
  {}
};

// Two steps of a broadcast to four nodes.
TEST_F(ExactLengthsOfRuns, TakeFractionsOfAPicosecondForAByte)
{
  const Json padded = result({});
  EXPECT_DOUBLE_EQ(padded["latency_us"].get<double>(), 2 * (1 + 157.50252));
  EXPECT_EQ(padded["config"]["network"]["per_byte"], "157.5ps");
  EXPECT_FALSE(padded["config"]["network"].contains("last_flit"));
  for (const char* engine : {"run.engine=worm", "run.engine=flit"}) {
    const Json exact = result({"network.last_flit=exact", engine, "message.bytes=1003"});
    EXPECT_DOUBLE_EQ(exact["latency_us"].get<double>(), 2 * (1 + 0.157973)) << engine; // 157972.5 ps
    EXPECT_EQ(exact["config"]["network"]["last_flit"], "exact");
    EXPECT_EQ(exact["prediction_leaves_out"], "rounding up to picoseconds");
  }
  const Json whole = result({"network.last_flit=exact", "message.bytes=1004"});
  EXPECT_EQ(whole["predicted_us"], whole["latency_us"]);
  EXPECT_EQ(whole["predicted_is"], "exact");
}

TEST_F(ExactLengthsOfRuns, SayWhichFlitsHaveWholePicoseconds)
{
  EXPECT_EQ(run({"network.flit_bytes=15"}).err,
            "wormcast: error: --set: network.flit_bytes: found 15, but with per_byte = 157.5ps a flit takes a whole "
            "number of picoseconds only if it has a multiple of 2 bytes; expected flit_bytes such as 16\n");
  EXPECT_THAT(
      run({"network.per_byte=0ps"}).err,
      HasSubstr("network.per_byte: found \"0ps\", expected a time with a unit, such as \"500ns\" or \"157.5ps\", "
                "above 0s up to 2305843s (2^61 ps)"));
  EXPECT_THAT(run({"network.per_byte=0.00000001ps"}).err, HasSubstr("more than 6 decimals of a picosecond"));
  EXPECT_THAT(run({"network.last_flit=short"}).err, HasSubstr("expected one of \"padded\", \"exact\""));
}

TEST_F(ExactLengthsOfRuns, AreNotForCyclesAndLoads)
{
  EXPECT_THAT(run({"network.router=input_queued", "network.last_flit=exact"}).err, HasSubstr("network.last_flit"));
  EXPECT_THAT(run({"network.last_flit=exact", "broadcast.repeat=2"}).err,
              HasSubstr("network.last_flit: loads are counted in whole flits, expected \"padded\""));
}

// A sweep has them as times in microseconds.
TEST_F(ExactLengthsOfRuns, AreSwept)
{
  directory.write("sweep.toml", read_file(directory.path() / "c.toml") +
                                    "\n[sweep]\n\"network.per_byte\" = [\"157.5ps\", \"158ps\"]\n");
  const ProgramRun sweep = run({}, {"sweep", "sweep.toml", "--out", "s"});
  ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_THAT(read_file(directory.path() / "s" / "results.csv"), HasSubstr("157.5ps"));
}

} // namespace
} // namespace wormcast::testing
