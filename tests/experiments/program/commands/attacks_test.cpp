// What whoever starts the program, or writes its inputs, can do to it without meaning well.

#include "tests/experiments/program/commands/shell.hpp"
#include "tests/experiments/sanitizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string repeated(const std::string& text, int count)
{
  std::string all;
  for (int i = 0; i < count; ++i) {
    all += text;
  }
  return all;
}

class Attack : public ::testing::Test {
protected:
  ProgramRun shell(const std::string& script) const { return run_script(script, directory.path()); }

  ProgramRun wormcast(const std::vector<std::string>& arguments) const
  {
    return run_program(arguments, directory.path());
  }

  void write_graph(const std::string& file, const std::string& text) const
  {
    directory.write(file, text);
    directory.write("g.toml", "[topology]\nkind = \"graph\"\nfile = \"" + file + "\"\n");
  }

  TemporaryDirectory directory;
};

void change_database(const std::filesystem::path& file, const std::string& sql)
{
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

/// A run of seconds: 16384 nodes, millions of messages.
constexpr const char* long_config = R"([topology]
kind = "mesh"
dims = [128, 128]
[network]
startup = "150us"
per_byte = "0.5us"
[algorithm]
name = "scatter_collect"
[message]
bytes = "1MiB"
)";

TEST_F(Attack, KeysWithThousandsOfParts)
{
  directory.write("k.toml", repeated("a.", 32000) + "b = 1\n");
  directory.write("h.toml", "x = \"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\" # a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\n[" +
                                repeated("a.", 32000) + "b]\n");
  directory.write("c.toml", small_config);
  EXPECT_EQ(wormcast({"run", "k.toml"}).err, "wormcast: error: k.toml:1: a key of more than 16 parts\n");
  EXPECT_EQ(wormcast({"run", "h.toml"}).err, "wormcast: error: h.toml:2: a key of more than 16 parts\n");
  const ProgramRun set = wormcast({"run", "c.toml", "--set", "run.seed=1\n" + repeated("a.", 32000) + "b=1"});
  EXPECT_EQ(set.exit_code, 2);
  EXPECT_THAT(set.err, HasSubstr("run.seed"));
}

TEST_F(Attack, GraphsNestedBehindCommentsStringsAndAttributes)
{
  for (const char* hidden : {"/*}*/", "\"}\"", "\"\\\"}\"", "//}\n", "\n#}\n"}) {
    write_graph("g.dot", "graph { " + repeated(std::string("subgraph { ") + hidden + " ", 10000) + "a" +
                             repeated(" }", 10000) + " }");
    const ProgramRun run = wormcast({"topology", "g.toml"});
    EXPECT_EQ(run.exit_code, 2) << hidden;
    EXPECT_THAT(run.err, HasSubstr("it is nested 10001 deep, expected at most 500")) << hidden;
  }
  write_graph("g.dot", "graph { a [label=<<b>x</b> <!-- > -->>]; " + repeated("subgraph { ", 10000) + "a" +
                           repeated(" }", 10000) + " }");
  EXPECT_EQ(wormcast({"topology", "g.toml"}).exit_code, 2);
  write_graph("g.graphml", "<graphml>" + repeated("<a b=\"/>\">", 30000) + repeated("</a>", 30000) +
                               "<graph edgedefault=\"undirected\"><node id=\"a\"/></graph></graphml>");
  const ProgramRun run = wormcast({"topology", "g.toml"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("it is nested 30001 deep"));
}

TEST_F(Attack, BracesInLabelsAndAngleBracketsInNamesAreNoNesting)
{
  std::string dot = "graph {";
  std::string nodes;
  std::string edges;
  for (int i = 0; i < 600; ++i) {
    const std::string n = std::to_string(i);
    dot += "n" + n + " [label=\"{" + n + "\"]; n" + n + " -- n" + std::to_string(i + 1) + ";";
    nodes += "<node id=\"a->" + n + "\"/>";
    edges += i == 0 ? "" : "<edge source=\"a->" + std::to_string(i - 1) + "\" target=\"a->" + n + "\"/>";
  }
  write_graph("g.dot", dot + "}");
  EXPECT_THAT(wormcast({"topology", "g.toml"}).out, HasSubstr("nodes             601\n"));
  write_graph("g.graphml", "<graphml><graph edgedefault=\"undirected\">" + nodes + edges + "</graph></graphml>");
  EXPECT_THAT(wormcast({"topology", "g.toml"}).out, HasSubstr("nodes             600\n"));
}

TEST_F(Attack, ProductsOfSubgraphs)
{
  const auto names = [](const std::string& letter) {
    std::string text;
    for (int i = 0; i < 8000; ++i) {
      text += letter + std::to_string(i) + " ";
    }
    return text;
  };
  write_graph("g.dot",
              "digraph { subgraph a {" + names("n") + "} subgraph b {" + names("m") + "} subgraph a -> subgraph b }");
  const ProgramRun run = wormcast({"topology", "g.toml"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("g.dot: its edges between subgraphs are up to 64000000, expected at most 4194304"));
  write_graph("g.dot", "digraph { subgraph x {a b} -> subgraph y {c d} subgraph z {c d} -> subgraph w {a b} }");
  EXPECT_THAT(wormcast({"topology", "g.toml"}).out, HasSubstr("channels          8 ("));
}

TEST_F(Attack, ClosedDescriptorsLoseNothing)
{
  directory.write("c.toml", small_config);
  for (const char* closed : {"<&-", "<&- >&-", "<&- >&- 2>&-", "2>&-", "<&- 2>&-"}) {
    shell("\"$wormcast\" compare c.toml --lengths none --json c.json " + std::string(closed));
    const std::string json = read_file(directory.path() / "c.json");
    EXPECT_THAT(json, AllOf(HasSubstr("\"state\": \"done\""), Not(HasSubstr("died")))) << closed;
    std::filesystem::remove(directory.path() / "c.json");
  }
  EXPECT_EQ(shell("\"$wormcast\" run c.toml >&-").err,
            "wormcast: error: cannot write standard output: Bad file descriptor\n");
}

TEST_F(Attack, IgnoredSignalsStayIgnored)
{
  directory.write("c.toml", small_config + "[sweep]\n\"message.bytes\" = { from = 64, to = 4096, step = 64 }\n");
  const ProgramRun run =
      shell("(trap '' HUP; exec \"$wormcast\" sweep c.toml --out s --jobs 1) & sleep 0.3; kill -HUP $!; wait $!");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "s/results.csv"));
}

TEST_F(Attack, SignalsLeaveNothingBehind)
{
  directory.write("c.toml", long_config);
  for (const char* command :
       {"run c.toml --trace t.jsonl --force", "run c.toml --explain", "schedule c.toml --out s.json --force",
        "view c.toml --out v.html", "check c.toml --json k.json"}) {
    for (const auto& [signal, name] : {std::pair("INT", "Interrupt"), {"TERM", "Terminated"}, {"HUP", "Hangup"}}) {
      // A shell starts what it does not wait for with SIGINT ignored, unless it controls jobs. On a busy machine the
      // program takes its time until it catches signals.
      const ProgramRun run =
          shell("set -m; \"$wormcast\" " + std::string(command) +
                " & until [ $((0x$(sed -n 's/SigCgt:\t//p' /proc/$!/status) & 2)) -ne 0 ]; do sleep 0.05; done; "
                "sleep 0.5; kill -" +
                signal + " $!; wait $!");
      EXPECT_EQ(run.exit_code, 1) << command << ' ' << signal;
      EXPECT_THAT(run.err, HasSubstr(std::string("wormcast: error: interrupted (") + name + ")\n")) << command;
      EXPECT_THAT(run.err, Not(HasSubstr("ker_engine"))) << command;
      EXPECT_THAT(directory.names(), ElementsAre("c.toml")) << command << ' ' << signal;
    }
  }
}

TEST_F(Attack, MoreMemoryThanThereIsIsRefusedWithNumbers)
{
  if (has_address_sanitizer) {
    GTEST_SKIP() << "the sanitizer itself needs more than any limit on the address space";
  }
  directory.write("c.toml", small_config);
  const ProgramRun run = shell("ulimit -v 400000; \"$wormcast\" run c.toml --set topology.dims=[1024,1024] --set "
                               "algorithm.name=recursive_doubling");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, AllOf(HasSubstr("a simulation of 1048575 messages over 6287360 channels and ports would take "
                                       "about 378 MiB of memory, but only "),
                             HasSubstr(" are left")));
  const ProgramRun forced = shell("ulimit -v 400000; \"$wormcast\" run c.toml --set topology.dims=[1024,1024] --set "
                                  "algorithm.name=recursive_doubling --force");
  EXPECT_EQ(forced.exit_code, 1);
  EXPECT_THAT(forced.err, HasSubstr("out of memory"));
  directory.write("one.json", "{\"format\":\"wormcast-schedule/1\",\"topology\":{\"kind\":\"mesh\",\"dims\":[64,64]},"
                              "\"operation\":\"total_exchange\",\"message_bytes\":1,\"messages\":[{\"id\":0,\"step\":0,"
                              "\"src\":0,\"dst\":1,\"blocks\":[[1,2]]}]}");
  EXPECT_THAT(shell("ulimit -v 2000000; \"$wormcast\" check one.json").err,
              HasSubstr("the account of 16777216 blocks at 4096 nodes, a bit for each, would take about 8.0 GiB"));
}

TEST_F(Attack, GigabytesAreWrittenWithForceAlone)
{
  directory.write("c.toml", small_config);
  const ProgramRun run = wormcast({"topology", "c.toml", "--set", "topology.dims=[64,64]", "--format", "simgrid-xml"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err,
              HasSubstr("the topology's file would take about 8.1 GiB; more than 1 GiB is written with --force"));
  EXPECT_EQ(wormcast({"topology", "c.toml", "--format", "simgrid-xml"}).exit_code, 0);
}

TEST_F(Attack, ALimitOnTheSizeOfFilesIsAnOutputError)
{
  directory.write("c.toml", small_config);
  const ProgramRun run = shell("ulimit -f 4; \"$wormcast\" run c.toml --trace t.jsonl");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "wormcast: error: cannot write t.jsonl: File too large\n");
  EXPECT_THAT(directory.names(), ElementsAre("c.toml"));
}

TEST_F(Attack, NamesOfPicturesAreNoCommandsOfGnuplot)
{
  directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"1us\"\nper_byte = "
                            "\"1us\"\n[algorithm]\nname = \"minimum_tcd\"\n[message]\nbytes = 1\n");
  const ProgramRun run = wormcast({"tcd", "c.toml", "--out", "t.txt", "--picture", "p\nsystem('touch pwned')\n#.svg"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(directory.names(), ElementsAre("c.toml", "p\nsystem('touch pwned')\n#.svg", "t.txt"));
}

TEST_F(Attack, LinksUnderForeseeableNamesAreNotFollowed)
{
  directory.write("c.toml", small_config);
  directory.write("victim", "precious");
  shell("for pid in $(seq $$ $(($$ + 50))); do ln -s victim .o.json.$pid.tmp; done; \"$wormcast\" run c.toml --json "
        "o.json; rm -f .o.json.*");
  EXPECT_EQ(read_file(directory.path() / "victim"), "precious");
  EXPECT_FALSE(std::filesystem::is_symlink(directory.path() / "o.json"));
  const std::string longest(255 - 5, 'n');
  EXPECT_EQ(wormcast({"run", "c.toml", "--json", longest + ".json"}).exit_code, 0);
}

TEST_F(Attack, ControlCharactersInNamesStayInTheirPlace)
{
  write_graph("g.graphml", "<graphml><graph edgedefault=\"undirected\"><node id=\"a\xc2\x9b&#x7f;\"/><node id=\"b\"/>"
                           "<edge source=\"a\xc2\x9b&#x7f;\" target=\"b\"/></graph></graphml>");
  EXPECT_THAT(wormcast({"topology", "g.toml", "--format", "graphml"}).out, HasSubstr("a\\xc2\\x9b\\x7f"));
  directory.write("t.jsonl",
                  "{\"format\":\"wormcast-trace/1\",\"topology\":{\"kind\":\"mesh\",\"dims\":[2,2]},\"nodes\":4,"
                  "\"channels\":8,\"messages\":2}\n"
                  "{\"type\":\"contention\",\"kind\":\"step\",\"resource\":\"external\",\"channel\":"
                  "\"\\u001b]0;title\\u0007\",\"channel_id\":0,\"node\":0,\"to_node\":1,\"waiting\":{\"message\":0,"
                  "\"step\":0},\"holding\":{\"message\":1,\"step\":0},\"from_us\":0,\"to_us\":1}\n"
                  "{\"type\":\"end\",\"latency_us\":1,\"undelivered\":0,\"contention\":1,\"occupancy\":0}\n");
  const ProgramRun run = wormcast({"contention", "t.jsonl"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("\\x1b]0;title\\x07"), Not(HasSubstr("\x1b"))));
}

TEST_F(Attack, NamesInDotAreEscaped)
{
  write_graph("g.dot", "graph { \"\\\"x\\\\\" -- b }");
  directory.write("c.toml", "[topology]\nkind = \"graph\"\nfile = \"g.dot\"\n[network]\nstartup = \"1us\"\nper_byte = "
                            "\"1us\"\n[algorithm]\nname = \"bfs_tree\"\n[message]\nbytes = 1\n");
  const ProgramRun run = wormcast({"schedule", "c.toml", "--format", "dot"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("[label=\"\\\"x"));
}

TEST_F(Attack, EmptyAndMalformedOptionValues)
{
  directory.write("c.toml", small_config);
  const ProgramRun empty = wormcast({"run", "c.toml", "--json", ""});
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_THAT(empty.err, HasSubstr("--json: found nothing, expected a value"));
  const ProgramRun words = wormcast({"contention", "c.toml", "--top", "ten"});
  EXPECT_THAT(words.err, HasSubstr("--top: found \"ten\", expected a whole number"));
}

TEST_F(Attack, DamagedRowsAreComputedAgain)
{
  directory.write("c.toml", small_config + "[sweep]\n\"message.bytes\" = [64, 128]\n");
  ASSERT_EQ(wormcast({"sweep", "c.toml", "--out", "s"}).exit_code, 0);
  const std::string csv = read_file(directory.path() / "s/results.csv");
  for (const char* damage : {"result = ''", "result = '[]'", "result = '{}'", "state = 'odd'", "config = '{'",
                             "result = replace(result, '4996', 'null')"}) {
    change_database(directory.path() / "s/results.sqlite", std::string("UPDATE points SET ") + damage);
    const ProgramRun run = wormcast({"sweep", "c.toml", "--out", "s", "--resume"});
    EXPECT_EQ(run.exit_code, 0) << damage << run.err;
    EXPECT_EQ(read_file(directory.path() / "s/results.csv"), csv) << damage;
  }
}

TEST_F(Attack, FilesOfAnEarlierSweepDoNotStay)
{
  directory.write("c.toml", small_config + "[sweep]\n\"message.bytes\" = [64, 65536]\n\"algorithm.name\" = "
                                           "[\"recursion_based\", \"recursive_doubling\"]\n");
  ASSERT_EQ(wormcast({"sweep", "c.toml", "--out", "s"}).exit_code, 0);
  ASSERT_TRUE(std::filesystem::exists(directory.path() / "s/crossings.csv"));
  directory.write("d.toml",
                  small_config + "[sweep]\n\"run.seed\" = [1, 2]\n\"network.startup\" = [\"1us\", \"2us\"]\n");
  ASSERT_EQ(wormcast({"sweep", "d.toml", "--out", "s", "--resume"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "s/crossings.csv"));
}

} // namespace
} // namespace wormcast::testing
