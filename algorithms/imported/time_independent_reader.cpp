#include "wormcast/algorithms/imported/time_independent.hpp"
#include "wormcast/algorithms/imported/time_independent_actions.hpp"
#include "wormcast/algorithms/imported/time_independent_files.hpp"
#include "wormcast/algorithms/imported/time_independent_lines.hpp"
#include "wormcast/algorithms/imported/time_independent_matching.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <istream>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr std::size_t longest_trace_line = std::size_t{1} << 24;
constexpr std::uint64_t largest_trace_count = std::uint64_t{1} << 62;

using TraceKind = TraceAction::Kind;

/// Reads lines, of one file after the other.
class TraceReader {
public:
  /// Reads a file; with `only` it must be of that rank.
  void read(std::istream& in, std::string_view name, std::optional<std::uint32_t> only)
  {
    name_ = name;
    only_ = only;
    line_number_ = 0;
    while (next_line(in)) {
      if (!is_comment(line_)) {
        read_line();
      }
    }
  }

  TimeIndependentTrace finish(std::string_view name)
  {
    name_ = name;
    check_ranks();
    check_values_of_all_ranks();
    if (largest_peer_.rank >= static_cast<std::int64_t>(lines_of_.size())) {
      throw InputError(fmt::format("{} {}, but the trace has ranks 0 to {}", largest_peer_.where, largest_peer_.rank,
                                   lines_of_.size() - 1));
    }
    trace_.ranks = static_cast<std::uint32_t>(lines_of_.size());
    std::vector<TraceMatching::OfRank> matched;
    for (const auto& [rank, lines] : lines_of_) {
      trace_.bytes_by_rank.push_back(lines.bytes);
      trace_.flops_by_rank.push_back(lines.flops);
      matched.push_back(lines.matched);
    }
    matching_.find_unmatched(matched, trace_.findings);
    trace_.collectives = matched.front().collectives;
    return std::move(trace_);
  }

private:
  struct RankLines {
    TraceMatching::OfRank matched;
    std::uint64_t bytes = 0; ///< sent
    double flops = 0;
    std::size_t default_type = byte_type;
  };

  struct Peer {
    std::int64_t rank = -1;
    std::string where;
  };

  [[noreturn]] void fail(const std::string& text) const
  {
    throw InputError(fmt::format("{}:{}: {}", name_, line_number_, text));
  }

  bool next_line(std::istream& in)
  {
    line_.clear();
    ++line_number_;
    std::streambuf& bytes = *in.rdbuf();
    for (int byte = bytes.sbumpc(); byte != '\n'; byte = bytes.sbumpc()) {
      if (byte == std::streambuf::traits_type::eof()) {
        return !line_.empty();
      }
      if (line_.size() == longest_trace_line) {
        fail(fmt::format("a line of more than {} bytes", longest_trace_line));
      }
      line_.push_back(static_cast<char>(byte));
    }
    return true;
  }

  std::uint32_t read_rank(std::string_view word)
  {
    const auto rank = number_of_text<std::uint32_t>(word);
    if (!rank || *rank >= most_trace_ranks) {
      fail(fmt::format("found '{}', expected a rank below {}", printable(word.substr(0, 40)), most_trace_ranks));
    }
    if (only_ && *rank != *only_) {
      fail(fmt::format("a line of rank {} in the file of rank {}", *rank, *only_));
    }
    if (here_ == nullptr || *rank != rank_) {
      here_ = &lines_of_[*rank];
    }
    return *rank;
  }

  void read_line()
  {
    split_words(line_, words_);
    rank_ = read_rank(words_.front());
    if (words_.size() < 2) {
      fail("a rank without an action");
    }
    const auto action = std::ranges::find(trace_actions(), words_[1], &TraceAction::name);
    if (action == trace_actions().end()) {
      fail(fmt::format("unknown action '{}' ({})", printable(words_[1].substr(0, 40)), action_names()));
    }
    const std::size_t values = words_.size() - 2;
    if (values < action->values) {
      fail(fmt::format("{} needs {}", action->name, counted(action->values, "value")));
    }
    ++trace_.lines;
    ++trace_.actions[std::string(action->name)];
    read_values(*action, values);
  }

  void read_values(const TraceAction& action, std::size_t values)
  {
    switch (action.kind) {
    case TraceKind::start:
      here_->default_type = values > 0 ? double_type : byte_type;
      break;
    case TraceKind::compute: {
      const double amount = number(0);
      if (action.name == "compute") {
        here_->flops += amount;
      }
      break;
    }
    case TraceKind::send:
      add_send(peer(0, false), whole(1), count(2), 3);
      break;
    case TraceKind::receive:
      count(2);
      type(3);
      add_receive(peer(0, true), whole(1));
      break;
    case TraceKind::exchange:
      add_send(peer(1, false), 0, count(0), 4);
      count(2);
      type(5);
      add_receive(peer(3, true), 0);
      break;
    case TraceKind::collective:
      add_collective(action, values);
      break;
    case TraceKind::named:
      break;
    case TraceKind::local:
      for (std::size_t i = 0; i < action.values; ++i) {
        whole(i);
      }
      break;
    }
  }

  std::string_view word(std::size_t value) const { return words_[value + 2]; }

  [[noreturn]] void fail_value(std::size_t value, std::string_view expected) const
  {
    fail(fmt::format("{}: value {} is '{}', expected {}", words_[1], value + 1, printable(word(value).substr(0, 40)),
                     expected));
  }

  double number(std::size_t value) const
  {
    const auto found = number_of_text<double>(word(value));
    if (!found || !std::isfinite(*found) || *found < 0) {
      fail_value(value, "a number that is not negative");
    }
    return *found;
  }

  /// SMPI reads numbers of elements as numbers with decimals, too.
  std::uint64_t count(std::size_t value) const
  {
    const double found = number(value);
    if (found > static_cast<double>(largest_trace_count)) {
      fail_value(value, "at most 2^62");
    }
    return static_cast<std::uint64_t>(found);
  }

  std::int64_t whole(std::size_t value) const
  {
    const auto found = number_of_text<std::int32_t>(word(value));
    if (!found) {
      fail_value(value, "a whole number");
    }
    return *found;
  }

  std::int64_t peer(std::size_t value, bool may_be_any)
  {
    const std::int64_t found = whole(value);
    const bool is_any = may_be_any && found == any_source;
    if ((found < 0 && !is_any) || found >= most_trace_ranks) {
      fail_value(value, "a rank");
    }
    note_peer(found);
    return found;
  }

  void note_peer(std::int64_t found)
  {
    if (found > largest_peer_.rank) {
      largest_peer_ = {.rank = found, .where = fmt::format("{}:{}: {} names rank", name_, line_number_, words_[1])};
    }
  }

  /// The bytes of an element.
  std::uint64_t type(std::size_t value) const
  {
    if (value + 2 >= words_.size()) {
      return bytes_of_types()[here_->default_type];
    }
    const auto found = number_of_text<std::size_t>(word(value));
    if (!found || *found >= bytes_of_types().size()) {
      fail_value(value, fmt::format("the id of a datatype of SMPI, 0 to {}", bytes_of_types().size() - 1));
    }
    return bytes_of_types()[*found];
  }

  void require_channel(bool has_room) const
  {
    if (!has_room) {
      fail(fmt::format("more than {} pairs of ranks and tags", TraceMatching::most_channels));
    }
  }

  void add_send(std::int64_t to, std::int64_t tag, std::uint64_t elements, std::size_t type_value)
  {
    const std::uint64_t size = type(type_value);
    if (size > 0 && elements > largest_trace_count / size) {
      fail(fmt::format("{}: a message of more than 2^62 bytes", words_[1]));
    }
    require_channel(matching_.add_send(rank_, to, tag));
    ++trace_.messages;
    here_->bytes = std::min(here_->bytes + elements * size, largest_trace_count);
  }

  void add_receive(std::int64_t from, std::int64_t tag)
  {
    require_channel(matching_.add_receive(from, rank_, tag, here_->matched));
  }

  void add_collective(const TraceAction& action, std::size_t values)
  {
    for (std::size_t i = 0; i < action.values && action.values_a_rank == 0; ++i) {
      count(i);
    }
    if (action.values_a_rank > 0) { // how many it needs is known at the end
      needed_.try_emplace({action.name, values}, fmt::format("{}:{}", name_, line_number_));
    }
    TraceMatching::Collective here{.action = static_cast<std::uint8_t>(&action - trace_actions().data()),
                                   .rank = rank_};
    if (action.root > 0 && action.values_a_rank == 0) {
      here.root = values >= action.root ? static_cast<std::uint32_t>(peer(action.root - std::size_t{1}, false)) : 0;
    }
    if (rank_ == 0 && trace_.first_collectives.size() < TimeIndependentTrace::most_first_collectives) {
      trace_.first_collectives.emplace_back(action.name);
    }
    if (!matching_.add_collective(here, here_->matched, only_ ? 0 : line_number_, trace_.findings)) {
      fail(fmt::format("more than {} collectives", TraceMatching::most_collectives));
    }
  }

  void check_ranks() const
  {
    if (lines_of_.empty()) {
      throw InputError(fmt::format("{}: no line of a rank", name_));
    }
    if (lines_of_.rbegin()->first + std::size_t{1} == lines_of_.size()) {
      return;
    }
    constexpr std::size_t most_named = 20;
    std::vector<std::uint32_t> found;
    for (const auto& [rank, lines] : lines_of_) {
      if (found.size() < most_named) {
        found.push_back(rank);
      }
    }
    throw InputError(fmt::format("{}: ranks are [{}{}], not 0 to {}", name_, fmt::join(found, ", "),
                                 found.size() < lines_of_.size() ? ", ..." : "", lines_of_.size() - 1));
  }

  void check_values_of_all_ranks() const
  {
    for (const auto& [use, where] : needed_) {
      const auto& [name, values] = use;
      const TraceAction& action = *std::ranges::find(trace_actions(), name, &TraceAction::name);
      const std::size_t needed = action.values + action.values_a_rank * lines_of_.size();
      if (values < needed) {
        throw InputError(
            fmt::format("{}: {} of {} ranks needs {}", where, name, lines_of_.size(), counted(needed, "value")));
      }
    }
  }

  TimeIndependentTrace trace_;
  std::string name_;
  std::optional<std::uint32_t> only_;
  std::string line_;
  std::uint64_t line_number_ = 0;
  std::vector<std::string_view> words_;
  std::uint32_t rank_ = 0;
  RankLines* here_ = nullptr; ///< of rank_
  std::map<std::uint32_t, RankLines> lines_of_;
  TraceMatching matching_;
  std::map<std::pair<std::string_view, std::size_t>, std::string> needed_; ///< by action and values: the first line
  Peer largest_peer_;
};

} // namespace

TimeIndependentTrace read_time_independent(std::istream& in, std::string_view name)
{
  TraceReader reader;
  reader.read(in, name, std::nullopt);
  return reader.finish(name);
}

TimeIndependentTrace read_time_independent(const std::filesystem::path& trace)
{
  std::vector<std::filesystem::path> files = time_independent_files(trace);
  if (files.size() < 2) {
    const std::filesystem::path& file = files.empty() ? trace : files.front();
    std::ifstream in = open_file(file);
    TimeIndependentTrace read = read_time_independent(in, file.string());
    read.files = {file};
    return read;
  }
  TraceReader reader;
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    std::ifstream in = open_file(files[rank]);
    reader.read(in, files[rank].string(), static_cast<std::uint32_t>(rank));
  }
  TimeIndependentTrace read = reader.finish(trace.string());
  read.files = std::move(files);
  return read;
}

} // namespace wormcast
