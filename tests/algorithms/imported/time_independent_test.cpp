#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/imported/time_independent.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

TimeIndependentTrace trace_of(const std::string& text)
{
  std::istringstream in(text);
  return read_time_independent(in, "t.ti");
}

std::string trace_error(const std::string& text)
{
  return input_error([&] { trace_of(text); });
}

std::vector<std::string> trace_findings(const std::string& text)
{
  std::vector<std::string> all;
  for (const Finding& finding : trace_of(text).findings.all()) {
    all.push_back(std::string(finding_kind_names.text(finding.kind)) + ": " + finding.text);
  }
  return all;
}

TEST(TimeIndependentTraces, CountBytesByTheTypesOfSmpi)
{
  // MPI_BYTE after "init", MPI_DOUBLE after "init X", 2 is MPI_CHAR, 4 MPI_LONG
  const TimeIndependentTrace trace =
      trace_of("0 init\n1 init x\n0 send 1 0 10\n1 recv 0 0 10\n1 isend 0 1 3\n0 irecv 1 1 3\n"
               "0 sendRecv 5 1 7 1 4 2\n1 sendRecv 7 0 5 0 2 4\n0 compute 1e3\n0 compute 5\n1 sleep 1\n");
  EXPECT_EQ(trace.ranks, 2U);
  EXPECT_EQ(trace.lines, 11U);
  EXPECT_EQ(trace.messages, 4U);
  EXPECT_THAT(trace.bytes_by_rank, ElementsAre(10 + 40, 24 + 7));
  EXPECT_THAT(trace.flops_by_rank, ElementsAre(1005, 0));
  EXPECT_TRUE(trace.findings.empty());
}

TEST(TimeIndependentTraces, AreRefutedByMessagesThatDoNotMatch)
{
  EXPECT_THAT(trace_findings("0 init\n1 init\n0 send 1 3 1\n"),
              ElementsAre("matching: from 0 to 1 with tag 3: 1 send, 0 receives"));
  EXPECT_THAT(trace_findings("0 init\n1 init\n0 send 1 3 1\n1 recv 0 4 1\n").size(), 1U);
  EXPECT_THAT(trace_findings("0 init\n1 init\n0 send 1 3 1\n1 recv -555 -444 1\n"), ElementsAre());
  EXPECT_THAT(trace_findings("0 init\n1 init\n0 send 1 3 1\n0 send 1 3 1\n1 recv -555 3 1\n"),
              ElementsAre("matching: to 1: 2 sends, 1 receive, 1 of which with any sender or tag"));
}

TEST(TimeIndependentTraces, AreRefutedByCollectivesThatDiffer)
{
  EXPECT_THAT(trace_findings("0 init\n1 init\n0 allreduce 1 0\n1 allgather 1 1\n"),
              ElementsAre("matching: collective 0: rank 0 does allreduce, rank 1 allgather"));
  EXPECT_THAT(trace_findings("0 init\n1 init\n1 barrier\n"),
              ElementsAre("matching: collective 0: rank 1 does barrier, rank 0 none any more"));
  EXPECT_THAT(trace_findings("0 init\n1 init\n0 bcast 8\n1 bcast 8 1\n"),
              ElementsAre("matching: collective 0: rank 0 does bcast with root 0, rank 1 bcast with root 1"));
  EXPECT_THAT(trace_findings("0 init\n1 init\n0 bcast 8\n1 bcast 8 0 6\n"), ElementsAre());
}

TEST(TimeIndependentTraces, SayWhatIsNotOfTheFormat)
{
  EXPECT_THAT(trace_error("0 init\n0 alltoallx 1\n"), StartsWith("t.ti:2: unknown action 'alltoallx' (init, "));
  EXPECT_EQ(trace_error("0 init\n# a comment\n\n0 send 1 0\n"), "t.ti:4: send needs 3 values");
  EXPECT_EQ(trace_error("0 init\n2 init\n"), "t.ti: ranks are [0, 2], not 0 to 1");
  EXPECT_EQ(trace_error("zero init\n"), "t.ti:1: found 'zero', expected a rank below 1048576");
  EXPECT_EQ(trace_error("0\n"), "t.ti:1: a rank without an action");
  EXPECT_EQ(trace_error(""), "t.ti: no line of a rank");
  EXPECT_EQ(trace_error("0 compute -1\n"), "t.ti:1: compute: value 1 is '-1', expected a number that is not negative");
  EXPECT_EQ(trace_error("0 send 1 x 8\n"), "t.ti:1: send: value 2 is 'x', expected a whole number");
  EXPECT_EQ(trace_error("0 send -1 0 8\n"), "t.ti:1: send: value 1 is '-1', expected a rank");
  EXPECT_EQ(trace_error("0 send 1 0 8 77\n"),
            "t.ti:1: send: value 4 is '77', expected the id of a datatype of SMPI, 0 to 37");
  EXPECT_EQ(trace_error("0 send 5 0 8\n"), "t.ti:1: send names rank 5, but the trace has ranks 0 to 0");
  EXPECT_EQ(trace_error("0 gatherv 1 1\n1 gatherv 1 1 1\n"), "t.ti:1: gatherv of 2 ranks needs 3 values");
  EXPECT_EQ(trace_error("0 send 0 0 1e18 4\n"), "t.ti:1: send: a message of more than 2^62 bytes");
}

} // namespace
} // namespace wormcast
