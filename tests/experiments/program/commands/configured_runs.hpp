#pragma once

#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace wormcast::testing {

/// Runs of one configuration, c.toml, each with keys set in another way.
class ConfiguredRuns : public ::testing::Test {
protected:
  explicit ConfiguredRuns(const std::string& config) { directory.write("c.toml", config); }

  /// wormcast WORDS --set SET ..., by default `run` with the result on standard output.
  ProgramRun run(const std::vector<std::string>& sets,
                 std::vector<std::string> words = {"run", "c.toml", "--json", "-"})
  {
    for (const std::string& set : sets) {
      words.insert(words.end(), {"--set", set});
    }
    return run_program(words, directory.path());
  }

  nlohmann::ordered_json result(const std::vector<std::string>& sets)
  {
    const ProgramRun ended = run(sets);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return nlohmann::ordered_json::parse(ended.out);
  }

  TemporaryDirectory directory;
};

} // namespace wormcast::testing
