#include "wormcast/experiments/reproduction/reproduce.hpp"

#include "wormcast/experiments/process/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <new>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// What a process sends back: code 0 and JSON, or code 1 and what went wrong.
TaskReport report_of(const std::function<Json()>& work)
{
  try {
    return {0, work().dump()};
  } catch (const std::bad_alloc&) {
    return {1, "out of memory"};
  } catch (const std::exception& error) {
    return {1, error.what()};
  }
}

std::string error_of(const TaskOutcome& outcome)
{
  if (outcome.signal != 0) {
    return fmt::format("its process was ended by signal {} ({}){}{}", outcome.signal, ::strsignal(outcome.signal),
                       outcome.talk.empty() ? "" : ": ", outcome.talk);
  }
  return outcome.report.text;
}

/// Runs the parts of all claims, and each claim's conclusion when its parts are done.
class ClaimsRun {
public:
  ClaimsRun(std::span<const Claim> claims, const ReproduceOptions& options) : claims_(claims), options_(options)
  {
    outcome_.claims.resize(claims.size());
    parts_.resize(claims.size());
    missing_.resize(claims.size());
    for (std::size_t i = 0; i < claims.size(); ++i) {
      missing_[i] = claims[i].measurement.parts.size();
      parts_[i].resize(missing_[i]);
      progress_.total += missing_[i] + 1;
    }
    for (const bool slow : {true, false}) {
      for (std::size_t i = 0; i < claims.size(); ++i) {
        if (claims[i].slow == slow) {
          enqueue(i);
        }
      }
    }
    progress_.jobs = options.jobs;
  }

  ReproduceOutcome run()
  {
    const auto started = std::chrono::steady_clock::now();
    ProcessPool pool;
    while (!waiting_.empty() || pool.running() > 0) {
      while (!waiting_.empty() && pool.running() < options_.jobs && start_next(pool)) {
      }
      progress_.running = pool.running();
      progress_.elapsed_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
      if (options_.progress) {
        options_.progress(progress_);
      }
      if (const auto ended = pool.wait(std::chrono::milliseconds(250))) {
        record(*ended);
      } else if (InterruptGuard::received() != 0) {
        outcome_.interrupted_by = InterruptGuard::received();
        break;
      }
    }
    return std::move(outcome_);
  }

private:
  static constexpr std::size_t conclusion = ~std::size_t{0};

  struct Task {
    std::size_t claim = 0;
    std::size_t part = conclusion;
  };

  void enqueue(std::size_t claim)
  {
    for (std::size_t part = 0; part < missing_[claim]; ++part) {
      waiting_.push_back({claim, part});
    }
    if (missing_[claim] == 0) {
      waiting_.push_back({claim, conclusion});
    }
  }

  bool start_next(ProcessPool& pool)
  {
    const Task task = waiting_.front();
    const Measurement& measurement = claims_[task.claim].measurement;
    const bool started = pool.start(tasks_.size(), [&] {
      return report_of([&]() -> Json {
        return task.part == conclusion ? evidence_json(measurement.conclude(parts_[task.claim]))
                                       : measurement.parts[task.part]();
      });
    });
    if (started) {
      tasks_.push_back(task);
      waiting_.pop_front();
    }
    return started;
  }

  void record(const TaskOutcome& ended)
  {
    ++progress_.computed;
    progress_.computed_wall_seconds += ended.wall_seconds;
    const Task task = tasks_[ended.task];
    ClaimOutcome& claim = outcome_.claims[task.claim];
    if (ended.signal != 0 || ended.report.code != 0) {
      if (claim.error.empty() || task.part < failed_part_[task.claim]) { // of several the first part's
        claim.error = error_of(ended);
        failed_part_[task.claim] = task.part;
      }
    } else if (task.part == conclusion) {
      claim.evidence = evidence_from_json(Json::parse(ended.report.text));
    } else {
      parts_[task.claim][task.part] = Json::parse(ended.report.text);
    }
    if (task.part != conclusion && --missing_[task.claim] == 0) {
      if (claim.error.empty()) {
        waiting_.push_front({task.claim, conclusion});
      } else {
        ++progress_.computed;
      }
    }
  }

  std::span<const Claim> claims_;
  const ReproduceOptions& options_;
  ReproduceOutcome outcome_;
  SweepProgress progress_;
  std::vector<std::vector<Json>> parts_; ///< by claim: what its parts returned
  std::vector<std::size_t> missing_;     ///< by claim: parts that have not ended
  std::map<std::size_t, std::size_t> failed_part_;
  std::deque<Task> waiting_;
  std::vector<Task> tasks_; ///< by number: those started
};

} // namespace

ReproduceOutcome run_claims(std::span<const Claim> claims, const ReproduceOptions& options)
{
  return ClaimsRun(claims, options).run();
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
