// Files in formats of other programs: the project's own examples, and published ones where they are installed.

#include "tests/experiments/program/commands/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

const std::filesystem::path examples = WORMCAST_EXAMPLES;
const std::filesystem::path others = WORMCAST_FORMATS_OF_OTHERS;

std::string config_of(const std::filesystem::path& file, std::string_view topology, std::uint64_t bytes)
{
  return fmt::format("[topology]\n{}\n[network]\nstartup = \"10us\"\nper_byte = \"10ns\"\nper_hop = \"0us\"\n"
                     "buffer_flits = 16\n{}\n[algorithm]\nname = \"schedule\"\nfile = \"{}\"\n[message]\nbytes = {}\n",
                     topology,
                     topology.starts_with("kind = \"torus\"") ? "virtual_channels = 2\nports = \"all\"" : "ports = 1",
                     file.string(), bytes);
}

const std::string line_of_3 = "kind = \"mesh\"\ndims = [3]";

TEST(ImportedFiles, AreProvedOrRefutedWithoutAConfiguration)
{
  const ProgramRun right = run_program({"check", (examples / "ring.xml").string()});
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_THAT(right.out,
              HasSubstr("in place          complete: yes, free of races: yes, reads only what is there: yes, "
                        "counted once: yes\n"));
  const ProgramRun wrong = run_program({"check", (examples / "ring_wrong.xml").string(), "--json", "-"});
  EXPECT_EQ(wrong.exit_code, 3) << wrong.err;
  const Json json = Json::parse(wrong.out);
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["operation"], "all_reduce");
  EXPECT_EQ(json["findings"].dump(), R"([{"kind":"coverage","line":null,"count":3,"text":"rank 0, i[2] ends with )"
                                     R"({(0, 2), (2, 2)}, not with {(0, 2), (1, 2), (2, 2)}"}])");
}

TEST(ImportedFiles, RunOnANetwork)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(examples / "ring.xml", line_of_3, 3072));
  const ProgramRun run = run_program({"run", "c.toml", "--json", "-"}, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["latency_us"], 80.96); // four messages of 1024 bytes one behind the other
  EXPECT_EQ(json["bytes_sent"], 12288);
  EXPECT_EQ(json["config"]["message"]["bytes"], 3072);
  EXPECT_EQ(run_program({"check", "c.toml"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"view", "c.toml", "--out", "page.html"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"run", "c.toml", "--set", "algorithm.nodes=[2, 0, 1]"}, directory.path()).exit_code, 0);
}

TEST(ImportedFiles, ThatAreWrongRunAndSaySo)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(examples / "ring_wrong.xml", line_of_3, 3072));
  const ProgramRun run = run_program({"run", "c.toml"}, directory.path());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr("ring_wrong.xml: check refutes it: coverage: rank 0, i[2] ends with"));
  const ProgramRun check = run_program({"check", "c.toml"}, directory.path());
  EXPECT_EQ(check.exit_code, 3);
  EXPECT_THAT(check.out, HasSubstr("\ncoverage: rank 0, i[2] ends with"));
}

TEST(ImportedFiles, AreRefusedWithOneLine)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(examples / "ring.xml", "kind = \"mesh\"\ndims = [2]", 3072));
  EXPECT_THAT(run_program({"run", "c.toml"}, directory.path()).err,
              HasSubstr("the program has 3 ranks, but the mesh 2 has 2 nodes"));
  EXPECT_THAT(
      run_program({"run", "c.toml", "--set", "topology.dims=[3]", "--unset", "message.bytes"}, directory.path()).err,
      HasSubstr("c.toml: message.bytes: missing, expected a whole number of bytes"));
  directory.write("cut.xml", read_file(examples / "ring.xml").substr(0, 500));
  const ProgramRun cut = run_program({"check", "cut.xml"}, directory.path());
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.xml:6:7: not XML: unclosed token"));
  EXPECT_EQ(run_program({"check", "cut.xml", "--set", "a.b=1"}, directory.path()).exit_code, 2);
  EXPECT_THAT(run_program({"check", (examples / "ring.xml").string(), "--contention-free"}).err,
              HasSubstr("--contention-free: found a file without a network"));
  std::string unmatched = read_file(examples / "ring.xml");
  unmatched.replace(unmatched.find("type=\"s\""), 8, "type=\"nop\"");
  directory.write("unmatched.xml", unmatched);
  EXPECT_EQ(run_program({"check", "unmatched.xml"}, directory.path()).exit_code, 3);
  const ProgramRun run = run_program(
      {"run", "c.toml", "--set", "algorithm.file=unmatched.xml", "--set", "topology.dims=[3]"}, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err,
              HasSubstr("unmatched.xml:23: matching: gpu 1, tb 0, step 7 receives from gpu 0 what is never sent"));
}

struct WrittenSchedule {
  const char* algorithm;
  const char* operation;
  bool same_latency; ///< no message is cut into runs, and no node sends to two others at once
};

class MscclOutput : public ::testing::TestWithParam<WrittenSchedule> {};

TEST_P(MscclOutput, IsProvedAndSendsTheSameBytes)
{
  const TemporaryDirectory directory;
  const auto config = [](const std::string& algorithm) {
    return "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"10us\"\nper_byte = \"10ns\"\nper_hop = "
           "\"0us\"\n[algorithm]\n" +
           algorithm + "[message]\nbytes = 46080\n[run]\nmode = \"self_timed\"\n";
  };
  directory.write(
      "s.toml", config(fmt::format("name = \"{}\"\noperation = \"{}\"\n", GetParam().algorithm, GetParam().operation)));
  directory.write("x.toml", config("name = \"schedule\"\nfile = \"x.xml\"\n"));
  const ProgramRun written =
      run_program({"schedule", "s.toml", "--format", "msccl", "--out", "x.xml"}, directory.path());
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const ProgramRun checked = run_program({"check", "x.xml", "--json", "-"}, directory.path());
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  const Json facts = Json::parse(checked.out);
  EXPECT_EQ(facts["operation"], GetParam().operation);
  EXPECT_EQ(facts["slots_needed"], 1);
  const Json scheduled = Json::parse(run_program({"run", "s.toml", "--json", "-"}, directory.path()).out);
  const Json executed = Json::parse(run_program({"run", "x.toml", "--json", "-"}, directory.path()).out);
  EXPECT_EQ(executed["bytes_sent"], scheduled["bytes_sent"]);
  // And back: a schedule of blocks that does the same.
  ASSERT_EQ(run_program({"schedule", "x.toml", "--out", "back.json"}, directory.path()).exit_code, 0);
  directory.write("back.toml", "[network]\nstartup = \"10us\"\nper_byte = \"10ns\"\n[algorithm]\nname = \"schedule\"\n"
                               "file = \"back.json\"\n");
  const Json back = Json::parse(run_program({"check", "back.toml", "--json", "-"}, directory.path()).out);
  EXPECT_TRUE(back["complete"] && back["possession"] && back.value("counted_once", true));
  const Json messages = Json::parse(read_file(directory.path() / "back.json"));
  EXPECT_EQ(messages["operation"], Json::parse(run_program({"schedule", "s.toml"}, directory.path()).out)["operation"]);
  EXPECT_EQ(messages["messages"].size(), executed["messages"]);
  EXPECT_EQ(Json::parse(run_program({"run", "back.toml", "--json", "-"}, directory.path()).out)["bytes_sent"],
            scheduled["bytes_sent"]);
  if (GetParam().same_latency) {
    EXPECT_EQ(executed["latency_us"], scheduled["latency_us"]);
  } else {
    EXPECT_NE(executed["messages"], scheduled["messages"]);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, MscclOutput,
                         ::testing::Values(WrittenSchedule{"ring", "all_reduce", true},
                                           WrittenSchedule{"ring", "all_gather", true},
                                           WrittenSchedule{"ring", "reduce_scatter", true},
                                           WrittenSchedule{"binomial_tree", "broadcast", true},
                                           WrittenSchedule{"binomial_tree", "reduce", true},
                                           WrittenSchedule{"segmented_chain", "broadcast", true},
                                           WrittenSchedule{"hamiltonian_rings", "all_reduce", true},
                                           WrittenSchedule{"recursion_based", "broadcast", false},
                                           WrittenSchedule{"bucket", "all_reduce", false},
                                           WrittenSchedule{"recursive_halving", "all_to_all", false}),
                         [](const auto& tested) {
                           return fmt::format("{}_{}", tested.param.algorithm, tested.param.operation);
                         });

TEST(MscclOutputOptions, KeepsTheOrderOfSendsWhereItIsToldTo)
{
  const TemporaryDirectory directory;
  directory.write("s.toml", with(small_config, "recursion_based", "pairwise_exchange"));
  const ProgramRun plain = run_program({"schedule", "s.toml", "--format", "msccl"}, directory.path());
  const ProgramRun ordered = run_program({"schedule", "s.toml", "--format", "msccl", "--keep-order"}, directory.path());
  ASSERT_EQ(ordered.exit_code, 0) << ordered.err;
  EXPECT_THAT(plain.out, Not(HasSubstr("hasdep=\"1\"")));
  EXPECT_THAT(ordered.out, HasSubstr("hasdep=\"1\""));
}

/// Every rank sends its input to both others, which receive it into scratch; ranks 0 and 2 send their own to the other
/// one when they have that of rank 1, but not added.
std::string all_reduce_with_parts_apart()
{
  std::string xml = "<algo name=\"apart\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"1\" ngpus=\"3\" "
                    "coll=\"allreduce\" inplace=\"1\" outofplace=\"0\">";
  const auto add_step = [&xml](int s, std::string_view type, std::string_view buffers, int offset, int block,
                               int wait) {
    xml +=
        fmt::format("<step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"1\" "
                    "depid=\"{}\" deps=\"{}\" hasdep=\"1\"/>",
                    s, type, buffers[0], type == "re" ? offset : 0, buffers[1], type == "r" ? offset : 0, block, wait);
  };
  for (int gpu = 0; gpu < 3; ++gpu) {
    const int first = gpu == 0 ? 1 : 0;
    const int second = gpu == 2 ? 1 : 2;
    xml +=
        fmt::format("<gpu id=\"{}\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"2\"><tb id=\"0\" send=\"{}\" recv=\"{}\" "
                    "chan=\"0\">",
                    gpu, first, first);
    add_step(0, gpu == 0 ? "r" : "s", gpu == 0 ? "is" : "ii", 0, gpu == 2 ? 1 : -1, gpu == 2 ? 1 : -1);
    add_step(1, gpu == 0 ? "s" : "r", gpu == 0 ? "ii" : "is", 0, -1, -1);
    xml += fmt::format("</tb><tb id=\"1\" send=\"{}\" recv=\"{}\" chan=\"0\">", second, second);
    add_step(0, "s", "ii", 0, gpu == 0 ? 0 : -1, gpu == 0 ? 0 : -1);
    add_step(1, "r", "is", 1, -1, -1);
    add_step(2, "re", "si", 0, 0, 1);
    add_step(3, "re", "si", 1, -1, -1);
    xml += "</tb></gpu>";
  }
  return xml + "</algo>";
}

TEST(ImportedFiles, BecomeSchedulesOfBlocksWhereTheyAreSome)
{
  const TemporaryDirectory directory;
  const auto error_of = [&](const std::filesystem::path& file, const std::string& nodes) {
    directory.write("c.toml", config_of(file, "kind = \"mesh\"\ndims = [" + nodes + "]", 3072));
    const ProgramRun run = run_program({"schedule", "c.toml"}, directory.path());
    return run.exit_code == 2 ? run.err : "no error";
  };
  EXPECT_THAT(error_of(examples / "ring_wrong.xml", "3"), HasSubstr("the algorithm is refuted, run wormcast check"));
  EXPECT_THAT(error_of(examples / "ring.xml", "4"), HasSubstr("found 3 ranks on 4 nodes, expected as many"));
  const std::string ring = read_file(examples / "ring.xml");
  directory.write("custom.xml", with(ring, "coll=\"allreduce\"", "coll=\"custom\""));
  EXPECT_THAT(error_of("custom.xml", "3"),
              HasSubstr("not a schedule of blocks: nothing is known of collective \"custom\""));
  directory.write("apart.xml", all_reduce_with_parts_apart());
  EXPECT_EQ(run_program({"check", "apart.xml"}, directory.path()).exit_code, 0);
  EXPECT_THAT(error_of("apart.xml", "3"),
              HasSubstr("apart.xml: not a schedule of blocks: a rank keeps several partial results of a chunk apart"));
}

TEST(MscclOutputOptions, RefuseOtherOperations)
{
  const TemporaryDirectory directory;
  directory.write("s.toml", with(small_config, "recursion_based", "dissemination"));
  const ProgramRun run = run_program({"schedule", "s.toml", "--format", "msccl"}, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("found operation \"barrier\", expected one that MSCCL XML has: all_reduce"));
  EXPECT_THAT(run_program({"schedule", "s.toml", "--keep-order"}, directory.path()).err,
              HasSubstr("--keep-order: found format \"json\", expected \"msccl\""));
}

TEST(ImportedFiles, TreesOfForestCollAreProvedAndRun)
{
  const ProgramRun check = run_program({"check", (examples / "trees.xml").string()});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out,
              HasSubstr("format            ForestColl trees\nvalid             yes\noperation         all_gather\n"));
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(examples / "trees.xml", "kind = \"mesh\"\ndims = [2, 2]", 1024));
  const ProgramRun run = run_program({"run", "c.toml", "--json", "-"}, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["messages"], 12);
  EXPECT_EQ(Json::parse(run.out)["latency_us"], 60.72); // each node sends three messages, one after the other
  for (const auto& [operation, times] : {std::pair("reduce_scatter", 1), std::pair("all_reduce", 2)}) {
    const ProgramRun reduced = run_program({"run", "c.toml", "--set", fmt::format("algorithm.operation={}", operation),
                                            "--set", "message.bytes=4096", "--json", "-"},
                                           directory.path());
    ASSERT_EQ(reduced.exit_code, 0) << reduced.err;
    EXPECT_EQ(Json::parse(reduced.out)["bytes_sent"], times * 3 * 4096); // each of four parts is sent three times
  }
  const ProgramRun ring = run_program({"run", "c.toml", "--set", "algorithm.operation=all_reduce", "--set",
                                       "algorithm.file=" + (examples / "ring.xml").string()},
                                      directory.path());
  EXPECT_EQ(ring.exit_code, 2);
  EXPECT_THAT(ring.err, HasSubstr("only trees of ForestColl can do several operations"));
}

TEST(ImportedFiles, SchedulesOfTeCclAreProvedAndRun)
{
  const ProgramRun check = run_program({"check", (examples / "te_ccl.json").string()});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("switches          0: messages take the routes of the topology instead\n"));
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(examples / "te_ccl.json", line_of_3, 1024));
  const ProgramRun run = run_program({"run", "c.toml", "--json", "-"}, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["messages"], 6);
}

TEST(PublishedTeCclFiles, HaveTheFactsThatOthersComputed)
{
  if (!std::filesystem::exists(others / "teccl" / "expected.json")) {
    GTEST_SKIP() << others << " is not there (CMake variable WORMCAST_FORMATS_OF_OTHERS)";
  }
  const Json expected = Json::parse(read_file(others / "teccl" / "expected.json"));
  for (const auto& [name, file] : expected.items()) {
    SCOPED_TRACE(name);
    const ProgramRun run = run_program({"check", (others / "teccl" / name).string(), "--json", "-"});
    EXPECT_EQ(run.exit_code, file["verdict"] == "right" ? 0 : 3) << run.err;
    const Json found = Json::parse(run.out);
    EXPECT_EQ(found["operation"], file["collective"] == "allgather" ? "all_gather" : "all_to_all");
    EXPECT_EQ(found["ids"], file["gpu_ids"]);
    EXPECT_EQ(found["switches"], file["switches"]);
    EXPECT_EQ(found["flows"], file["messages"]);
    EXPECT_EQ(found["epochs"], file["epochs_required"]);
    EXPECT_EQ(found["longest_chain_of_messages"], file["longest_chain_of_messages"]);
    const Json first = file.value("first", Json::array());
    ASSERT_EQ(found["findings"].size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(found["findings"][i]["kind"], first[i]["kind"]);
      EXPECT_EQ(found["findings"][i]["text"], first[i]["text"]);
    }
  }
}

TEST(PublishedForestCollFiles, HaveTheFactsThatOthersComputed)
{
  if (!std::filesystem::exists(others / "forestcoll" / "expected.json")) {
    GTEST_SKIP() << others << " is not there (CMake variable WORMCAST_FORMATS_OF_OTHERS)";
  }
  const Json expected = Json::parse(read_file(others / "forestcoll" / "expected.json"));
  for (const auto& [name, file] : expected.items()) {
    SCOPED_TRACE(name);
    const ProgramRun run = run_program({"check", (others / "forestcoll" / name).string(), "--json", "-"});
    EXPECT_EQ(run.exit_code, file["verdict"] == "right" ? 0 : 3) << run.err;
    const Json found = Json::parse(run.out);
    for (const char* key : {"ranks", "trees", "messages", "chunks_sent", "longest_chain_of_messages"}) {
      EXPECT_EQ(found[key], file[key]) << key;
    }
    EXPECT_EQ(found["switches"].size(), file["switches"]);
    EXPECT_EQ(found["operation"], file["collective"] == "allgather" ? "all_gather" : "broadcasts");
    for (std::size_t rank = 0; rank < found["names"].size(); ++rank) {
      EXPECT_EQ(found["chunks_sent_by_rank"][rank],
                file["chunks_sent_by_rank"][found["names"][rank].get<std::string>()]);
    }
    if (file.contains("first")) {
      ASSERT_EQ(found["findings"].size(), file["first"].size());
      EXPECT_EQ(found["findings"][0]["kind"], file["first"][0]["kind"]);
      EXPECT_EQ(found["findings"][0]["text"], file["first"][0]["text"]);
    }
  }
}

class PublishedMscclFiles : public ::testing::Test {
protected:
  void SetUp() override
  {
    if (!std::filesystem::exists(others / "msccl" / "expected.json")) {
      GTEST_SKIP() << others << " is not there (CMake variable WORMCAST_FORMATS_OF_OTHERS)";
    }
    expected = Json::parse(read_file(others / "msccl" / "expected.json"));
  }

  static bool has_races(const Json& file)
  {
    const Json uses = file.value("modes", Json::object());
    for (const auto& [name, use] : uses.items()) {
      if (use["races"] != 0) {
        return true;
      }
    }
    return false;
  }

  /// The kinds of a list of findings.
  static std::vector<std::string> kinds_of(const Json& findings)
  {
    std::vector<std::string> kinds;
    for (const Json& finding : findings) {
      kinds.push_back(finding["kind"]);
    }
    return kinds;
  }

  static void compare(const Json& file, const Json& found)
  {
    for (const char* key :
         {"ranks", "thread_blocks", "steps", "steps_by_type", "channels", "messages", "messages_by_rank", "chunks_sent",
          "chunks_sent_by_rank", "longest_chain_of_messages", "slots_needed"}) {
      if (file.contains(key)) {
        EXPECT_EQ(found[key], file[key]) << key;
      }
    }
    if (file.contains("kind")) {
      EXPECT_EQ(kinds_of(found["findings"]), std::vector<std::string>{file["kind"]});
      EXPECT_EQ(found["findings"][0]["text"], file["text"]);
    }
    const Json uses = file.value("modes", Json::object());
    for (const auto& [name, use] : uses.items()) {
      const bool in_place = name == "inplace";
      for (const Json& mine : found["uses"]) {
        if (mine["in_place"] == in_place) {
          compare_use(use, mine);
        }
      }
    }
  }

  static void compare_use(const Json& use, const Json& mine)
  {
    EXPECT_EQ(mine["complete"], use["complete"]);
    EXPECT_EQ(mine["counted_once"], use["each_contribution_once"]);
    EXPECT_EQ(mine["possession"], use["nothing_read_before_it_is_there"]);
    EXPECT_EQ(mine["free_of_races"], use["free_of_races"]);
    if (use.contains("root")) {
      EXPECT_EQ(mine["root"], use["root"]);
    }
    EXPECT_EQ(kinds_of(mine["findings"]), kinds_of(use.value("first", Json::array())));
    const Json first = use.value("first", Json::array());
    for (const Json& finding : first) {
      if (finding["kind"] == "coverage" && use["races"] == 0) {
        EXPECT_EQ(mine["findings"].back()["text"], finding["text"]);
      }
    }
  }

  Json expected;
};

TEST_F(PublishedMscclFiles, BecomeSchedulesWithTheSameMessages)
{
  const TemporaryDirectory directory;
  std::size_t converted = 0;
  for (const auto& [name, file] : expected.items()) {
    SCOPED_TRACE(name);
    if (file["verdict"] != "right") {
      continue;
    }
    directory.write("c.toml",
                    config_of(others / "msccl" / name,
                              fmt::format("kind = \"mesh\"\ndims = [{}]", file["ranks"].get<int>()), 1 << 16));
    const ProgramRun run = run_program({"schedule", "c.toml"}, directory.path());
    if (run.exit_code == 0) {
      EXPECT_EQ(Json::parse(run.out)["messages"].size(), file["messages"]);
      ++converted;
    } else {
      EXPECT_THAT(run.err, HasSubstr("not a schedule of blocks: an all_to_all with "));
    }
  }
  EXPECT_GE(converted, 20);
}

TEST_F(PublishedMscclFiles, HaveTheFactsThatOthersComputed)
{
  for (const auto& [name, file] : expected.items()) {
    SCOPED_TRACE(name);
    const ProgramRun run = run_program({"check", (others / "msccl" / name).string(), "--json", "-"});
    if (file["verdict"] == "unreadable") {
      EXPECT_EQ(run.exit_code, 2);
      EXPECT_THAT(run.err, HasSubstr(file["text"].get<std::string>()));
      continue;
    }
    EXPECT_EQ(run.exit_code, file["verdict"] == "wrong" || has_races(file) ? 3 : 0) << run.err;
    compare(file, Json::parse(run.out));
  }
}

TEST_F(PublishedMscclFiles, TakeTheTimesOfTheSameProgramsInGoal)
{
  const Json timing = Json::parse(read_file(others / "msccl" / "timing.json"))["files"];
  const TemporaryDirectory directory;
  for (const auto& [name, times] : timing.items()) {
    const Json& file = expected[name];
    std::uint64_t bytes = 1024 * file["chunks_per_loop"].get<std::uint64_t>();
    if (file["operation"] == "all_gather" || file["operation"] == "all_to_all") {
      bytes /= file["ranks"].get<std::uint64_t>();
    }
    for (const auto& [network, kind] : {std::pair("torus, all ports", "torus"), std::pair("mesh, one port", "mesh")}) {
      SCOPED_TRACE(name + " on " + network);
      directory.write("c.toml", config_of(others / "msccl" / name,
                                          fmt::format("kind = \"{}\"\ndims = {}", kind, times["dims"].dump()), bytes));
      const ProgramRun run = run_program({"run", "c.toml", "--json", "-"}, directory.path());
      ASSERT_EQ(run.exit_code, 0) << run.err;
      const Json result = Json::parse(run.out);
      for (const auto& [key, value] : times[network].items()) {
        EXPECT_EQ(result[key], value) << key;
      }
    }
  }
}

} // namespace
} // namespace wormcast::testing
