#pragma once

#include "wormcast/algorithms/imported/finding.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A packet of a trace.
struct NetracePacket {
  std::uint64_t cycle = 0;
  std::uint32_t id = 0;
  std::uint8_t type = 0;
  std::uint8_t source = 0;
  std::uint8_t destination = 0;
};

/// A part of a trace with a beginning of its own.
struct NetraceRegion {
  std::uint64_t offset = 0; ///< of its first packet, in bytes behind the regions
  std::uint64_t cycles = 0;
  std::uint64_t packets = 0;
};

/// A trace of the packets between the cores and caches of a chip (netrace: Hestness, Grot & Keckler, NoCArc 2010;
/// docs/formats-of-others.md), with what was found out about it.
struct Netrace {
  std::string benchmark;
  std::uint32_t nodes = 0;
  std::uint64_t cycles = 0; ///< as the file says
  std::vector<NetraceRegion> regions;
  std::vector<NetracePacket> packets; ///< by cycle
  MessageLists after;                 ///< by packet: those that must be delivered before it, each once
  std::uint64_t dependencies = 0;     ///< as the file has them, with
  std::uint64_t absent = 0;           ///< those of packets that are not there: parts of traces cut dependencies
  std::vector<std::uint32_t> order;   ///< packets, each behind those for which it waits; fewer with a cyclic wait
  std::uint32_t longest_chain = 0;    ///< of packets that wait for one another; 0 with a cyclic wait
  Findings findings;                  ///< deadlock
};

/// The length of a packet: 8 or 72 bytes.
std::uint64_t netrace_bytes(const NetracePacket& packet);

/// Reads a trace, compressed by bzip2 or not; with `region` only its packets, with cycles from its first packet on.
/// Throws InputError "NAME: byte N: ..." for what is not of the format: another magic number or version, a cut file,
/// another number of packets than the header's, cycles that fall, an id twice, a type without a length, a node that is
/// not there; and for a region that is not there.
Netrace read_netrace(std::istream& in, std::string_view name, std::optional<std::uint64_t> region = std::nullopt);
Netrace read_netrace(const std::filesystem::path& file, std::optional<std::uint64_t> region = std::nullopt);

/// How the packets of a trace are sent.
struct NetraceUse {
  bool closed = true;      ///< packets wait for those on which they depend
  bool keep_think = false; ///< closed: with the time that passed between them in the trace
  Time cycle{1000};
};

/// The packets as a plain message list on the nodes of `node_of`, with all filled in but topology, routing and ports.
/// Open: each begins at its cycle. Closed: not before its cycle, nor before the delivery of the last packet on which it
/// depends. Packets of a node to itself are delivered when they begin, and are no messages. Not for keep_think.
/// Throws InputError with `name` for a cyclic wait, and where times pass 2^62 ps.
Schedule netrace_messages(const Netrace& trace, const NetraceUse& use, std::span<const NodeId> node_of,
                          std::string_view name);

/// The packets as a program for keep_think: a packet begins when for every packet on which it depends as much time has
/// passed since its delivery as between the two in the trace; one that depends on none begins at its cycle.
Program netrace_program(const Netrace& trace, const NetraceUse& use, std::string_view name);

} // namespace wormcast
