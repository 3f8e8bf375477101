#include "wormcast/experiments/reproduction/bertsekas/cases.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"

#include <fmt/format.h>

namespace wormcast::bertsekas {

namespace {

std::uint64_t power_of_two_modulo(std::uint64_t exponent, std::uint64_t modulus)
{
  std::uint64_t power = 1 % modulus;
  for (std::uint64_t bit = std::uint64_t{1} << 32; bit != 0; bit >>= 1) {
    power = power * power % modulus;
    if ((exponent & bit) != 0) {
      power = power * 2 % modulus;
    }
  }
  return power;
}

// The proof's step: for odd d the smallest m with 2^m = 1 (mod d) is below d.
std::uint64_t order_of_two(std::uint64_t d)
{
  std::uint64_t m = 1;
  for (std::uint64_t power = 2 % d; power != 1; power = power * 2 % d) {
    ++m;
  }
  return m;
}

Evidence indivisible()
{
  constexpr std::uint64_t most = 1'000'000;
  constexpr std::uint64_t one = 1; // of 2^d - 1
  std::uint64_t dividing = 0;
  for (std::uint64_t d = 2; d <= most; ++d) {
    dividing += power_of_two_modulo(d, d) == as_claimed(one) % d;
  }
  constexpr std::uint64_t most_orders = 4001;
  std::uint64_t large_orders = 0;
  for (std::uint64_t d = 3; d <= most_orders; d += 2) {
    large_orders += order_of_two(d) >= d;
  }
  Evidence evidence = all_hold(fmt::format("d = 2..{}, the proof's m for odd d up to {}", most, most_orders),
                               {none(fmt::format("d in 2..{} that divide 2^d - 1", most), dividing),
                                none(fmt::format("odd d in 3..{} with m >= d", most_orders), large_orders)});
  evidence.correction = "d = 1 divides 1, which does no harm: its single step is full";
  return evidence;
}

} // namespace

Check indivisibility_check()
{
  return check_of("indivisibility", {"", ""}, indivisible);
}

} // namespace wormcast::bertsekas
