#include "wormcast/experiments/config/mpi_section.hpp"

#include "wormcast/values/field.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace wormcast {

namespace {

/// Values of mpi.computation: whether it is measured.
constexpr auto computation_names = names<bool>({{false, "off"}, {true, "measured"}});

constexpr Time shortest_poll{1000};

const Fields<MpiParameters>& mpi_fields()
{
  static const MpiParameters defaults = {.envelope = smpi_envelope, .flops = 1'000'000'000, .selector = "default"};
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
      field("test", &MpiParameters::test,
            "time that an MPI_Test takes; by default a twentieth of network.startup, at least 10 ns")
          .at_least(shortest_poll.picoseconds)
          .optional(),
      field("probe", &MpiParameters::probe, "time that an MPI_Iprobe takes; by default as test")
          .at_least(shortest_poll.picoseconds)
          .optional(),
      field("send_overhead", &MpiParameters::send_overhead,
            "time that a rank spends in MPI_Send and MPI_Isend before the message's start-up")
          .otherwise(defaults),
      field("receive_overhead", &MpiParameters::receive_overhead,
            "time that a rank spends in receiving a message after its delivery")
          .otherwise(defaults),
      field("detached", &MpiParameters::detached,
            "MPI_Send of fewer bytes returns at once, of more when the message has been delivered")
          .as(ParameterType::bytes)
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
  all.push_back({.name = "simgrid",
                 .type = ParameterType::texts,
                 .text = "other settings of SimGrid and SMPI, each as \"contexts/stack-size:65536\" (docs/mpi.md)",
                 .optional = true});
  return all;
}

/// What determines settings of SimGrid whose names begin so.
struct TakenSetting {
  std::string_view begin;
  std::string_view by;
};

constexpr std::array taken_settings = {
    TakenSetting{"smpi/simulate-computation", "mpi.computation determines it"},
    TakenSetting{"smpi/host-speed", "mpi.flops determines it"},
    TakenSetting{"smpi/async-small-thresh", "mpi.eager determines it"},
    TakenSetting{"smpi/send-is-detached-thresh", "mpi.detached determines it"},
    TakenSetting{"smpi/coll-selector", "mpi.selector determines it"},
    TakenSetting{"smpi/test", "mpi.test determines it"},
    TakenSetting{"smpi/iprobe", "mpi.probe determines it"},
    TakenSetting{"smpi/os", "mpi.send_overhead determines it"},
    TakenSetting{"smpi/ois", "mpi.send_overhead determines it"},
    TakenSetting{"smpi/or", "mpi.receive_overhead determines it"},
    TakenSetting{"network/", "the network is that of the configuration"},
    TakenSetting{"smpi/bw-factor", "the network is that of the configuration"},
    TakenSetting{"smpi/lat-factor", "the network is that of the configuration"},
    TakenSetting{"smpi/IB-penalty-factors", "the network is that of the configuration"},
    TakenSetting{"cpu/", "mpi.computation and mpi.flops determine what computing takes"},
    TakenSetting{"host/", "the network is that of the configuration"},
    TakenSetting{"plugin", "plug-ins of SimGrid change its models"}};

/// Throws InputError.
void check_setting(const std::string& setting)
{
  const std::size_t colon = setting.find(':');
  if (colon == std::string::npos || colon == 0) {
    throw InputError(fmt::format("mpi.simgrid: found \"{}\", expected a setting and its value, such as "
                                 "\"contexts/stack-size:65536\"",
                                 printable(setting)));
  }
  const std::string_view name = std::string_view(setting).substr(0, colon);
  const auto refuse = [&](std::string_view reason) {
    throw InputError(fmt::format("mpi.simgrid: found \"{}\", but {}", printable(setting), reason));
  };
  for (const TakenSetting& taken : taken_settings) {
    if (taken.begin.ends_with('/') || taken.begin == "plugin" ? name.starts_with(taken.begin) : name == taken.begin) {
      refuse(taken.by);
    }
  }
  for (const std::string& collective : mpi_collectives()) {
    if (name == "smpi/" + collective) {
      refuse(fmt::format("mpi.{} determines it", collective));
    }
  }
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

void set_polling_times(ParameterValues& values, Time startup)
{
  constexpr std::int64_t part = 20;
  constexpr std::int64_t least = 10'000;
  if (!values.has("test")) {
    values.set("test", Time{std::max(startup.picoseconds / part, least)});
  }
  if (!values.has("probe")) {
    values.set("probe", values.time("test"));
  }
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
  if (values.has("simgrid")) {
    mpi.simgrid = values.texts("simgrid");
    std::ranges::for_each(mpi.simgrid, check_setting);
  }
  return mpi;
}

} // namespace wormcast
