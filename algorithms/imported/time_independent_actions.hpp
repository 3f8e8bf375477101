#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// An action and the values behind its name.
struct TraceAction {
  enum class Kind : std::uint8_t { local, compute, start, send, receive, exchange, named, collective };

  std::string_view name;
  Kind kind = Kind::local;
  std::uint8_t values = 0;        ///< that it needs
  std::uint8_t values_a_rank = 0; ///< that it needs besides, for each rank
  std::uint8_t root = 0;          ///< collective: the place of its root among the values, from 1; 0: it has none
};

/// All actions that SMPI replays (src/smpi/internals/smpi_replay.cpp).
std::span<const TraceAction> trace_actions();

/// "init, finalize, ..."
std::string action_names();

/// The bytes of SMPI's datatypes by their ids, DOUBLE to 2LONG (src/smpi/mpi/smpi_datatype.cpp).
std::span<const std::uint8_t> bytes_of_types();

/// The ids of two of them: of what a trace has whose `init` has no value, and of what it has with one.
inline constexpr std::size_t byte_type = 6;
inline constexpr std::size_t double_type = 0;

inline constexpr std::int64_t any_source = -555; ///< MPI_ANY_SOURCE of SMPI
inline constexpr std::int64_t any_tag = -444;    ///< MPI_ANY_TAG of SMPI

} // namespace wormcast
