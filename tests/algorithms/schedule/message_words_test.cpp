#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace wormcast {
namespace {

using ::testing::HasSubstr;

std::string list(const std::string& first, const std::string& second)
{
  return R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [2, 2]}, "operation": "none",
             "messages": [{"id": 1, "src": 0, "dst": 1, "bytes": 5)" +
         first + R"(}, {"id": 0, "src": 1, "dst": 2, "bytes": 6)" + second + "}]}";
}

SpokenSchedule read(const std::string& text)
{
  std::istringstream in(text);
  return read_spoken_schedule(in, "list.json");
}

/// Of a list with `header` as its first keys.
std::string error(const std::string& first, const std::string& second, const std::string& header = "")
{
  try {
    read("{" + header + list(first, second).substr(1));
  } catch (const InputError& found) {
    return found.what();
  }
  return "none";
}

const std::string isend =
    R"(, "mpi": {"sender": 3, "receiver": 4, "call": "MPI_Isend", "tag": 7, "communicator": "rows", "region": "a/b"})";
const std::string bcast =
    R"(, "mpi": {"sender": 0, "receiver": 1, "call": "MPI_Bcast", "collective": 2, "tag": -4, "communicator": "rows"})";

TEST(MessageWords, AreReadAndWrittenByMessage)
{
  const SpokenSchedule spoken = read(list(isend, bcast));
  ASSERT_TRUE(spoken.words);
  const ProgramWords& words = *spoken.words;
  EXPECT_EQ(words.text(words.messages[1]), "MPI_Isend from rank 3 to rank 4, tag 7, rows, in a/b");
  EXPECT_EQ(words.text(words.messages[0]), "MPI_Bcast 2 of rows from rank 0 to rank 1");
  std::ostringstream out;
  write_schedule(spoken.schedule, &words, out);
  const SpokenSchedule again = read(out.str());
  ASSERT_TRUE(again.words);
  for (const std::size_t id : {0, 1}) {
    EXPECT_EQ(again.words->text(again.words->messages[id]), words.text(words.messages[id]));
  }
}

// What messages say but for their ranks is written once.
TEST(MessageWords, AreWrittenAsNumbersOfEntries)
{
  const std::string again = R"(, "mpi": {"sender": 1, "receiver": 2, "call": "MPI_Isend", "tag": 7, "communicator": )"
                            R"("rows", "region": "a/b"})";
  const SpokenSchedule spoken = read(list(isend, again));
  std::ostringstream out;
  write_schedule(spoken.schedule, spoken.words.get(), out);
  EXPECT_THAT(out.str(), HasSubstr("\"mpi\": [\n{\"call\": \"MPI_Isend\", \"tag\": 7, \"communicator\": \"rows\", "
                                   "\"region\": \"a/b\"}], \"messages\": [\n"));
  EXPECT_THAT(out.str(), HasSubstr("\"bytes\": 6, \"mpi\": 0}")); // the nodes are the ranks
  EXPECT_THAT(out.str(), HasSubstr("\"bytes\": 5, \"mpi\": [0, 3, 4]}"));
  EXPECT_EQ(read(out.str()).words->messages, spoken.words->messages);
}

TEST(MessageWords, GroupThem)
{
  const SpokenSchedule spoken = read(list(isend, bcast));
  const auto name = [&](std::size_t id, WordGroup group) {
    return spoken.words->group_name(spoken.words->messages[id], group);
  };
  EXPECT_EQ(name(1, WordGroup::call), "MPI_Isend");
  EXPECT_EQ(name(1, WordGroup::collective), "MPI_Isend");
  EXPECT_EQ(name(1, WordGroup::tag), "tag 7");
  EXPECT_EQ(name(1, WordGroup::region), "a/b");
  EXPECT_EQ(name(1, WordGroup::communicator), "rows");
  EXPECT_EQ(name(0, WordGroup::call), "MPI_Bcast");
  EXPECT_EQ(name(0, WordGroup::collective), "MPI_Bcast 2 of rows");
  EXPECT_EQ(name(0, WordGroup::tag), "MPI_Bcast");
  EXPECT_EQ(name(0, WordGroup::region), "no region");
}

TEST(MessageWords, AListWithoutThemHasNone)
{
  EXPECT_FALSE(read(list("", "")).words);
}

TEST(MessageWords, WrongOnesAreRefused)
{
  EXPECT_THAT(error(isend, ""), HasSubstr("message 0: it has no \"mpi\", but messages before it have"));
  EXPECT_THAT(error("", isend), HasSubstr("message 0: it has \"mpi\", but messages before it have not"));
  EXPECT_THAT(error(", \"mpi\": true", isend), HasSubstr("message 1: mpi: found true, expected an object"));
  EXPECT_THAT(error(R"(, "mpi": {"sender": 3, "receiver": 4, "communicator": "c"})", isend),
              HasSubstr("the key \"mpi.tag\" is missing"));
  EXPECT_THAT(error(R"(, "mpi": {"sender": -3, "receiver": 4, "tag": 0, "communicator": "c"})", isend),
              HasSubstr("mpi.sender: found -3"));
  EXPECT_THAT(error(R"(, "mpi": {"sender": 3, "receiver": 4, "tag": 0})", isend), HasSubstr("mpi.communicator"));
  EXPECT_THAT(error(R"(, "mpi": {"sender": 3, "receiver": 4, "tag": 4294967296, "communicator": "c"})", isend),
              HasSubstr("mpi.tag: found 4294967296"));
  EXPECT_THAT(error(R"(, "mpi": {"sendr": 3})", isend), HasSubstr("sendr"));
  const std::string numbered = ", \"mpi\": 0";
  EXPECT_THAT(error(numbered, numbered),
              HasSubstr("message 1: mpi: found 0, but the list \"mpi\" of the schedule has 0 entries"));
  EXPECT_THAT(error(", \"mpi\": [0, 1]", ", \"mpi\": 0"),
              HasSubstr("message 1: mpi: found a list of 2, expected the number of an entry, sender and receiver"));
  EXPECT_THAT(error(", \"mpi\": -1", ", \"mpi\": 0"), HasSubstr("mpi: found -1"));
  EXPECT_THAT(error(numbered, numbered, "\"mpi\": [{\"tag\": 0}], "),
              HasSubstr("entry 0 of \"mpi\": mpi.communicator"));
}

} // namespace
} // namespace wormcast
