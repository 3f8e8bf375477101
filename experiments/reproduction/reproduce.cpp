#include "wormcast/experiments/reproduction/reproduce.hpp"

#include "wormcast/experiments/output/version.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// A part of a claim, or its conclusion. The parameters of their tasks have `claim` and `part`, or `claim` and `parts`,
/// a list of what the parts returned.
struct ClaimTask {
  static constexpr std::size_t conclusion = ~std::size_t{0};

  std::size_t claim = 0;
  std::size_t part = conclusion;
};

/// Runs the parts of all claims, and each claim's conclusion when its parts are done.
class ClaimsRun {
public:
  ClaimsRun(std::span<const Claim> claims, const TaskOptions& options) : claims_(claims)
  {
    outcome_.claims.resize(claims.size());
    parts_.resize(claims.size());
    missing_.resize(claims.size());
    for (std::size_t i = 0; i < claims.size(); ++i) {
      missing_[i] = claims[i].measurement.parts.size();
      parts_[i].resize(missing_[i]);
      progress_.counts.total += missing_[i] + 1;
    }
    for (const bool slow : {true, false}) {
      for (std::size_t i = 0; i < claims.size(); ++i) {
        if (claims[i].slow == slow) {
          enqueue(i);
        }
      }
    }
    progress_.show = options.progress;
  }

  ReproduceOutcome run(Workers& workers)
  {
    outcome_.interrupted_by =
        dispatch(waiting_, workers, progress_, [this](const TaskOutcome& ended) { record(ended); });
    outcome_.has_gaps = workers.left_out() > 0;
    return std::move(outcome_);
  }

private:
  static constexpr std::size_t conclusion = ClaimTask::conclusion;

  Task new_part(std::size_t claim, std::size_t part)
  {
    tasks_.push_back({claim, part});
    return {tasks_.size() - 1, {{"claim", claim}, {"part", part}}};
  }

  Task new_conclusion(std::size_t claim)
  {
    tasks_.push_back({claim, conclusion});
    return {tasks_.size() - 1, {{"claim", claim}, {"parts", parts_[claim]}}};
  }

  void enqueue(std::size_t claim)
  {
    for (std::size_t part = 0; part < missing_[claim]; ++part) {
      waiting_.push_back(new_part(claim, part));
    }
    if (missing_[claim] == 0) {
      waiting_.push_back(new_conclusion(claim));
    }
  }

  void record(const TaskOutcome& ended)
  {
    ++progress_.counts.computed;
    const ClaimTask task = tasks_[ended.task];
    ClaimOutcome& claim = outcome_.claims[task.claim];
    if (ended.report.has_died()) {
      if (claim.error.empty() || task.part < failed_part_[task.claim]) { // of several the first part's
        claim.error = ended.report.error;
        failed_part_[task.claim] = task.part;
      }
    } else if (task.part == conclusion) {
      claim.evidence = read_result(ended.report, evidence_from_json);
    } else {
      parts_[task.claim][task.part] = ended.report.result;
    }
    if (task.part != conclusion && --missing_[task.claim] == 0) {
      if (claim.error.empty()) {
        waiting_.push_front(new_conclusion(task.claim));
      } else {
        ++progress_.counts.computed;
      }
    }
  }

  std::span<const Claim> claims_;
  ReproduceOutcome outcome_;
  WatchedProgress progress_;
  std::vector<std::vector<Json>> parts_; ///< by claim: what its parts returned
  std::vector<std::size_t> missing_;     ///< by claim: parts that have not ended
  std::map<std::size_t, std::size_t> failed_part_;
  std::deque<Task> waiting_;
  std::vector<ClaimTask> tasks_; ///< by number
};

/// How parts and conclusions of `claims` are computed, which must outlive it.
TaskWork claims_work(std::span<const Claim> claims)
{
  std::string fingerprint = build_description();
  for (const Claim& claim : claims) {
    fingerprint += "\n" + claim.name;
  }
  // Parts one after the other; a conclusion with the first part of its claim, as it is all that there is of many.
  std::vector<std::size_t> first_units;
  std::size_t units = 0;
  for (const Claim& claim : claims) {
    first_units.push_back(units);
    units += std::max<std::size_t>(1, claim.measurement.parts.size());
  }
  const auto unit = [first_units](const Json& parameters) {
    return first_units.at(parameters.at("claim").get<std::size_t>()) + parameters.value("part", std::size_t{0});
  };
  return {std::move(fingerprint),
          [claims](const Json& parameters) -> TaskReport {
            const Measurement& measurement = claims[parameters.at("claim").get<std::size_t>()].measurement;
            if (parameters.contains("part")) {
              return {.state = TaskReport::done,
                      .result = measurement.parts.at(parameters["part"].get<std::size_t>())()};
            }
            const auto parts = parameters.at("parts").get<std::vector<Json>>();
            return {.state = TaskReport::done, .result = evidence_json(measurement.conclude(parts))};
          },
          unit};
}

} // namespace

ReproduceOutcome run_claims(std::span<const Claim> claims, const TaskOptions& options)
{
  for (const Claim& claim : claims) {
    if (claim.measurement.prepare) {
      claim.measurement.prepare();
    }
  }
  const TaskWork work = claims_work(claims);
  StudyWorkers workers(work, options);
  return ClaimsRun(claims, options).run(*workers);
}

std::size_t differing_claims(std::span<const Claim> claims, std::span<const ClaimOutcome> outcomes)
{
  std::size_t differing = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    differing += outcomes[i].agrees(claims[i]) ? 0 : 1;
  }
  return differing;
}

} // namespace wormcast
