#pragma once

#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace wormcast::testing {

/// What `compare --json` with these arguments writes.
inline nlohmann::ordered_json compare_json(const std::vector<std::string>& arguments,
                                           const std::filesystem::path& directory)
{
  std::vector<std::string> words = {"compare"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"--json", "-"});
  const ProgramRun run = run_program(words, directory);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::ordered_json::parse(run.out);
}

/// Comparisons of a configuration that the test gives.
class SmallComparison : public ::testing::Test {
protected:
  ProgramRun compare(const std::string& text, std::vector<std::string> options = {}) const
  {
    directory.write("c.toml", text);
    options.insert(options.begin(), {"compare", "c.toml"});
    return run_program(options, directory.path());
  }

  nlohmann::ordered_json json(const std::string& text, const std::vector<std::string>& options = {}) const
  {
    directory.write("c.toml", text);
    std::vector<std::string> words = {"c.toml"};
    words.insert(words.end(), options.begin(), options.end());
    return compare_json(words, directory.path());
  }

  TemporaryDirectory directory;
};

} // namespace wormcast::testing
