#include "wormcast/experiments/process/resources.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace wormcast {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t largest_output = std::uint64_t{1} << 30;

bool outputs_are_limited = false;

/// The number behind `name` in a file of lines "name number".
std::optional<std::uint64_t> number_in(const std::filesystem::path& file, std::string_view name)
{
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(name)) {
      const std::size_t digits = line.find_first_of("0123456789", name.size());
      return digits == std::string::npos ? std::nullopt : std::optional(std::strtoull(&line[digits], nullptr, 10));
    }
  }
  return std::nullopt;
}

/// The number that is all of a file; none for "max" and where there is no such file.
std::optional<std::uint64_t> number_of(const std::filesystem::path& file)
{
  return number_in(file, "");
}

std::uint64_t left(std::uint64_t limit, std::uint64_t taken)
{
  return limit > taken ? limit - taken : 0;
}

std::uint64_t left_by_machine()
{
  const std::optional<std::uint64_t> kibibytes = number_in("/proc/meminfo", "MemAvailable:");
  return kibibytes ? *kibibytes * 1024 : unlimited;
}

/// Of the control group (version 2) of this process and of all above. The cache of files counts as free.
std::uint64_t left_by_cgroups()
{
  std::ifstream in("/proc/self/cgroup");
  std::uint64_t least = unlimited;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("0::/")) {
      continue;
    }
    const std::filesystem::path root = "/sys/fs/cgroup";
    for (std::filesystem::path group = root / line.substr(4); group.native().size() >= root.native().size();
         group = group.parent_path()) {
      const std::optional<std::uint64_t> limit = number_of(group / "memory.max");
      const std::optional<std::uint64_t> taken = number_of(group / "memory.current");
      if (limit && taken) {
        least = std::min(least, left(*limit, left(*taken, number_in(group / "memory.stat", "file ").value_or(0))));
      }
    }
  }
  return least;
}

std::uint64_t left_by_ulimit()
{
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return unlimited;
  }
  const std::uint64_t pages = number_of("/proc/self/statm").value_or(0);
  return left(limit.rlim_cur, pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

} // namespace

void limit_resources()
{
  limit_memory([] { return std::optional(std::min({left_by_machine(), left_by_cgroups(), left_by_ulimit()})); });
  outputs_are_limited = true;
}

void keep_freed_memory()
{
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 1 << 26);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

void claim_output(std::uint64_t bytes, std::string_view what)
{
  if (outputs_are_limited && bytes > largest_output) {
    throw InputError(fmt::format("{} would take about {:.1f} GiB; more than 1 GiB is written with --force", what,
                                 static_cast<double>(bytes) / static_cast<double>(largest_output)));
  }
}

} // namespace wormcast
