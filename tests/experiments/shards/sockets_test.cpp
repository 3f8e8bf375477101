#include "tests/experiments/program/commands/shell.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

namespace wormcast::testing {
namespace {

// Processes share work by files. What the program itself calls; SimGrid, a library of its own, is not looked at.
TEST(Program, CallsNothingOfSockets)
{
  const TemporaryDirectory folder;
  const ProgramRun symbols = run_script("nm -D --undefined-only \"$wormcast\"", folder.path());
  if (symbols.exit_code != 0) {
    GTEST_SKIP() << "no nm to read the program with: " << symbols.err;
  }
  std::set<std::string> called;
  std::istringstream lines(symbols.out);
  for (std::string word; lines >> word;) {
    called.insert(word.substr(0, word.find('@')));
  }
  EXPECT_TRUE(called.contains("fork")); // that this finds what is called
  for (const std::string name :
       {"socket", "socketpair", "bind", "listen", "accept", "accept4", "connect", "getaddrinfo", "recv", "recvfrom",
        "recvmsg", "send", "sendto", "sendmsg", "MPI_Init"}) {
    EXPECT_FALSE(called.contains(name)) << name;
  }
}

TEST(Program, IncludesNothingOfSockets)
{
  const std::filesystem::path tree = std::filesystem::path(WORMCAST_CONFIGS).parent_path();
  for (const char* package : {"values", "topologies", "algorithms", "simulator", "experiments"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree / package)) {
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") {
        const std::string source = read_file(entry.path());
        for (const std::string header : {"<sys/socket.h>", "<netdb.h>", "<netinet/in.h>", "<sys/un.h>"}) {
          EXPECT_EQ(source.find("#include " + header), std::string::npos) << entry.path();
        }
      }
    }
  }
}

} // namespace
} // namespace wormcast::testing
