#include "wormcast/experiments/process/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace wormcast {

double seconds_left(const TaskProgress& progress)
{
  if (progress.computed == 0) {
    return -1;
  }
  const std::size_t left = progress.total - progress.kept - progress.computed;
  const std::size_t side_by_side = std::max<std::size_t>(1, std::min(progress.jobs, left));
  return progress.computed_wall_seconds / static_cast<double>(progress.computed) * static_cast<double>(left) /
         static_cast<double>(side_by_side);
}

std::string format_clock(double seconds)
{
  const long long whole = std::llround(seconds);
  if (whole < 3600) {
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
  }
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string progress_line(const TaskProgress& progress)
{
  std::string line =
      fmt::format("{}/{} {}, {}{} elapsed", progress.kept + progress.computed, progress.total, progress.unit,
                  progress.running > 0 ? fmt::format("{} running, ", progress.running) : "",
                  format_clock(progress.elapsed_seconds));
  const double left = seconds_left(progress);
  if (left >= 0) {
    line += fmt::format(", about {} left", format_clock(left));
  }
  return line;
}

ProgressLine::ProgressLine(bool wanted) : active_(wanted && ::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine()
{
  clear();
}

void ProgressLine::show(const TaskProgress& progress)
{
  const auto now = std::chrono::steady_clock::now();
  if (!active_ || (shown_ && now - last_ < std::chrono::milliseconds(200))) {
    return;
  }
  last_ = now;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s", progress_line(progress).c_str());
  std::fflush(stderr);
}

WorkProgress ProgressLine::of_work(std::string_view unit)
{
  if (!active_) {
    return {};
  }
  return [this, unit, started = std::chrono::steady_clock::now()](std::uint64_t done, std::uint64_t total) {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    show(
        {.total = total, .computed = done, .elapsed_seconds = elapsed, .computed_wall_seconds = elapsed, .unit = unit});
  };
}

void ProgressLine::clear()
{
  if (!shown_) {
    return;
  }
  shown_ = false;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

} // namespace wormcast
