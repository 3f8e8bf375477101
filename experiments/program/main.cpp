#include "wormcast/experiments/program/command_line.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"

#include <algorithm>
#include <string>
#include <vector>

int main(int argc, char** argv)
{
  return wormcast::run_as_program(std::vector<std::string>(argv + std::min(argc, 1), argv + argc),
                                  wormcast::all_commands);
}
