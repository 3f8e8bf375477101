#include "wormcast/experiments/config/mpi_section.hpp"

#include "wormcast/values/field.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

/// Values of mpi.computation: whether it is measured.
constexpr auto computation_names = names<bool>({{false, "off"}, {true, "measured"}});

const Fields<MpiParameters>& mpi_fields()
{
  static const MpiParameters defaults = {
      .envelope = smpi_envelope, .flops = 1'000'000'000, .selector = "default", .algorithms = {}};
  static const Fields<MpiParameters> fields({
      field("envelope", &MpiParameters::envelope, "bytes that a message carries in addition to its data")
          .as(ParameterType::bytes)
          .at_most(65536)
          .otherwise(defaults),
      field("eager", &MpiParameters::eager,
            "messages shorter than this travel before the receiver has posted a receive")
          .as(ParameterType::bytes)
          .at_most(65536)
          .otherwise(defaults),
      field("computation", &MpiParameters::measured, computation_names,
            "the time of computing between messages: none, or the time that it takes on this machine")
          .otherwise(defaults),
      field("flops", &MpiParameters::flops,
            "floating-point operations per second of a node, for programs that state how many they do")
          .at_least(1)
          .at_most(std::int64_t{1} << 53)
          .otherwise(defaults),
      field("selector", &MpiParameters::selector, "the MPI library whose choice of algorithms for collectives is used")
          .among({"default", "mpich", "mvapich2", "ompi", "impi"})
          .otherwise(defaults),
  });
  return fields;
}

std::vector<Parameter> declare_mpi_keys()
{
  std::vector<Parameter> all = mpi_fields().declarations();
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
  mpi_fields().read(mpi, values);
  for (const std::string& collective : mpi_collectives()) {
    if (values.has(collective)) {
      mpi.algorithms.emplace_back(collective, values.text(collective));
    }
  }
  return mpi;
}

} // namespace wormcast
