#include "wormcast/algorithms/imported/msccl_check.hpp"

#include "wormcast/algorithms/imported/msccl_contents.hpp"
#include "wormcast/algorithms/imported/msccl_memory.hpp"
#include "wormcast/algorithms/imported/msccl_races.hpp"

#include <algorithm>

namespace wormcast {

bool MscclReport::right() const
{
  return order.findings.empty() && std::ranges::all_of(uses, [](const MscclUse& use) { return use.findings.empty(); });
}

std::vector<Finding> MscclReport::findings() const
{
  std::vector<Finding> found = order.findings.all();
  for (const MscclUse& use : uses) {
    for (const Finding& finding : use.findings.all()) {
      const auto known = std::ranges::find(found, finding.kind, &Finding::kind);
      if (known == found.end()) {
        found.push_back(finding);
      }
    }
  }
  std::ranges::sort(found, {}, &Finding::kind);
  return found;
}

MscclReport check_msccl(const MscclAlgorithm& algorithm)
{
  MscclReport report;
  report.messages_by_rank.assign(algorithm.gpus.size(), 0);
  report.chunks_by_rank.assign(algorithm.gpus.size(), 0);
  for (const MscclBlock& block : algorithm.blocks) {
    for (std::uint32_t step = block.first; step < block.first + block.count; ++step) {
      if (msccl_sends(algorithm.steps[step].type)) {
        ++report.messages_by_rank[block.gpu];
        report.chunks_by_rank[block.gpu] += algorithm.steps[step].count;
      }
    }
  }
  report.order = order_msccl(algorithm);
  if (!report.order.findings.empty()) {
    return report;
  }
  check_race_limits(algorithm);
  for (const bool in_place : {true, false}) {
    if (!(in_place ? algorithm.in_place : algorithm.out_of_place)) {
      continue;
    }
    MscclUse use;
    use.in_place = in_place;
    const MscclMemory memory(algorithm, in_place);
    find_msccl_races(algorithm, report.order, memory, use.findings);
    execute_msccl(algorithm, report.order, memory, use);
    report.uses.push_back(std::move(use));
  }
  return report;
}

} // namespace wormcast
