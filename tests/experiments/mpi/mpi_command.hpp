#pragma once

#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace wormcast::testing {

inline const std::string network_8x8 = R"([topology]
kind = "mesh"
dims = [8, 8]
[network]
startup = "150us"
per_byte = "0.5us"
)";

/// `wormcast mpi` on 8 x 8 nodes, c.toml, and on a list of messages, list.toml.
class Mpi : public ::testing::Test {
protected:
  void SetUp() override
  {
    directory.write("c.toml", network_8x8);
    directory.write("list.toml", "[algorithm]\nname = \"schedule\"\nfile = \"m.json\"\n"
                                 "[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n");
  }

  static std::string example(const std::string& name) { return std::string(WORMCAST_EXAMPLES) + "/" + name; }

  /// wormcast mpi c.toml OPTIONS -- PROGRAM
  ProgramRun mpi(std::vector<std::string> options, const std::vector<std::string>& program) const
  {
    options.insert(options.begin(), {"mpi", "c.toml"});
    options.emplace_back("--");
    options.insert(options.end(), program.begin(), program.end());
    return run_program(options, directory.path());
  }

  nlohmann::json json(const std::string& file) const
  {
    return nlohmann::json::parse(read_file(directory.path() / file));
  }

  TemporaryDirectory directory;
};

} // namespace wormcast::testing
