#pragma once

#include <string>

namespace wormcast {

/// Writes a trace as events that Perfetto and chrome://tracing show. Throws InputError where the name of `target` does
/// not end in .perfetto.json, and what convert_trace throws.
void write_perfetto_events(const std::string& trace, const std::string& target);

} // namespace wormcast
