#include "wormcast/values/memory.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>

#include <utility>

namespace wormcast {

namespace {

constexpr std::uint64_t granted_unasked = std::uint64_t{1} << 26;

AvailableMemory& available_memory()
{
  static AvailableMemory available;
  return available;
}

/// "1.5 GiB"
std::string rounded_bytes(std::uint64_t bytes)
{
  constexpr double gibibyte = 1U << 30;
  const double amount = static_cast<double>(bytes);
  return amount < gibibyte ? fmt::format("{:.0f} MiB", amount / (1U << 20))
                           : fmt::format("{:.1f} GiB", amount / gibibyte);
}

} // namespace

void limit_memory(AvailableMemory available)
{
  available_memory() = std::move(available);
}

void reserve_memory(std::uint64_t bytes, std::string_view what)
{
  if (bytes <= granted_unasked || !available_memory()) {
    return;
  }
  const std::optional<std::uint64_t> available = available_memory()();
  if (available && bytes > *available) {
    throw InputError(fmt::format("{} would take about {} of memory, but only {} are left", what, rounded_bytes(bytes),
                                 rounded_bytes(*available)));
  }
}

} // namespace wormcast
