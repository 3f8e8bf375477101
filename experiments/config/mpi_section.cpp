#include "wormcast/experiments/config/mpi_section.hpp"

#include "wormcast/values/names.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

/// Values of mpi.computation: whether it is measured.
constexpr auto computation_names = names<bool>({{false, "off"}, {true, "measured"}});

std::vector<Parameter> declare_mpi_keys()
{
  std::vector<Parameter> all = {
      {.name = "envelope",
       .type = ParameterType::bytes,
       .text = "bytes that a message carries besides its data",
       .fallback = smpi_envelope,
       .maximum = 65536},
      {.name = "eager",
       .type = ParameterType::bytes,
       .text = "messages shorter than this travel before the receiver has asked for them",
       .fallback = std::int64_t{0},
       .maximum = 65536},
      {.name = "computation",
       .type = ParameterType::choice,
       .text = "what computing between messages costs: nothing, or the time that it takes on this machine",
       .fallback = std::string(computation_names.text(false)),
       .choices = computation_names.texts()},
      {.name = "flops",
       .type = ParameterType::integer,
       .text = "floating-point operations that a node does in a second, for programs that say how many they do",
       .fallback = std::int64_t{1'000'000'000},
       .minimum = 1,
       .maximum = std::int64_t{1} << 53},
      {.name = "selector",
       .type = ParameterType::choice,
       .text = "the MPI library whose choice of algorithms for collectives is taken",
       .fallback = std::string("default"),
       .choices = {"default", "mpich", "mvapich2", "ompi", "impi"}},
  };
  for (const std::string& collective : mpi_collectives()) {
    all.push_back({.name = collective,
                   .type = ParameterType::text,
                   .text = fmt::format("SMPI's algorithm for {} (docs/mpi.md)", collective),
                   .optional = true});
  }
  return all;
}

} // namespace

std::span<const std::string> mpi_collectives()
{
  static const std::vector<std::string> names = {"allgather", "allgatherv", "allreduce",     "alltoall",
                                                 "alltoallv", "barrier",    "bcast",         "gather",
                                                 "reduce",    "scatter",    "reduce_scatter"};
  return names;
}

std::span<const Parameter> mpi_declarations()
{
  static const std::vector<Parameter> declarations = declare_mpi_keys();
  return declarations;
}

MpiParameters mpi_parameters(const ParameterValues& values)
{
  MpiParameters mpi;
  mpi.envelope = static_cast<std::uint64_t>(values.integer("envelope"));
  mpi.eager = static_cast<std::uint64_t>(values.integer("eager"));
  mpi.measured = computation_names.read(values.text("computation"));
  mpi.flops = static_cast<std::uint64_t>(values.integer("flops"));
  mpi.selector = values.text("selector");
  for (const std::string& collective : mpi_collectives()) {
    if (values.has(collective)) {
      mpi.algorithms.emplace_back(collective, values.text(collective));
    }
  }
  return mpi;
}

} // namespace wormcast
