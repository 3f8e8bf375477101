#pragma once

#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/program_section.hpp"
#include "wormcast/simulator/model/network.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace wormcast {

/// Whether the file is a trace for which there is a section [program].
bool takes_program_section(ScheduleFileKind kind);

/// [program], for a file of this kind. Throws InputError where it has a key for another kind.
ParameterValues read_program_section(const ConfigReader& reader, ScheduleFileKind kind);

/// What is in effect of its values for a file of this kind.
nlohmann::ordered_json program_section_json(const ParameterValues& values, ScheduleFileKind kind);

/// The files on which a run of the trace `file` depends: its own, those of groups and of algorithms.
std::vector<std::filesystem::path> files_of_trace(const ConfigReader& reader, const std::filesystem::path& file,
                                                  ScheduleFileKind kind);

/// A trace of netrace or Chakra that is to be run. Throws InputError where it cannot be.
class GivenTrace {
public:
  GivenTrace(const ConfigReader& reader, ProgramParameters program, const std::filesystem::path& file,
             ScheduleFileKind kind);

  std::uint32_t ranks() const;

  /// Its messages with rank r on node_of[r]: a plain list, or a program.
  Schedule schedule(const Topology& topology, const NetworkParameters& network, std::vector<NodeId> node_of) const;

private:
  Program collective_program(const Topology& topology, const NetworkParameters& network,
                             std::span<const NodeId> node_of, ChakraCollective collective, std::uint64_t bytes,
                             std::span<const std::uint32_t> members) const;
  Program program_of_file(const std::string& name, std::uint64_t bytes, std::size_t members) const;

  const ConfigReader& reader_;
  std::filesystem::path file_;
  ScheduleFileKind kind_;
  ProgramParameters program_;
  Netrace netrace_;
  ChakraTrace chakra_;
  ChakraReport report_;
};

} // namespace wormcast
