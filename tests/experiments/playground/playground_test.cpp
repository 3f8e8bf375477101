// The playground in a browser against the program. `./dev playground test` builds the page and says where it is.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

/// A browser that shows a page until this object ends. It writes what the page writes to its console.
class Browser {
public:
  Browser(const std::string& address, const std::filesystem::path& home)
  {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
      throw std::runtime_error("no pipe for the browser");
    }
    const std::string profile = "--user-data-dir=" + (home / "profile").string();
    const std::array<const char*, 10> words = {"chromium",
                                               "--headless",
                                               "--no-sandbox",
                                               "--disable-gpu",
                                               "--disable-dev-shm-usage",
                                               "--no-first-run",
                                               profile.c_str(),
                                               "--enable-logging=stderr",
                                               address.c_str(),
                                               nullptr};
    child_ = ::fork();
    if (child_ == 0) {
      ::setpgid(0, 0); // with all that it starts
      ::setenv("HOME", home.c_str(), 1);
      ::dup2(ends[1], STDERR_FILENO);
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execvp(words[0], const_cast<char* const*>(words.data()));
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ::fdopen(ends[0], "r");
  }

  ~Browser()
  {
    ::kill(-child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    std::fclose(output_);
  }

  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// What the page says of itself.
  Json state()
  {
    constexpr std::string_view begin = "\"wormcast-playground ";
    std::string seen;
    std::array<char, 1 << 16> line{};
    std::string text;
    while (std::fgets(line.data(), line.size(), output_) != nullptr) {
      text += line.data();
      if (!text.ends_with('\n')) {
        continue;
      }
      if (const std::size_t at = text.find(begin); at != std::string::npos) {
        const std::size_t from = at + begin.size();
        return Json::parse(text.substr(from, text.rfind("\", source:") - from));
      }
      seen += text;
      text.clear();
    }
    throw std::runtime_error("the page said nothing of itself:\n" + seen);
  }

private:
  pid_t child_ = -1;
  std::FILE* output_ = nullptr;
};

class Playground : public ::testing::Test {
protected:
  void SetUp() override
  {
    const char* page = std::getenv("WORMCAST_PLAYGROUND");
    if (page == nullptr) {
      GTEST_SKIP() << "no page: \"./dev playground test\" builds it and sets WORMCAST_PLAYGROUND";
    }
    page_ = page;
  }

  Json state(const std::string& fields) { return Browser("file://" + page_ + "#" + fields, folder_.path()).state(); }

  /// The configuration that the form wrote, run by the program.
  Json native(const Json& shown)
  {
    const std::string name = folder_.write("native.toml", shown["configuration"].get<std::string>()).string();
    const ProgramRun run = run_program({"run", name, "--json", "-"}, folder_.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(run.out);
  }

  void is_same(const std::string& fields, const std::string& title)
  {
    const Json shown = state(fields);
    ASSERT_FALSE(shown.contains("error")) << shown["error"];
    EXPECT_EQ(shown["title"], title);
    EXPECT_EQ(shown["valid"], true);
    EXPECT_GT(shown["latency_us"].get<double>(), 0);
    EXPECT_EQ(shown["latency_us"], native(shown)["latency_us"]);
    EXPECT_EQ(shown["player"]["errors"], Json::array());
    EXPECT_GT(shown["player"]["nodes"], 0);
  }

  std::string page_;
  TemporaryDirectory folder_;
};

TEST_F(Playground, ShowsTheLatencyOfTheProgram)
{
  is_same("topology.kind=mesh&topology.dims=8,8&network.startup=150us&network.per_byte=0.5us&network.per_hop=20ns&"
          "algorithm.name=recursion_based&algorithm.source=0,0&message.bytes=4KiB",
          "mesh 8 x 8, recursion_based");
  is_same("topology.kind=hypercube&topology.dimension=5&network.startup=1.5us&network.per_byte=1ns&network.ports=all&"
          "algorithm.name=total_exchange&message.bytes=100&run.mode=self_timed",
          "hypercube of dimension 5, total_exchange");
  is_same("topology.kind=torus&topology.dims=6x4&network.startup=2us&network.per_byte=3ns&network.per_hop=7ns&"
          "algorithm.name=scatter_collect&message.bytes=1001&run.mode=self_timed&run.seed=7",
          "torus 6 x 4, scatter_collect");
}

TEST_F(Playground, ShowsTheErrorsOfTheProgram)
{
  const std::string fields = "topology.kind=mesh&topology.dims=8,8&network.startup=150&network.per_byte=0.5us&"
                             "algorithm.name=recursion_based&message.bytes=4KiB";
  const Json shown = state(fields);
  ASSERT_TRUE(shown.contains("error"));
  EXPECT_THAT(shown["error"].get<std::string>(),
              HasSubstr("configuration:6:11: network.startup: found 150 without a unit, expected"));
  EXPECT_THAT(state("topology.kind=mesh&topology.dims=8,&network.startup=1us&network.per_byte=1ns&algorithm.name="
                    "recursion_based&message.bytes=4")["error"]
                  .get<std::string>(),
              HasSubstr("topology.dims: found \"8,\""));
}

} // namespace
} // namespace wormcast::testing
