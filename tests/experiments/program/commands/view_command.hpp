#pragma once

#include "tests/experiments/program/commands/page.hpp"
#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace wormcast::testing {

/// A configuration whose messages wait for one another.
inline const std::string contended = WORMCAST_CONFIGS "/mesh_self_timed.toml";

/// A page, and the trace and the deliveries of the same run.
class ViewCommand : public ::testing::Test {
protected:
  void make(const std::string& config, int exit_code = 0, const std::vector<std::string>& overrides = {})
  {
    std::vector<std::string> view = {"view", config, "--out", "view.html"};
    std::vector<std::string> run = {"run", config, "--trace", "t.jsonl", "--deliveries", "d.json"};
    view.insert(view.end(), overrides.begin(), overrides.end());
    run.insert(run.end(), overrides.begin(), overrides.end());
    const ProgramRun viewed = run_program(view, folder.path());
    ASSERT_EQ(viewed.exit_code, exit_code) << viewed.err;
    EXPECT_EQ(viewed.out, "");
    ASSERT_EQ(run_program(run, folder.path()).exit_code, exit_code);
    data = page_data(read_file(folder.path() / "view.html"));
    delivered = nlohmann::ordered_json::parse(read_file(folder.path() / "d.json"))["delivered_us"];
    std::istringstream trace(read_file(folder.path() / "t.jsonl"));
    std::string line;
    std::getline(trace, line);
    header = nlohmann::ordered_json::parse(line);
    while (std::getline(trace, line)) {
      nlohmann::ordered_json record = nlohmann::ordered_json::parse(line);
      records[record["type"].get<std::string>()].push_back(std::move(record));
    }
  }

  TemporaryDirectory folder;
  nlohmann::ordered_json data;
  nlohmann::ordered_json delivered;
  nlohmann::ordered_json header;
  std::map<std::string, std::vector<nlohmann::ordered_json>> records; ///< of the trace, by type
};

} // namespace wormcast::testing
