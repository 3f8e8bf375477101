#include "wormcast/values/work_watch.hpp"

#include <utility>

namespace wormcast {

namespace {

WorkWatch*& watch_of_thread()
{
  thread_local WorkWatch* watch = nullptr;
  return watch;
}

} // namespace

WorkWatch::WorkWatch(std::function<void()> look) : look_(std::move(look)), outer_(watch_of_thread())
{
  watch_of_thread() = this;
}

WorkWatch::~WorkWatch()
{
  watch_of_thread() = outer_;
}

void WorkWatch::look()
{
  if (const WorkWatch* watch = watch_of_thread()) {
    watch->look_();
  }
}

void WorkSteps::start_again()
{
  left_ = steps_between;
  WorkWatch::look();
}

} // namespace wormcast
