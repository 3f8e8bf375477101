#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wormcast {

/// More ranks than these are taken for a mistake.
inline constexpr std::uint32_t most_trace_ranks = 1U << 20;

/// Cuts a line of a time-independent trace into its words.
void split_words(std::string_view line, std::vector<std::string_view>& words);

/// Whether a line is empty or a comment.
bool is_comment(std::string_view line);

/// The first line of a text that is no comment; empty where there is none.
std::string_view first_line(std::string_view text);

} // namespace wormcast
