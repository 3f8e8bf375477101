#include "wormcast/experiments/cluster/assignments.hpp"

#include <utility>

namespace wormcast {

void Assignments::join(WorkerId worker, std::size_t places)
{
  workers_[worker].places = places;
  free_.insert(free_.end(), places, worker);
  capacity_ += places;
}

Assignments::Assignment Assignments::give(Running running)
{
  const WorkerId worker = free_.front();
  free_.pop_front();
  const std::size_t number = running.task.number;
  const Running& given = workers_.at(worker).tasks[number] = std::move(running);
  return {worker, &given.task};
}

std::optional<Assignments::Assignment> Assignments::assign(const Task& task)
{
  return free_.empty() ? std::nullopt : std::optional(give({task, 0}));
}

std::optional<Assignments::Assignment> Assignments::assign_again()
{
  if (free_.empty() || left_behind_.empty()) {
    return std::nullopt;
  }
  Running running = std::move(left_behind_.front());
  left_behind_.pop_front();
  return give(std::move(running));
}

bool Assignments::finish(WorkerId worker, std::size_t task)
{
  const auto found = workers_.find(worker);
  if (found == workers_.end() || found->second.tasks.erase(task) == 0) {
    return false;
  }
  free_.push_back(worker);
  return true;
}

std::vector<std::size_t> Assignments::lose(WorkerId worker)
{
  std::vector<std::size_t> given_up;
  const auto found = workers_.find(worker);
  if (found == workers_.end()) {
    return given_up;
  }
  Worker lost = std::move(found->second);
  workers_.erase(found);
  capacity_ -= lost.places;
  std::erase(free_, worker);
  for (auto& [number, running] : lost.tasks) {
    if (++running.losses == most_losses) {
      given_up.push_back(number);
    } else {
      left_behind_.push_back(std::move(running));
    }
  }
  return given_up;
}

} // namespace wormcast
