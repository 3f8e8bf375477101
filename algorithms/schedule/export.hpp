#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <iosfwd>

namespace wormcast {

/// The messages as a directed graph in DOT: a vertex for each node, an edge for each message labelled with its step and
/// size. The stream's state tells whether writing failed.
void write_schedule_dot(const Topology& topology, const Schedule& schedule, std::ostream& out);

/// GOAL, the text format of LogGOPSim (Hoefler, Schneider & Lumsdaine, HPDC 2010): for every rank (node id) its sends
/// and receives. A send requires the receives that bring the blocks it carries, and the one before it in the order
/// (step, id) at its port, of which with several ports of a node it waits for the beginning alone. Read back, the
/// program has the times of run.mode "self_timed" with one port or all ports, where no node gets a block twice (GOAL
/// has no steps that all ranks keep, and knows of no ports). In a plain message list a send requires the messages of
/// its `after` and nothing else; GOAL has no absolute times, so earliest starts are left out. Message ids are the tags.
/// Throws InputError where a plain message waits for one that its sender neither sends nor receives, and of a program.
void write_schedule_goal(const Topology& topology, const Schedule& schedule, std::ostream& out);

} // namespace wormcast
