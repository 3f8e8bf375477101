#pragma once

#include <filesystem>
#include <ostream>

namespace wormcast {

/// Writes the trace in `file` (format wormcast-trace/1) as trace events: of a mesh or torus the same bytes as the run
/// itself would have written. Throws what read_trace throws.
void convert_trace(const std::filesystem::path& file, std::ostream& out);

} // namespace wormcast
