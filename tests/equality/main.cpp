// wormcast_equality [COUNT [SEED]] [--wrong FAULT]: checks random scenarios; exit code 1 where one goes wrong.
// wormcast_equality --write-fingerprints FILE [--reason TEXT]: what the program computes now is right; says what moved.

#include "tests/equality/fingerprints.hpp"
#include "tests/equality/many_scenarios.hpp"
#include "tests/equality/rewritten_fingerprints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <iostream>
#include <optional>
#include <span>
#include <string_view>

namespace wormcast::testing {
namespace {

constexpr int wrong_use = 2;

std::optional<std::uint64_t> number(std::string_view text)
{
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

int explain_use()
{
  std::cerr << fmt::format("usage: wormcast_equality [COUNT [SEED]] [--wrong FAULT]\n"
                           "       wormcast_equality --write-fingerprints FILE [--reason TEXT]\n"
                           "FAULT: {}\n",
                           fmt::join(fault_names(), ", "));
  return wrong_use;
}

int write_current_fingerprints(const char* file, const char* reason)
{
  rewrite_fingerprints(file, fingerprints_now(WORMCAST_CONFIGS), reason, std::cout);
  std::cout << "fingerprints written to " << file << '\n';
  return 0;
}

int run(std::span<const char* const> arguments)
{
  if (!arguments.empty() && std::string_view(arguments[0]) == "--write-fingerprints") {
    const bool has_reason = arguments.size() == 4 && std::string_view(arguments[2]) == "--reason";
    return arguments.size() == 2 || has_reason
               ? write_current_fingerprints(arguments[1], has_reason ? arguments[3] : "")
               : explain_use();
  }
  ManyOptions options{.seed = seed_of_the_day()};
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (std::string_view(arguments[i]) == "--wrong" && i + 1 < arguments.size()) {
      const std::optional<Fault> fault = fault_named(arguments[++i]);
      if (!fault) {
        return explain_use();
      }
      options.fault = *fault;
      continue;
    }
    const std::optional<std::uint64_t> value = number(arguments[i]);
    if (!value || numbers == 2) {
      return explain_use();
    }
    (numbers++ == 0 ? options.count : options.seed) = *value;
  }
  std::cout << fmt::format("{} scenarios from seed {}; again with: ./dev equal {} {}", options.count, options.seed,
                           options.count, options.seed)
            << std::endl;
  return check_scenarios(options, std::cout) == 0 ? 0 : 1;
}

} // namespace
} // namespace wormcast::testing

int main(int count, char** arguments)
{
  try {
    return wormcast::testing::run({arguments + 1, static_cast<std::size_t>(count - 1)});
  } catch (const std::exception& error) {
    std::cerr << "wormcast_equality: " << error.what() << '\n';
    return 1;
  }
}
