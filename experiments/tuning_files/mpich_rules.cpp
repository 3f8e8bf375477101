#include "wormcast/experiments/tuning_files/mpich_rules.hpp"

#include "wormcast/formats/json_document.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view base_begins = "{\"collective=";
constexpr std::uint64_t largest_library = std::uint64_t{1} << 30;

/// The rules within a library: a text that a zero byte ends. Several have the same beginning; those of the part of
/// MPICH that knows algorithms for all collectives name the most.
std::optional<Json> rules_within(const std::string& library)
{
  std::optional<Json> most;
  for (std::size_t begin = library.find(base_begins); begin != std::string::npos;
       begin = library.find(base_begins, begin + 1)) {
    const std::size_t end = library.find('\0', begin);
    if (end == std::string::npos) {
      break;
    }
    try {
      Json rules = read_json(std::string_view(library).substr(begin, end - begin));
      if (rules.is_object() && (!most || rules.size() > most->size())) {
        most = std::move(rules);
      }
    } catch (const InputError&) { // some other text
      continue;
    }
  }
  return most;
}

std::string_view size_key(const TuningRules& rules)
{
  return rules.collective == "allgather" ? "total_msg_size" : "avg_msg_size";
}

/// What chooses an algorithm; where it may not be used what `old` says.
Json choice_of(const LibraryAlgorithm& algorithm, const Json& old)
{
  Json choice;
  choice["algorithm=" + algorithm.name] = Json::object();
  if (algorithm.name != "MPIR_Allreduce_intra_reduce_scatter_allgather") {
    return choice;
  }
  // It cuts the message into as many parts as the greatest power of two ranks, and changes the order of operands.
  Json enough;
  enough["count<pow2"] = old;
  enough["count=any"] = std::move(choice);
  Json built_in;
  built_in["is_op_built_in=yes"] = std::move(enough);
  built_in["is_op_built_in=no"] = old;
  return built_in;
}

/// The choice by length. MPICH compares with numbers of 31 bits.
Json by_length(const TuningRules& rules, const Json& old)
{
  Json tree;
  const std::vector<TuningRule> merged = merged_rules(rules);
  for (std::size_t i = 0; i < merged.size(); ++i) {
    std::string key = fmt::format("{}=any", size_key(rules));
    if (i + 1 < merged.size()) {
      const std::uint64_t last = merged[i + 1].from - 1;
      if (last > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
        throw InputError(fmt::format("--format mpich: found a rule from {} bytes on, expected at most 2^31", last + 1));
      }
      key = fmt::format("{}<={}", size_key(rules), last);
    }
    tree[key] = choice_of(rules.lengths[merged[i].first].algorithm, old);
  }
  return tree;
}

/// For this number of ranks the new choice, for others the old one.
Json by_ranks(std::uint64_t ranks, const Json& now, const Json& old)
{
  Json tree;
  tree[fmt::format("comm_size<{}", ranks)] = old;
  tree[fmt::format("comm_size<={}", ranks)] = now;
  tree["comm_size=any"] = old;
  return tree;
}

void require_known(const TuningRules& rules, const Json& base)
{
  const std::string text = json_text(base, JsonLayout::one_line);
  for (const TunedLength& length : rules.lengths) {
    if (text.find(fmt::format("\"algorithm={}\"", length.algorithm.name)) == std::string::npos) {
      throw InputError(fmt::format("--base: no rule for {}: it is of another version of MPICH", length.algorithm.name));
    }
  }
}

} // namespace

Json read_mpich_base(const std::filesystem::path& file)
{
  const std::string text = read_whole_file(file, largest_library);
  if (const std::size_t first = text.find_first_not_of(" \t\r\n"); first != std::string::npos && text[first] == '{') {
    try {
      return read_json(text);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
  }
  std::optional<Json> rules = rules_within(text);
  if (!rules) {
    throw InputError(fmt::format("{}: found no rules of MPICH, expected generic.json of its sources, or libmpich.so",
                                 file.string()));
  }
  return std::move(*rules);
}

std::string mpich_rules_text(const TuningRules& rules, const Json& base)
{
  constexpr const char* within = "comm_type=intra";
  const std::string collective = "collective=" + rules.collective;
  const bool has_branch = base.is_object() && base.contains(collective) && base[collective].is_object() &&
                          base[collective].contains(within);
  if (!has_branch) {
    throw InputError(fmt::format("--base: found no rules with the keys \"{}\", \"{}\", expected those of MPICH",
                                 collective, within));
  }
  require_known(rules, base);
  Json all = base;
  Json& place = all[collective][within];
  const Json old = place;
  Json now = by_length(rules, old);
  if (rules.collective == "alltoall") {
    Json by_buffer;
    by_buffer["is_sendbuf_inplace=yes"] = old;
    by_buffer["is_sendbuf_inplace=no"] = std::move(now);
    now = std::move(by_buffer);
  }
  place = by_ranks(rules.ranks, now, old);
  return json_text(all, JsonLayout::indented) + "\n";
}

} // namespace wormcast
