// What the program answers the scripts of shells that complete its command lines.

#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/program/commands/offers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/stat.h>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

std::vector<std::string> offered(const std::vector<std::string>& words)
{
  std::vector<std::string> texts;
  for (const Offer& offer : offers_for(words).texts) {
    texts.push_back(offer.text);
  }
  return texts;
}

bool offers_files(const std::vector<std::string>& words)
{
  return offers_for(words).files;
}

/// What follows --set KEY for a configuration.
std::vector<std::string> settings(const std::filesystem::path& config, const std::string& typed)
{
  return offered({"run", config.string(), "--set", typed});
}

TEST(Completion, OffersCommandsAndOptionsThatBeginAsTheWordDoes)
{
  EXPECT_THAT(offered({""}), AllOf(Contains("run"), Contains("sweep"), Not(Contains("--quiet"))));
  EXPECT_THAT(offered({}), Contains("run"));
  EXPECT_THAT(offered({"--quiet", "sch"}), ElementsAre("schedule"));
  EXPECT_THAT(offered({"--plugin", "a.so", "sch"}), ElementsAre("schedule"));
  EXPECT_THAT(offered({"help", "sch"}), ElementsAre("schedule"));
  EXPECT_THAT(offered({"--he"}), ElementsAre("--help", "--help-all"));
  EXPECT_THAT(offered({"run", "--js"}), ElementsAre("--json"));
  EXPECT_THAT(offered({"run", "--qu"}), ElementsAre("--quiet"));
  EXPECT_THAT(offered({"runs", ""}), IsEmpty());
  EXPECT_THAT(offered({"run", "mesh.toml", ""}), AllOf(Contains("--set"), Contains("--help"))); // no argument is left
  EXPECT_THAT(offered({"mpi", "mesh.toml", "--", "--"}), IsEmpty());
}

TEST(Completion, OffersFilesWhereOneIsExpected)
{
  EXPECT_TRUE(offers_files({"run", "me"}));
  EXPECT_TRUE(offers_files({"run", "--json", "me"}));
  EXPECT_TRUE(offers_files({"run", "--json=me"}));
  EXPECT_TRUE(offers_files({"--plugin", ""}));
  EXPECT_TRUE(offers_files({"run", "mesh.toml", "--set", "algorithm.file="}));
  EXPECT_FALSE(offers_files({"run", "mesh.toml", "--set", "algorithm.source="}));
  EXPECT_FALSE(offers_files({"sweep", "--jobs", ""}));
  EXPECT_FALSE(offers_files({"list", ""}));
  EXPECT_FALSE(offers_files({""}));
}

TEST(Completion, OffersTheValuesOfOptionsAndArguments)
{
  EXPECT_THAT(offered({"schedule", "mesh.toml", "--format", "d"}), ElementsAre("dot"));
  EXPECT_THAT(offered({"schedule", "mesh.toml", "--format=d"}), ElementsAre("--format=dot"));
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(offered({"list", "rep"}), ElementsAre("reproductions"));
  EXPECT_THAT(offered({"compare", "mesh.toml", "--algorithms", "two_t"}), ElementsAre("two_trees"));
  EXPECT_THAT(offered({"compare", "mesh.toml", "--algorithms", "binomial,two_t"}), ElementsAre("binomial,two_trees"));
  EXPECT_THAT(offered({"tcd", "mesh.toml", "--values", "algorithm,g"}), ElementsAre("algorithm,gap"));
  EXPECT_THAT(offered({"mpi", "mesh.toml", "--map", "r"}), ElementsAre("round_robin", "random", "refine"));
  EXPECT_TRUE(offers_files({"mpi", "mesh.toml", "--map", "r"}));
}

TEST(Completion, OffersTheKeysOfTheConfigurationThatTheLineNames)
{
  const TemporaryDirectory directory;
  const auto mesh = directory.write("mesh.toml", small_config);
  EXPECT_THAT(settings(mesh, "network.start"), ElementsAre("network.startup=", "network.startup_latency="));
  EXPECT_THAT(settings(mesh, "topology."),
              UnorderedElementsAre("topology.kind=", "topology.dims=", "topology.concentration=",
                                   "topology.parallel_links=", "topology.dead_nodes=", "topology.dead_links=",
                                   "topology.random_dead_nodes=", "topology.random_dead_links=",
                                   "topology.dead_node_share=", "topology.dead_link_share=", "topology.fault_seed="));
  EXPECT_THAT(settings(mesh, "algorithm."),
              AllOf(Contains("algorithm.reduction="), Not(Contains("algorithm.segments="))));
  EXPECT_THAT(settings(mesh, "network."), Not(Contains("network.speculative=")));
  EXPECT_THAT(settings(mesh, "net.start"), IsEmpty());
  const auto config = mesh.string();
  EXPECT_THAT(
      offered({"run", config, "--set", "topology.kind=hypercube", "--set", "topology."}),
      UnorderedElementsAre("topology.kind=", "topology.dimension=", "topology.parallel_links=", "topology.dead_nodes=",
                           "topology.dead_links=", "topology.random_dead_nodes=", "topology.random_dead_links=",
                           "topology.dead_node_share=", "topology.dead_link_share=", "topology.fault_seed="));
  EXPECT_THAT(offered({"run", config, "--set=network.router=input_queued", "--set", "network.spec"}),
              ElementsAre("network.speculative="));
  EXPECT_THAT(offered({"run", config, "--set", "no.such=1", "--set", "topology."}), // an error elsewhere in the line
              UnorderedElementsAre("topology.kind=", "topology.dims=", "topology.concentration=",
                                   "topology.parallel_links=", "topology.dead_nodes=", "topology.dead_links=",
                                   "topology.random_dead_nodes=", "topology.random_dead_links=",
                                   "topology.dead_node_share=", "topology.dead_link_share=", "topology.fault_seed="));
}

TEST(Completion, OffersTheKeysOfAllThatASweepTakes)
{
  const TemporaryDirectory directory;
  const auto sweep = directory.write("sweep.toml", small_config + "\n[sweep]\nalgorithm.name = [\"recursion_based\", "
                                                                  "\"line_pipeline\"]\n");
  EXPECT_THAT(settings(sweep, "algorithm."), AllOf(Contains("algorithm.reduction="), Contains("algorithm.order=")));
  EXPECT_THAT(offered({"sweep", sweep.string(), "--unset", "s"}), ElementsAre("sweep"));
}

TEST(Completion, OffersTheValuesOfAKey)
{
  const TemporaryDirectory directory;
  const auto mesh = directory.write("mesh.toml", small_config);
  EXPECT_THAT(settings(mesh, "topology.kind=me"), ElementsAre("topology.kind=mesh"));
  EXPECT_THAT(settings(mesh, "algorithm.name=two_t"), ElementsAre("algorithm.name=two_trees"));
  EXPECT_THAT(settings(mesh, "network.duplex="), ElementsAre("network.duplex=full", "network.duplex=half"));
  EXPECT_THAT(settings(mesh, "run.unchecked=t"), ElementsAre("run.unchecked=true"));
  EXPECT_THAT(settings(mesh, "network.ports="), ElementsAre("network.ports=all"));
  EXPECT_THAT(settings(mesh, "network.startup="), IsEmpty());
  EXPECT_THAT(settings(mesh, "no.such="), IsEmpty());
  EXPECT_THAT(settings(mesh, "none="), IsEmpty());
}

TEST(Completion, OffersToTakeOutWhatTheConfigurationHas)
{
  const TemporaryDirectory directory;
  const auto mesh = directory.write("mesh.toml", small_config).string();
  EXPECT_THAT(offered({"run", mesh, "--unset", "net"}), ElementsAre("network", "network.per_byte", "network.startup"));
  EXPECT_THAT(offered({"run", mesh, "--unset", "run"}), IsEmpty());
}

TEST(Completion, OffersAllKeysWithoutAConfigurationThatCanBeRead)
{
  const TemporaryDirectory directory;
  const auto broken = directory.write("broken.toml", "[network");
  const auto strange = directory.write("strange.toml", "[algorithm]\nname = \"of_a_plug_in\"\n");
  const std::filesystem::path pipe = directory.path() / "pipe.toml"; // nobody writes it: reading would never end
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::filesystem::path& file : {broken, strange, pipe, directory.path() / "missing.toml"}) {
    EXPECT_THAT(settings(file, "algorithm."), AllOf(Contains("algorithm.reduction="), Contains("algorithm.order=")));
    EXPECT_THAT(settings(file, "network.duplex="), ElementsAre("network.duplex=full", "network.duplex=half"));
  }
  EXPECT_THAT(offered({"run", broken.string(), "--unset", "network.sta"}),
              ElementsAre("network.startup", "network.startup_latency"));
}

TEST(Completion, ReadsTheWordsOfEachShell)
{
  using Words = std::vector<std::string>;
  ::setenv("HOME", "/home/me", 1);
  EXPECT_THAT(words_of_shell("bash", Words{"run", "--json", "=", "a", "--set", "network.duplex", "="}),
              ElementsAre("run", "--json=a", "--set", "network.duplex="));
  EXPECT_THAT(words_of_shell("bash", Words{"mpi", "--bcast", "wormcast", ":", "b"}),
              ElementsAre("mpi", "--bcast", "wormcast:b"));
  EXPECT_THAT(words_of_shell("zsh", Words{"~/a\\ b", "'c d'e", "\"f'g\"", "="}),
              ElementsAre("/home/me/a b", "c de", "f'g", "="));
  EXPECT_THAT(words_of_shell("fish", Words{"a\\b", ""}), ElementsAre("a\\b", ""));
  EXPECT_THAT(words_of_shell("bash", Words{}), IsEmpty());
}

TEST(Completion, WritesOffersAsEachShellReadsThem)
{
  const Offers offers{.texts = {{"a.b=c:d", "what\nit is"}}, .files = true};
  const std::vector<std::string> words = {"run", "a.b=c"};
  EXPECT_EQ(offers_text("bash", words, offers), "c:d\n:files\n");
  EXPECT_EQ(offers_text("zsh", words, offers), "a.b=c\\:d:what it is\n:files\n");
  EXPECT_EQ(offers_text("fish", words, offers), "a.b=c:d\twhat it is\n:files\n");
  EXPECT_EQ(offers_text("bash", {}, {}), "");
}

TEST(Completion, SaysForEveryOfferWhatItIs)
{
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{""}, {"run", "--"}, {"run", "none.toml", "--set", ""}}) {
    for (const Offer& offer : offers_for(words).texts) {
      EXPECT_NE(offer.explanation, "") << offer.text;
    }
  }
}

TEST(Completion, IsAnsweredByTheProgramWhateverPlugInsTheLineNames)
{
  const ProgramRun run = run_program({"__complete", "fish", "--plugin", "none.so", "run", "--jso"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("--json\t"));
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run_program({"__complete"}).exit_code, 0);
  EXPECT_THAT(run_program({"--help"}).out, Not(::testing::HasSubstr("__complete")));
}

} // namespace
} // namespace wormcast::testing
