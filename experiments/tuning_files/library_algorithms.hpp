#pragma once

#include "wormcast/algorithms/schedule/operation.hpp"
#include "wormcast/values/names.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The MPI libraries for which rules are written.
enum class TunedLibrary { openmpi, mpich };
/// The libraries as options name them.
inline constexpr auto tuned_library_names =
    names<TunedLibrary>({{TunedLibrary::openmpi, "openmpi"}, {TunedLibrary::mpich, "mpich"}});

/// The library's own name: "Open MPI".
std::string_view library_title(TunedLibrary library);

/// An algorithm of a library, as its rules name it.
struct LibraryAlgorithm {
  std::string name;          ///< "pipeline", "MPIR_Bcast_intra_binomial"
  unsigned number = 0;       ///< Open MPI's
  std::uint64_t segment = 0; ///< Open MPI's length of a segment in bytes; 0: the message is not cut

  friend bool operator==(const LibraryAlgorithm&, const LibraryAlgorithm&) = default;
};

/// An algorithm that was measured, and for what.
struct MeasuredAlgorithm {
  std::string collective;                                           ///< as MPI names it: "bcast"
  std::string name;                                                 ///< SMPI's name, or "wormcast:NAME"
  nlohmann::ordered_json values = nlohmann::ordered_json::object(); ///< parameters of wormcast's by name
};

/// MPI's name of an operation for which the libraries' rules can name some of wormcast's algorithms: "bcast",
/// "allgather", "alltoall"; empty for others.
std::string_view collective_of(Operation operation);

/// The function of an operation as people write it, without "MPI_": "Bcast".
std::string mpi_function(std::string_view collective);

/// The algorithm of the library that sends the same messages among `ranks` ranks at a length of `bytes` (of an
/// allgather or alltoall of one block); none where the library has none. The pairs of ranks and the bytes between them
/// were compared for SMPI 3.32, Open MPI 4.1.4 and MPICH 4.0.2 (tests/experiments/tuning_files).
std::optional<LibraryAlgorithm> library_algorithm(TunedLibrary library, const MeasuredAlgorithm& measured,
                                                  std::uint64_t ranks, std::uint64_t bytes);

/// Wormcast's algorithms, with the parameters that matter, that send what an algorithm of the library sends.
std::vector<MeasuredAlgorithm> own_in_library(TunedLibrary library, std::string_view collective);

/// The algorithms of SMPI that only choose among its others, by the rules of a library: "ompi", "mpich", ...
bool is_selector(std::string_view smpi_algorithm);

/// SMPI's algorithm that chooses as the library does.
std::string_view selector_of(TunedLibrary library);

} // namespace wormcast
