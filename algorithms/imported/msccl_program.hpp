#pragma once

#include "wormcast/algorithms/imported/msccl.hpp"
#include "wormcast/algorithms/imported/msccl_order.hpp"
#include "wormcast/algorithms/schedule/program.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace wormcast {

/// The program that an algorithm is for messages of `message_bytes` (as of its operation; of an unknown one the bytes
/// of the whole buffer): a thread block executes one step after the other, a step that receives and sends sends when it
/// has received, and copies and reductions take no time. A message of chunks [a, b) has the bytes between their ends,
/// where chunk c begins at floor(c L / P); from scratch each chunk has ceil(L / P) bytes; none has less than one byte.
/// Message ids are those of `order`. Throws InputError with `name` and line where `order` says that its messages do not
/// match or that a step waits for nothing. Steps that wait for each other in a cycle are never executed.
Program msccl_program(const MscclAlgorithm& algorithm, const MscclOrder& order, std::uint64_t message_bytes,
                      std::string_view name);

/// The same of a file. Throws FileError where it cannot be read.
Program read_msccl_program(const std::filesystem::path& file, std::uint64_t message_bytes);

} // namespace wormcast
