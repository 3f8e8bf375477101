#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <iosfwd>

namespace wormcast {

/// Writes the messages as a directed graph in DOT: a vertex for each node, an edge for each message labelled with its
/// step and size. The stream's state shows whether writing failed.
void write_schedule_dot(const Topology& topology, const Schedule& schedule, std::ostream& out);

/// Writes GOAL, the text format of LogGOPSim (Hoefler, Schneider & Lumsdaine, HPDC 2010): for every rank (node id) its
/// sends and receives. A send requires the receives that deliver its blocks, and the send before it in the order (step,
/// id) at its port; with several ports of a node it waits only for the beginning of that send. Read back, the program
/// has the times of run.mode "self_timed" with one port or all ports, if no node receives a block twice (GOAL has no
/// steps common to all ranks, and no ports). In a plain message list a send requires the messages of its `after` and
/// nothing else; GOAL has no absolute times, so earliest starts are left out. Message ids are the tags. Throws
/// InputError if a plain message waits for one that its sender neither sends nor receives, and for a program.
void write_schedule_goal(const Topology& topology, const Schedule& schedule, std::ostream& out);

} // namespace wormcast
