#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/imported/te_ccl.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TecclSchedule te_ccl_of(const std::string& text)
{
  std::istringstream in(text);
  return read_te_ccl(in, "s.json");
}

std::string te_ccl_error(const std::string& text)
{
  return input_error([&] { te_ccl_of(text); });
}

std::string flows(const std::string& texts, const std::string& rest = "")
{
  return "{\"1-Epoch_Duration\": 1e-06, \"3-Epochs_Required\": 3, \"7-Flows\": [" + texts + "]" + rest + "}";
}

const std::string gather_flows = R"("Chunk 0 from 5 traveled over 5->9 in epoch 0 via switches 0 -> 1",
"Chunk 0 from 9 traveled over 9->5 in epoch 0", "Chunk 0 from 12 traveled over 12->9 in epoch 0",
"Chunk 0 from 5 traveled over 9->12 in epoch 1", "Chunk 0 from 9 traveled over 9->12 in epoch 2")";
const std::string last_flow = R"(, "Chunk 0 from 12 traveled over 9->5 in epoch 1")";

std::vector<std::string> te_ccl_findings_of(const TecclSchedule& schedule)
{
  std::vector<std::string> all;
  for (const Finding& finding : schedule.findings.all()) {
    all.push_back(std::string(finding_kind_names.text(finding.kind)) + ": " + finding.text);
  }
  return all;
}

TEST(TeCcl, ProvesAnAllGather)
{
  const TecclSchedule schedule = te_ccl_of(flows(gather_flows + last_flow));
  EXPECT_THAT(schedule.ids, ElementsAre(5, 9, 12));
  EXPECT_THAT(schedule.switches, ElementsAre(0, 1));
  EXPECT_THAT(te_ccl_findings_of(schedule), ElementsAre());
  EXPECT_EQ(schedule.longest_chain, 2U);
  const Program program = te_ccl_program(schedule, 64, "s.json");
  EXPECT_EQ(program.ranks, 3U);
  EXPECT_EQ(program.sends.size(), 6U);
  EXPECT_EQ(program.dependencies.size(), 2U);
}

TEST(TeCcl, FindsWhatIsMissingAndWhatIsSentTooEarly)
{
  EXPECT_THAT(te_ccl_findings_of(te_ccl_of(flows(gather_flows))),
              ElementsAre("coverage: GPU 5 never gets chunk 0 of 12"));
  const TecclSchedule early = te_ccl_of(flows(gather_flows + R"(, "Chunk 0 from 12 traveled over 9->5 in epoch 0")"));
  EXPECT_THAT(te_ccl_findings_of(early),
              ElementsAre("possession: GPU 9 sends chunk 0 of 12 to 5 in epoch 0, which it got in the "
                          "same epoch or later",
                          "coverage: GPU 5 never gets chunk 0 of 12"));
  EXPECT_THROW(te_ccl_program(early, 64, "s.json"), InputError);
}

TEST(TeCcl, CutsTheBlocksOfAnAllToAllByVolumes)
{
  const auto text = [](const std::string& volume) {
    return flows(R"("Chunk 1 from 0 traveled over 0->1 with volume 1.0 in epoch 0")",
                 R"(, "8-chunk paths": {"Demand at 1 for chunk 1 from 0 met by epoch 1":
[[[0, "0->1 with volume 0.75 in epoch 0"]], [[1, "0->1 with volume )" +
                     volume + R"( in epoch 1"]]],
"Demand at 0 for chunk 0 from 1 met by epoch 1": [[[0, "1->0 with volume 1.0 in epoch 0"]]]})");
  };
  const TecclSchedule schedule = te_ccl_of(text("0.25"));
  EXPECT_THAT(te_ccl_findings_of(schedule), ElementsAre());
  const Program program = te_ccl_program(schedule, 10, "s.json");
  std::vector<std::uint64_t> bytes;
  for (const std::uint32_t send : program.sends) {
    bytes.push_back(program.actions[send].bytes);
  }
  EXPECT_THAT(bytes, testing::UnorderedElementsAre(7, 3, 10));
  EXPECT_THAT(te_ccl_findings_of(te_ccl_of(text("0.1"))),
              ElementsAre("coverage: chunk 1 from 0 to 1: 0.85 of it arrives"));
}

TEST(TeCcl, SaysWhatIsNotOfTheFormat)
{
  EXPECT_THAT(te_ccl_error("{\"1-Epoch_Duration\": 1"), HasSubstr("s.json:1:"));
  EXPECT_EQ(te_ccl_error("{\"1-Epoch_Duration\": 1}"), "s.json: no key 'N-Epochs_Required'");
  EXPECT_EQ(te_ccl_error(flows("\"Chunk 0 from 13 went over 13->8 in epoch 0\"")),
            "s.json: flows[0]: 'Chunk 0 from 13 went over 13->8 in epoch 0' is no flow");
  EXPECT_EQ(te_ccl_error(flows("1")), "s.json: flows[0]: 'what is no text' is no flow");
  EXPECT_EQ(te_ccl_error(flows("\"Chunk 0 from 1 traveled over 1->2 with volume 1.0 in epoch 0\"")),
            "s.json: no key 'N-Chunk paths'");
}

} // namespace
} // namespace wormcast
