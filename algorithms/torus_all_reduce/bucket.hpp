#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Bucket: rings along the lines of one dimension after the other, in which every node hands on to its neighbour what
/// it received in the step before (Barnett, Littlefield, Payne & van de Geijn, JPDC 24(2), 1995). With all ports, 2D
/// such collectives of a torus of D dimensions run at the same time, each on 1/(2D) of the vector, and start with
/// different dimensions and directions (Jain & Sabharwal, ICS 2010; Sack & Gropp, ACM TOPC 1(2), 2015; De Sensi et al.,
/// "Swing", NSDI 2024, section 2.3.2).
///
/// The order of a mesh's lines is this program's own: 0, 2, 4, ..., 5, 3, 1 uses both directions of every link once,
/// and no hop is longer than 2. A mesh has therefore one collective for each dimension, and no mirrored ones.
///
/// With all ports and equal sides of a torus beta is (1 - 1/N)/D, the lower bound of an all_reduce in which every node
/// uses all of its 2D channels; with one port it is 2(1 - 1/N), the bound for every size.
Algorithm bucket_algorithm();

} // namespace wormcast
