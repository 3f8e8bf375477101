#include "tests/fuzz/simulation.hpp"
#include "tests/fuzz/targets.hpp"
#include "wormcast/algorithms/imported/msccl_check.hpp"
#include "wormcast/algorithms/imported/msccl_program.hpp"

#include <numeric>
#include <sstream>
#include <utility>

namespace wormcast::fuzz {

namespace {

constexpr std::uint64_t most_checked_chunks = 1 << 16;

/// Whether proof and simulation are done within milliseconds.
bool is_small_program(const MscclAlgorithm& algorithm)
{
  std::uint64_t chunks = std::uint64_t{algorithm.chunks} * algorithm.gpus.size();
  for (const MscclGpu& gpu : algorithm.gpus) {
    chunks += std::accumulate(gpu.chunks.begin(), gpu.chunks.end(), std::uint64_t{0});
  }
  return chunks <= most_checked_chunks && algorithm.gpus.size() <= 64 && algorithm.steps.size() <= 1000;
}

} // namespace

bool run_msccl(std::string_view input)
{
  std::istringstream in{std::string(input)};
  const MscclAlgorithm algorithm = read_msccl(in, "algorithm.xml");
  if (!is_small_program(algorithm)) {
    return false;
  }
  const MscclReport report = check_msccl(algorithm);
  require(report.right() == report.findings().empty(), "a verdict has its findings");
  Program program = msccl_program(algorithm, report.order, 1000, "algorithm.xml");
  require(program.sends.size() == report.order.sends.size(), "every message is sent");
  check_and_simulate_on_line(std::move(program));
  return true;
}

} // namespace wormcast::fuzz
