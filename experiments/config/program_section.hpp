#pragma once

#include "wormcast/algorithms/imported/chakra.hpp"
#include "wormcast/algorithms/imported/netrace.hpp"
#include "wormcast/values/parameter.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace wormcast {

/// The [program] section of a configuration: how a trace of another program that algorithm.file names is run
/// (docs/formats-of-others.md).
struct ProgramParameters {
  NetraceUse netrace;
  std::optional<std::uint64_t> region = {}; ///< of a trace of netrace; none: the whole
  std::uint64_t flops = 1'000'000'000;      ///< of Chakra's nodes with operations and no duration, a second
  std::string groups = {};                  ///< the file of groups of Chakra; empty: none
  std::map<ChakraCollective, std::string> algorithms = {}; ///< of collectives: a name, or a file in MSCCL XML
};

/// The declarations of the section's keys.
std::span<const Parameter> program_declarations();

/// Whether a key of the section is for netrace; the others are for Chakra.
bool is_for_netrace(std::string_view key);

/// From values read against program_declarations().
ProgramParameters program_parameters(const ParameterValues& values);

} // namespace wormcast
