#pragma once

// Clang says by a feature what GCC says by a macro.
#if defined(__SANITIZE_ADDRESS__)
#define WORMCAST_ADDRESS_SANITIZER true
#elif defined(__has_feature)
#define WORMCAST_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define WORMCAST_ADDRESS_SANITIZER false
#endif

namespace wormcast::testing {

/// Whether tests and program are built with AddressSanitizer.
inline constexpr bool has_address_sanitizer = WORMCAST_ADDRESS_SANITIZER;

/// Why tests that compare what processes with SimGrid's actors print are skipped.
inline constexpr const char* stacks_unknown_to_the_sanitizer =
    "the sanitizer says with a process id that it does not know the stacks of SimGrid's actors";

} // namespace wormcast::testing
