#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/imported/contribution_sums.hpp"
#include "wormcast/algorithms/imported/msccl_check.hpp"
#include "wormcast/algorithms/imported/msccl_program.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MscclAlgorithm algorithm_of(const std::string& text)
{
  std::istringstream in(text);
  return read_msccl(in, "a.xml");
}

std::string msccl_error(const std::string& text)
{
  return input_error([&] { algorithm_of(text); });
}

std::string step(int number, const std::string& type, const std::string& source, const std::string& destination,
                 const std::string& rest = R"(cnt="1" depid="-1" deps="-1" hasdep="0")")
{
  return "<step s=\"" + std::to_string(number) + "\" type=\"" + type + "\" srcbuf=\"" + source[0] + "\" srcoff=\"" +
         source.substr(1) + "\" dstbuf=\"" + destination[0] + "\" dstoff=\"" + destination.substr(1) + "\" " + rest +
         "/>\n";
}

std::string block(int number, int send, int receive, const std::string& steps)
{
  return "<tb id=\"" + std::to_string(number) + "\" send=\"" + std::to_string(send) + "\" recv=\"" +
         std::to_string(receive) + "\" chan=\"0\">\n" + steps + "</tb>\n";
}

std::string gpu(int number, const std::string& blocks,
                const std::string& chunks = R"(i_chunks="2" o_chunks="2" s_chunks="2")")
{
  return "<gpu id=\"" + std::to_string(number) + "\" " + chunks + ">\n" + blocks + "</gpu>\n";
}

std::string algo(const std::string& collective, const std::string& gpus,
                 const std::string& place = R"(inplace="1" outofplace="0")", const std::string& ranks = "2")
{
  return R"(<algo name="a" proto="Simple" nchannels="1" nchunksperloop="2" ngpus=")" + ranks + "\" coll=\"" +
         collective + "\" " + place + R"( minBytes="0" maxBytes="0">)" + "\n" + gpus + "</algo>\n";
}

/// All-reduce of two ranks: each reduces the chunk of its own number and gets the other one.
std::string exchange(const std::string& second_of_1 = step(1, "rrc", "i1", "i1"))
{
  return algo("allreduce", gpu(0, block(0, 1, 1,
                                        step(0, "s", "i1", "i1") + step(1, "rrc", "i0", "i0") +
                                            step(2, "s", "i0", "i0") + step(3, "r", "i1", "i1"))) +
                               gpu(1, block(0, 0, 0,
                                            step(0, "s", "i0", "i0") + second_of_1 + step(2, "s", "i1", "i1") +
                                                step(3, "r", "i0", "i0"))));
}

/// "race: TEXT" of each finding.
std::vector<std::string> msccl_findings_of(const std::string& text)
{
  std::vector<std::string> all;
  for (const Finding& finding : check_msccl(algorithm_of(text)).findings()) {
    all.push_back(std::string(finding_kind_names.text(finding.kind)) + ": " + finding.text);
  }
  return all;
}

TEST(Msccl, ProvesAnAllReduce)
{
  const MscclReport report = check_msccl(algorithm_of(exchange()));
  EXPECT_TRUE(report.right());
  EXPECT_EQ(report.order.sends.size(), 4U);
  EXPECT_EQ(report.order.longest_chain, 2U);
  EXPECT_EQ(report.order.slots_needed, 1U);
  EXPECT_THAT(report.messages_by_rank, ElementsAre(2, 2));
  ASSERT_EQ(report.uses.size(), 1U);
  EXPECT_TRUE(report.uses.front().in_place);
}

TEST(Msccl, FindsWhatIsMissingAtTheEnd)
{
  EXPECT_THAT(msccl_findings_of(exchange(step(1, "r", "i1", "i1"))),
              ElementsAre("coverage: rank 0, i[1] ends with {(0, 1)}, not with {(0, 1), (1, 1)}"));
}

TEST(Msccl, FindsWhatIsCountedTwice)
{
  const std::string text = exchange(step(1, "rrc", "i1", "i1") + step(2, "re", "i1", "i1"));
  EXPECT_THAT(msccl_error(text), HasSubstr("s=\"2\", expected 3: steps count 0, 1, ..."));
  const std::string twice =
      algo("allreduce", gpu(0, block(0, 1, -1, step(0, "s", "i0", "i0") + step(1, "s", "i0", "i0"))) +
                            gpu(1, block(0, -1, 0, step(0, "rrc", "i0", "i0") + step(1, "rrc", "i0", "i0"))));
  EXPECT_THAT(msccl_findings_of(twice).front(),
              "counting: gpu 1, tb 0, step 1 (rrc) counts the contribution of rank 0 to chunk 0 twice");
}

TEST(Msccl, FindsWhatIsReadBeforeItIsThere)
{
  EXPECT_THAT(msccl_findings_of(algo("allreduce", gpu(0, block(0, 1, -1, step(0, "s", "s0", "i0"))) +
                                                      gpu(1, block(0, -1, 0, step(0, "r", "i0", "i0")))))
                  .front(),
              "possession: gpu 0, tb 0, step 0 (s) reads s[0], which holds nothing");
}

TEST(Msccl, FindsRacesWhereNothingOrdersTwoBlocks)
{
  const std::string waits = R"(cnt="1" depid="0" deps="0" hasdep="0")";
  const std::string flag = R"(cnt="1" depid="-1" deps="-1" hasdep="1")";
  const auto text = [&](const std::string& rest) {
    return algo(
        "custom",
        gpu(0, block(0, 1, -1, step(0, "s", "i0", "i0", flag)) + block(1, -1, 1, step(0, "r", "i0", "i0", rest))) +
            gpu(1, block(0, 0, -1, step(0, "s", "i1", "i1")) + block(1, -1, 0, step(0, "r", "i0", "i0"))));
  };
  EXPECT_THAT(msccl_findings_of(text(waits)), ElementsAre());
  EXPECT_THAT(msccl_findings_of(text(flag)),
              ElementsAre("race: gpu 0, i[0]: nothing orders tb 0, step 0 (s) and tb 1, step 0 (r)"));
}

TEST(Msccl, FindsACyclicWait)
{
  const std::string text =
      algo("custom", gpu(0, block(0, 1, 1, step(0, "r", "i0", "i0") + step(1, "s", "i0", "i0"))) +
                         gpu(1, block(0, 0, 0, step(0, "r", "i0", "i0") + step(1, "s", "i0", "i0"))));
  EXPECT_THAT(msccl_findings_of(text),
              ElementsAre("deadlock: waits for itself: gpu 0, tb 0, step 0 (r) <- gpu 1, tb 0, step 1 (s) <- gpu 1, tb "
                          "0, step 0 (r) <- gpu 0, tb 0, step 1 (s)"));
}

TEST(Msccl, FindsWhatDoesNotMatch)
{
  const std::string one_sided = algo("custom", gpu(0, block(0, 1, -1, step(0, "s", "i0", "i0"))) + gpu(1, ""));
  EXPECT_THAT(msccl_findings_of(one_sided),
              ElementsAre("matching: gpu 0, tb 0, step 0 sends to gpu 1 what is never received"));
  const std::string unsent = algo("custom", gpu(0, block(0, -1, 1, step(0, "r", "i0", "i0"))) + gpu(1, ""));
  EXPECT_THAT(msccl_findings_of(unsent),
              ElementsAre("matching: gpu 0, tb 0, step 0 receives from gpu 1 what is never sent"));
  const std::string sizes =
      algo("custom", gpu(0, block(0, 1, -1, step(0, "s", "i0", "i0", R"(cnt="2" depid="-1" deps="-1" hasdep="0")"))) +
                         gpu(1, block(0, -1, 0, step(0, "r", "i0", "i0"))));
  EXPECT_THAT(msccl_findings_of(sizes),
              ElementsAre("matching: gpu 0, tb 0, step 0 sends 2 chunks to gpu 1, tb 0, step 0, "
                          "which receives 1"));
}

TEST(Msccl, FindsSharedConnectionsBoundsAndWaitsForNothing)
{
  const std::string shared =
      algo("custom", gpu(0, block(0, 1, -1, step(0, "s", "i0", "i0")) + block(1, 1, -1, step(0, "s", "i1", "i0"))) +
                         gpu(1, block(0, -1, 0, step(0, "r", "i0", "i0") + step(1, "r", "i0", "i0"))));
  EXPECT_THAT(msccl_findings_of(shared),
              ElementsAre("connection: gpu 0: thread blocks 0 and 1 both send to gpu 1 on channel 0"));
  const auto alone = [](const std::string& steps) {
    return algo("custom", gpu(0, block(0, -1, -1, steps)) + gpu(1, ""));
  };
  EXPECT_THAT(msccl_findings_of(alone(step(0, "cpy", "i0", "s9"))),
              ElementsAre("bounds: gpu 0, tb 0, step 0: dst s[9..9] of a buffer of 2 chunks"));
  EXPECT_THAT(msccl_findings_of(alone(step(0, "nop", "i-1", "o-1", R"(cnt="0" depid="3" deps="1" hasdep="0")"))),
              ElementsAre("dependency: gpu 0, tb 0, step 0 waits for tb 3, step 1, which does not exist"));
  EXPECT_THAT(msccl_findings_of(alone(step(0, "nop", "i-1", "o-1", R"(cnt="0" depid="0" deps="0" hasdep="0")"))),
              ElementsAre("dependency: gpu 0, tb 0, step 0 waits for tb 0, step 0, which has hasdep=0"));
}

TEST(Msccl, ProvesEachUseOfBuffersThatTheFileClaims)
{
  // In place, the own part of an all_gather is in o from the beginning; out of place somebody has to copy it there.
  const std::string gather = gpu(0, block(0, 1, 1, step(0, "s", "i0", "o0") + step(1, "r", "o1", "o1"))) +
                             gpu(1, block(0, 0, 0, step(0, "s", "i0", "o1") + step(1, "r", "o0", "o0")));
  EXPECT_THAT(msccl_findings_of(algo("allgather", gather)), ElementsAre());
  EXPECT_THAT(msccl_findings_of(algo("allgather", gather, R"(inplace="1" outofplace="1")")),
              ElementsAre("coverage: rank 0, o[0] ends with {}, not with {(0, 0)}"));
}

TEST(Msccl, FindsTheRootThatTheFileDoesNotName)
{
  const std::string broadcast =
      algo("broadcast", gpu(0, block(0, -1, 1, step(0, "r", "i0", "i0") + step(1, "r", "i1", "i1"))) +
                            gpu(1, block(0, 0, -1, step(0, "s", "i0", "i0") + step(1, "s", "i1", "i1"))));
  EXPECT_EQ(check_msccl(algorithm_of(broadcast)).uses.front().root, 1U);
}

TEST(Msccl, SaysWhereAFileIsNotOfTheFormat)
{
  EXPECT_EQ(msccl_error(""), "a.xml:1:1: not XML: no element found");
  EXPECT_EQ(msccl_error("<algo name=\"a\""), "a.xml:1:1: not XML: unclosed token");
  EXPECT_EQ(msccl_error("<!DOCTYPE algo [<!ENTITY a \"b\">]><algo/>"), "a.xml:1:16: document types are not read");
  EXPECT_EQ(msccl_error("<graph/>"), "a.xml:1:1: element 'graph', expected 'algo'");
  EXPECT_EQ(msccl_error("<algo/>"), "a.xml:1:1: no attribute 'name'");
  EXPECT_EQ(msccl_error(algo("allreduce", gpu(0, ""))), "a.xml: gpu 1 is missing: ngpus is 2");
  EXPECT_EQ(msccl_error(algo("allreduce", gpu(0, "") + gpu(0, ""))), "a.xml:4:1: gpu 0 a second time");
  EXPECT_EQ(msccl_error(algo("allreduce", gpu(0, "", ""))), "a.xml:2:1: gpu 0: no attribute 'i_chunks'");
  EXPECT_EQ(msccl_error(algo("allreduce", "", R"(inplace="0" outofplace="0")")),
            "a.xml:1:1: inplace and outofplace are both 0, expected at least one of them to be 1");
  EXPECT_EQ(msccl_error(algo("alltoall", "", "", "3")),
            "a.xml:1:1: nchunksperloop=\"2\", expected a multiple of ngpus (\"3\") for alltoall");
  EXPECT_EQ(msccl_error(algo("allreduce", gpu(0, block(0, 0, -1, "")))),
            "a.xml:3:1: gpu 0, tb 0: send peer 0, expected another rank from 0 to 1, or -1 for none");
  EXPECT_EQ(msccl_error(algo("allreduce", gpu(0, block(0, -1, -1, step(0, "s", "i0", "i0"))))),
            "a.xml:4:1: gpu 0, tb 0, step 0: sends, but the thread block has no send peer");
  EXPECT_EQ(msccl_error(algo("allreduce", gpu(0, block(0, 1, -1, step(0, "snd", "i0", "i0"))))),
            "a.xml:4:1: gpu 0, tb 0, step 0: unknown type 'snd' (s, r, rcs, rrs, rrc, rrcs, re, cpy, nop)");
  EXPECT_EQ(msccl_error(algo("allreduce", gpu(0, block(0, 1, -1, step(0, "s", "x0", "i0"))))),
            "a.xml:4:1: gpu 0, tb 0, step 0: unknown buffer 'x' of srcbuf (i, o, s)");
  EXPECT_EQ(msccl_error(algo("allreduce", gpu(0, block(0, 1, -1, step(0, "s", "i0x", "i0"))))),
            "a.xml:4:1: gpu 0, tb 0, step 0: srcoff=\"0x\" is not a number");
}

TEST(Msccl, RefusesWhatIsTooLargeBeforeItTakesMemory)
{
  EXPECT_THAT(msccl_error(algo("custom", "", "", "99999999")),
              HasSubstr("ngpus=\"99999999\", expected from 1 to 1048576"));
  const std::string large = gpu(0, "", R"(i_chunks="67108864" o_chunks="0" s_chunks="0")") + gpu(1, "");
  EXPECT_THROW(check_msccl(algorithm_of(algo("custom", large))), InputError);
  EXPECT_THAT(msccl_error("<algo name=\"" + std::string(5000, 'x') + "\"/>"),
              HasSubstr("attribute 'name' has 5000 bytes, expected at most 4096"));
}

TEST(Msccl, SendsTheBytesBetweenTheEndsOfChunks)
{
  const MscclAlgorithm algorithm = algorithm_of(exchange());
  const Program program = msccl_program(algorithm, order_msccl(algorithm), 7, "a.xml");
  ASSERT_EQ(program.sends.size(), 4U);
  std::vector<std::uint64_t> bytes;
  for (const std::uint32_t send : program.sends) {
    bytes.push_back(program.actions[send].bytes);
  }
  EXPECT_THAT(bytes, ElementsAre(4, 3, 3, 4)); // chunk 1 has the bytes from 3 to 7
}

TEST(ContributionSums, KeepMultiplicities)
{
  ContributionSums sums(8);
  std::uint32_t low = 0;
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    low = sums.sum(low, sums.single(rank, 2));
  }
  std::uint32_t high = 0;
  for (std::uint32_t rank = 7; rank >= 3; --rank) {
    high = sums.sum(high, sums.single(rank, 2));
  }
  EXPECT_EQ(sums.intervals(low).size(), 1U);
  EXPECT_EQ(sums.common(low, high), 2 * 8 + 3);
  EXPECT_EQ(sums.text(sums.sum(low, high)), "{(0, 2), (1, 2), (2, 2), (3, 2) 2 times, (4, 2), (5, 2), (6, 2), (7, 2)}");
  EXPECT_FALSE(sums.is_complete(sums.sum(low, high), 2));
  EXPECT_EQ(sums.sum(low, high), sums.sum(high, low));
}

} // namespace
} // namespace wormcast
