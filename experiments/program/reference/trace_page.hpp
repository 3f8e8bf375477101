#pragma once

#include <string>

namespace wormcast {

/// The page of the records of a trace (format wormcast-trace/1): every key of every record.
std::string trace_page();

} // namespace wormcast
