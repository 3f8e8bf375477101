#include "wormcast/experiments/tuning_files/library_algorithms.hpp"

#include "wormcast/experiments/mpi/own_broadcast.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <span>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// How many ranks, and how long the message is.
struct Case {
  std::uint64_t ranks = 0;
  std::uint64_t bytes = 0;
};

bool always(const Case&)
{
  return true;
}

bool power_of_two(const Case& of)
{
  return std::has_single_bit(of.ranks);
}

bool no_power_of_two(const Case& of)
{
  return !power_of_two(of);
}

/// SMPI's rings reduce what is left of a message that the ranks do not divide in a second operation; Open MPI's do not.
bool divisible(const Case& of)
{
  return of.bytes % of.ranks == 0;
}

/// MPICH's MPIR_CVAR_ALLTOALL_THROTTLE: with more ranks it waits between so many messages.
constexpr std::uint64_t mpich_alltoall_throttle = 32;

bool within_throttle(const Case& of)
{
  return of.ranks <= mpich_alltoall_throttle;
}

std::uint64_t uncut(const Case&, const Json&)
{
  return 0;
}

/// SMPI's ompi_pipeline: Open MPI's decision function, coll_tuned_decision_fixed.c.
std::uint64_t pipeline_segment(const Case& of, const Json&)
{
  constexpr std::uint64_t kibibyte = 1024;
  const auto ranks = static_cast<double>(of.ranks);
  const auto bytes = static_cast<double>(of.bytes);
  if (ranks < 1.6134e-6 * bytes + 2.1102) {
    return 128 * kibibyte;
  }
  if (ranks < 2.3679e-6 * bytes + 1.1787) {
    return 64 * kibibyte;
  }
  return ranks < 3.2118e-6 * bytes + 8.7936 ? 16 * kibibyte : 128 * kibibyte;
}

/// SMPI's NTSL.
std::uint64_t eight_kibibytes(const Case&, const Json&)
{
  return 8192;
}

/// SMPI's ompi_split_bintree.
std::uint64_t split_segment(const Case& of, const Json&)
{
  constexpr std::uint64_t intermediate = 370728;
  return of.bytes < intermediate ? 1024 : 8192;
}

/// SMPI's ompi_ring_segmented.
std::uint64_t one_mebibyte(const Case&, const Json&)
{
  return std::uint64_t{1} << 20;
}

/// Of so many segments of a message, rounded up: none is longer.
std::uint64_t share_of_segments(const Case& of, const Json& values)
{
  const auto segments = values.at("segments").get<std::uint64_t>();
  return of.bytes / segments + (of.bytes % segments == 0 ? 0 : 1);
}

/// An algorithm that was measured, and the one of a library that sends the same.
struct Pairing {
  std::string_view collective;
  std::string_view measured;
  std::string_view library; ///< its name there
  unsigned number = 0;
  bool (*holds)(const Case&) = always;
  std::uint64_t (*segment)(const Case&, const Json&) = uncut;
  std::string_view children = {}; ///< of wormcast's binomial_tree: its parameter
};

constexpr const char* children_parameter_name = "children";
constexpr std::string_view usual_children = "far_first";

// ompi/mca/coll/tuned/coll_tuned_*_decision.c
constexpr auto openmpi_pairings =
    std::to_array<Pairing>({{"bcast", "flattree", "basic_linear", 1},
                            {"bcast", "ompi_pipeline", "pipeline", 3, always, pipeline_segment},
                            {"bcast", "NTSL", "pipeline", 3, always, eight_kibibytes},
                            {"bcast", "wormcast:segmented_chain", "pipeline", 3, always, share_of_segments},
                            {"bcast", "ompi_split_bintree", "split_binary_tree", 4, always, split_segment},
                            {"bcast", "wormcast:binomial_tree", "binomial", 6, always, uncut, "near_first"},
                            {"bcast", "scatter_rdb_allgather", "scatter_allgather", 8},
                            {"bcast", "wormcast:scatter_all_gather", "scatter_allgather", 8},
                            {"bcast", "scatter_LR_allgather", "scatter_allgather_ring", 9},
                            {"allreduce", "rdb", "recursive_doubling", 3},
                            {"allreduce", "lr", "ring", 4, divisible},
                            {"allreduce", "ompi_ring_segmented", "segmented_ring", 5, divisible, one_mebibyte},
                            {"allreduce", "rab_rdb", "rabenseifner", 6, power_of_two},
                            {"alltoall", "basic_linear", "linear", 1},
                            {"alltoall", "ring", "pairwise", 2},
                            {"alltoall", "wormcast:pairwise_exchange", "pairwise", 2, no_power_of_two},
                            {"alltoall", "bruck", "modified_bruck", 3},
                            {"allgather", "wormcast:recursive_halving", "recursive_doubling", 3, power_of_two}});

// src/mpi/coll/coll_algorithms.txt
constexpr auto mpich_pairings = std::to_array<Pairing>(
    {{"bcast", "binomial_tree", "MPIR_Bcast_intra_binomial"},
     {"bcast", "wormcast:binomial_tree", "MPIR_Bcast_intra_binomial", 0, always, uncut, usual_children},
     {"bcast", "scatter_rdb_allgather", "MPIR_Bcast_intra_scatter_recursive_doubling_allgather"},
     {"bcast", "wormcast:scatter_all_gather", "MPIR_Bcast_intra_scatter_recursive_doubling_allgather"},
     {"bcast", "scatter_LR_allgather", "MPIR_Bcast_intra_scatter_ring_allgather"},
     {"allreduce", "rdb", "MPIR_Allreduce_intra_recursive_doubling"},
     {"allreduce", "rab_rdb", "MPIR_Allreduce_intra_reduce_scatter_allgather"},
     {"alltoall", "basic_linear", "MPIR_Alltoall_intra_scattered", 0, within_throttle},
     {"alltoall", "bruck", "MPIR_Alltoall_intra_brucks"},
     {"alltoall", "pair", "MPIR_Alltoall_intra_pairwise", 0, power_of_two},
     {"alltoall", "ring", "MPIR_Alltoall_intra_pairwise", 0, no_power_of_two},
     {"alltoall", "wormcast:pairwise_exchange", "MPIR_Alltoall_intra_pairwise"},
     {"allgather", "wormcast:recursive_halving", "MPIR_Allgather_intra_recursive_doubling", 0, power_of_two}});

std::span<const Pairing> pairings(TunedLibrary library)
{
  return library == TunedLibrary::openmpi ? std::span<const Pairing>(openmpi_pairings)
                                          : std::span<const Pairing>(mpich_pairings);
}

/// Whether the parameter is as the pairing has it.
bool has_children(const Pairing& pairing, const Json& values)
{
  if (pairing.children.empty()) {
    return true;
  }
  const auto found = values.find(children_parameter_name);
  return (found == values.end() ? usual_children : std::string_view(found->get_ref<const std::string&>())) ==
         pairing.children;
}

} // namespace

std::string_view library_title(TunedLibrary library)
{
  return library == TunedLibrary::openmpi ? "Open MPI" : "MPICH";
}

std::string_view collective_of(Operation operation)
{
  switch (operation) {
  case Operation::broadcast:
    return "bcast";
  case Operation::multinode_broadcast:
    return "allgather";
  case Operation::total_exchange:
    return "alltoall";
  default:
    return {};
  }
}

std::string mpi_function(std::string_view collective)
{
  std::string name(collective);
  if (!name.empty()) {
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  }
  return name;
}

std::optional<LibraryAlgorithm> library_algorithm(TunedLibrary library, const MeasuredAlgorithm& measured,
                                                  std::uint64_t ranks, std::uint64_t bytes)
{
  const Case of{.ranks = ranks, .bytes = bytes};
  for (const Pairing& pairing : pairings(library)) {
    if (pairing.collective == measured.collective && pairing.measured == measured.name &&
        has_children(pairing, measured.values) && pairing.holds(of)) {
      return LibraryAlgorithm{.name = std::string(pairing.library),
                              .number = pairing.number,
                              .segment = pairing.segment(of, measured.values)};
    }
  }
  return std::nullopt;
}

std::vector<MeasuredAlgorithm> own_in_library(TunedLibrary library, std::string_view collective)
{
  std::vector<MeasuredAlgorithm> own;
  for (const Pairing& pairing : pairings(library)) {
    if (pairing.collective == collective && pairing.measured.starts_with(own_algorithm_prefix)) {
      MeasuredAlgorithm& one = own.emplace_back();
      one.collective = pairing.collective;
      one.name = pairing.measured;
      if (!pairing.children.empty() && pairing.children != usual_children) {
        one.values[children_parameter_name] = pairing.children;
      }
    }
  }
  return own;
}

bool is_selector(std::string_view smpi_algorithm)
{
  static constexpr auto selectors = std::to_array<std::string_view>({"default", "ompi", "mpich", "mvapich2", "impi"});
  return std::ranges::find(selectors, smpi_algorithm) != selectors.end();
}

std::string_view selector_of(TunedLibrary library)
{
  return library == TunedLibrary::openmpi ? "ompi" : "mpich";
}

} // namespace wormcast
