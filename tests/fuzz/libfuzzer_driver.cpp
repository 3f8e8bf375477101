// libFuzzer's entry points. WORMCAST_FUZZ_TARGET in the environment names the target.

#include "tests/fuzz/targets.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace {

const wormcast::fuzz::Target* target = nullptr;

} // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments)
{
  const char* name = std::getenv("WORMCAST_FUZZ_TARGET");
  try {
    target = &wormcast::fuzz::find_target(name == nullptr ? "" : name);
  } catch (const std::exception& error) {
    std::cerr << "WORMCAST_FUZZ_TARGET: " << error.what() << '\n';
    std::exit(2);
  }
  static std::string dictionary =
      "-dict=" WORMCAST_FUZZ_DATA "/dictionaries/" + std::string(target->language) + ".dict";
  static std::vector<char*> extended(*arguments, *arguments + *count);
  extended.push_back(dictionary.data());
  *count = static_cast<int>(extended.size());
  extended.push_back(nullptr);
  *arguments = extended.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const bool is_worth_keeping = run_target(*target, input).verdict != wormcast::fuzz::Verdict::too_large;
  return is_worth_keeping ? 0 : -1;
}
