#include "wormcast/algorithms/imported/time_independent.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <limits>
#include <optional>
#include <tuple>

namespace wormcast {

namespace {

constexpr std::uint32_t most_trace_ranks = 1U << 20;
constexpr std::size_t longest_trace_line = std::size_t{1} << 24;
constexpr std::uint64_t most_trace_collectives = std::uint64_t{1} << 26;
constexpr std::uint64_t most_trace_channels = std::uint64_t{1} << 24;
constexpr std::uint64_t largest_trace_count = std::uint64_t{1} << 62;
constexpr std::int64_t any_source = -555; // MPI_ANY_SOURCE of SMPI
constexpr std::int64_t any_tag = -444;    // MPI_ANY_TAG
constexpr std::size_t byte_type = 6;
constexpr std::size_t double_type = 0;
constexpr std::uint32_t no_root = std::numeric_limits<std::uint32_t>::max();

/// An action and the values behind its name.
struct TraceAction {
  enum class Kind : std::uint8_t { local, compute, start, send, receive, exchange, named, collective };

  std::string_view name;
  Kind kind = Kind::local;
  std::uint8_t values = 0;        ///< that it needs
  std::uint8_t values_a_rank = 0; ///< that it needs besides, for each rank
  std::uint8_t root = 0;          ///< collective: the place of its root among the values, from 1; 0: it has none
};

using TraceKind = TraceAction::Kind;

constexpr std::array trace_actions = {
    TraceAction{"init", TraceKind::start},
    TraceAction{"finalize"},
    TraceAction{"comm_size", TraceKind::local, 1},
    TraceAction{"comm_split"},
    TraceAction{"comm_dup"},
    TraceAction{"compute", TraceKind::compute, 1},
    TraceAction{"sleep", TraceKind::compute, 1},
    TraceAction{"location", TraceKind::named, 2},
    TraceAction{"send", TraceKind::send, 3},
    TraceAction{"isend", TraceKind::send, 3},
    TraceAction{"recv", TraceKind::receive, 3},
    TraceAction{"irecv", TraceKind::receive, 3},
    TraceAction{"sendRecv", TraceKind::exchange, 4},
    TraceAction{"wait", TraceKind::local, 3},
    TraceAction{"test", TraceKind::local, 3},
    TraceAction{"waitall"},
    TraceAction{"barrier", TraceKind::collective},
    TraceAction{"bcast", TraceKind::collective, 1, 0, 2},
    TraceAction{"reduce", TraceKind::collective, 2, 0, 3},
    TraceAction{"allreduce", TraceKind::collective, 2},
    TraceAction{"scan", TraceKind::collective, 2},
    TraceAction{"exscan", TraceKind::collective, 2},
    TraceAction{"alltoall", TraceKind::collective, 2},
    TraceAction{"alltoallv", TraceKind::collective, 2, 2},
    TraceAction{"allgather", TraceKind::collective, 2},
    TraceAction{"allgatherv", TraceKind::collective, 1, 1},
    TraceAction{"gather", TraceKind::collective, 2, 0, 3},
    TraceAction{"gatherv", TraceKind::collective, 1, 1, 2},
    TraceAction{"scatter", TraceKind::collective, 2, 0, 3},
    TraceAction{"scatterv", TraceKind::collective, 1, 1, 2},
    TraceAction{"reducescatter", TraceKind::collective, 1, 1},
};

/// The bytes of SMPI's datatypes by their ids, DOUBLE to 2LONG (src/smpi/mpi/smpi_datatype.cpp).
constexpr std::array<std::uint8_t, 38> bytes_of_type = {8, 4, 1, 2, 8, 4, 1, 8,  1,  1, 2, 4, 8,  8,  16, 4, 1, 1,  2,
                                                        4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8, 8, 16, 16, 8,  8, 8, 16, 16};

std::string action_names()
{
  std::vector<std::string_view> names;
  for (const TraceAction& action : trace_actions) {
    names.push_back(action.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Cuts a line into words.
void split_words(std::string_view line, std::vector<std::string_view>& words)
{
  static constexpr std::string_view blanks = " \t\r";
  words.clear();
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blanks, end);
  }
}

bool is_comment(std::string_view line)
{
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

/// The sends and receives from one rank to another with one tag.
struct ChannelCounts {
  std::uint64_t sends = 0;
  std::uint64_t receives = 0;
};

/// A collective as the first rank that came to it has it.
struct Collective {
  std::uint8_t action = 0; ///< in trace_actions
  std::uint32_t root = no_root;
  std::uint32_t rank = 0;
};

std::string collective_text(const Collective& collective)
{
  const std::string_view name = trace_actions[collective.action].name;
  return collective.root == no_root ? std::string(name) : fmt::format("{} with root {}", name, collective.root);
}

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
    for (const auto& [rank, lines] : lines_of_) {
      trace_.bytes_by_rank.push_back(lines.bytes);
      trace_.flops_by_rank.push_back(lines.flops);
    }
    find_unmatched();
    find_unfinished();
    trace_.collectives = lines_of_.at(0).collectives;
    return std::move(trace_);
  }

private:
  struct RankLines {
    std::uint64_t collectives = 0;
    std::uint64_t any = 0;   ///< receives from any rank or with any tag
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
    const auto action = std::ranges::find(trace_actions, words_[1], &TraceAction::name);
    if (action == trace_actions.end()) {
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
      return bytes_of_type[here_->default_type];
    }
    const auto found = number_of_text<std::size_t>(word(value));
    if (!found || *found >= bytes_of_type.size()) {
      fail_value(value, fmt::format("the id of a datatype of SMPI, 0 to {}", bytes_of_type.size() - 1));
    }
    return bytes_of_type[*found];
  }

  ChannelCounts& channel(std::int64_t from, std::int64_t to, std::int64_t tag)
  {
    if (channels_.size() >= most_trace_channels) {
      fail(fmt::format("more than {} pairs of ranks and tags", most_trace_channels));
    }
    return channels_[{to, from, tag}];
  }

  void add_send(std::int64_t to, std::int64_t tag, std::uint64_t elements, std::size_t type_value)
  {
    const std::uint64_t size = type(type_value);
    if (size > 0 && elements > largest_trace_count / size) {
      fail(fmt::format("{}: a message of more than 2^62 bytes", words_[1]));
    }
    ++channel(rank_, to, tag).sends;
    ++trace_.messages;
    here_->bytes = std::min(here_->bytes + elements * size, largest_trace_count);
  }

  void add_receive(std::int64_t from, std::int64_t tag)
  {
    if (from == any_source || tag == any_tag) {
      ++here_->any;
    } else {
      ++channel(from, rank_, tag).receives;
    }
  }

  void add_collective(const TraceAction& action, std::size_t values)
  {
    for (std::size_t i = 0; i < action.values && action.values_a_rank == 0; ++i) {
      count(i);
    }
    if (action.values_a_rank > 0) { // how many it needs is known at the end
      needed_.try_emplace({action.name, values}, fmt::format("{}:{}", name_, line_number_));
    }
    Collective here{.action = static_cast<std::uint8_t>(&action - trace_actions.data()), .rank = rank_};
    if (action.root > 0 && action.values_a_rank == 0) {
      here.root = values >= action.root ? static_cast<std::uint32_t>(peer(action.root - std::size_t{1}, false)) : 0;
    }
    RankLines& lines = *here_;
    if (rank_ == 0 && trace_.first_collectives.size() < TimeIndependentTrace::most_first_collectives) {
      trace_.first_collectives.emplace_back(action.name);
    }
    const std::uint64_t place = lines.collectives++;
    if (place == collectives_.size()) {
      if (collectives_.size() == most_trace_collectives) {
        fail(fmt::format("more than {} collectives", most_trace_collectives));
      }
      collectives_.push_back(here);
      return;
    }
    const Collective& first = collectives_[place];
    if (first.action != here.action || first.root != here.root) {
      trace_.findings.add(FindingKind::matching, only_ ? 0 : line_number_, [&] {
        const bool first_is_lower = first.rank < here.rank;
        const Collective& a = first_is_lower ? first : here;
        const Collective& b = first_is_lower ? here : first;
        return fmt::format("collective {}: rank {} does {}, rank {} {}", place, a.rank, collective_text(a), b.rank,
                           collective_text(b));
      });
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
      const TraceAction& action = *std::ranges::find(trace_actions, name, &TraceAction::name);
      const std::size_t needed = action.values + action.values_a_rank * lines_of_.size();
      if (values < needed) {
        throw InputError(
            fmt::format("{}: {} of {} ranks needs {}", where, name, lines_of_.size(), counted(needed, "value")));
      }
    }
  }

  void find_unmatched()
  {
    std::vector<std::uint64_t> sends(lines_of_.size());
    std::vector<std::uint64_t> receives(lines_of_.size());
    for (const auto& channel : channels_) {
      const auto to = std::get<0>(channel.first);
      const auto from = std::get<1>(channel.first);
      const auto tag = std::get<2>(channel.first);
      const ChannelCounts& counts = channel.second;
      const auto receiver = static_cast<std::uint32_t>(to);
      sends[receiver] += counts.sends;
      receives[receiver] += counts.receives;
      const bool is_excused = lines_of_.at(receiver).any > 0 && counts.sends > counts.receives;
      if (counts.sends != counts.receives && !is_excused) {
        trace_.findings.add(FindingKind::matching, 0, [&] {
          return fmt::format("from {} to {} with tag {}: {}, {}", from, receiver, tag, counted(counts.sends, "send"),
                             counted(counts.receives, "receive"));
        });
      }
    }
    for (const auto& of_rank : lines_of_) {
      const auto rank = of_rank.first;
      const std::uint64_t any = of_rank.second.any;
      if (any > 0 && sends[rank] != receives[rank] + any) {
        trace_.findings.add(FindingKind::matching, 0, [&] {
          return fmt::format("to {}: {}, {}, {} of which with any sender or tag", rank, counted(sends[rank], "send"),
                             counted(receives[rank] + any, "receive"), any);
        });
      }
    }
  }

  void find_unfinished()
  {
    for (const auto& of_rank : lines_of_) {
      const auto rank = of_rank.first;
      const std::uint64_t place = of_rank.second.collectives;
      if (place < collectives_.size()) {
        const Collective& missed = collectives_[place];
        trace_.findings.add(FindingKind::matching, 0, [&] {
          return fmt::format("collective {}: rank {} does {}, rank {} none any more", place, missed.rank,
                             collective_text(missed), rank);
        });
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
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, ChannelCounts> channels_; ///< by receiver
  std::vector<Collective> collectives_;
  std::map<std::pair<std::string_view, std::size_t>, std::string> needed_; ///< by action and values: the first line
  Peer largest_peer_;
};

/// The first line that is no comment.
std::string_view first_line(std::string_view text)
{
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!is_comment(line)) {
      return line;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

std::string first_part(const std::filesystem::path& file)
{
  constexpr std::size_t looked_at = 1 << 12;
  std::string text(looked_at, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// The file that a line of a list names, none where there is none.
std::optional<std::filesystem::path> listed_file(std::string_view line, const std::filesystem::path& list)
{
  const std::size_t begin = line.find_first_not_of(" \t\r");
  const std::size_t end = line.find_last_not_of(" \t\r");
  if (begin == std::string_view::npos || end - begin >= std::size_t{1} << 12 ||
      line.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::filesystem::path name = line.substr(begin, end + 1 - begin);
  for (const std::filesystem::path& file : {name, list.parent_path() / name}) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) {
      return std::filesystem::absolute(file);
    }
  }
  return std::nullopt;
}

std::vector<std::filesystem::path> files_of_list(const std::filesystem::path& list)
{
  std::vector<std::filesystem::path> files;
  std::ifstream in = open_file(list);
  std::string line;
  for (std::uint64_t number = 1; std::getline(in, line); ++number) {
    if (is_comment(line)) {
      continue;
    }
    const auto file = listed_file(line, list);
    if (!file) {
      throw InputError(fmt::format("{}:{}: no file '{}', neither in the working folder nor beside the list",
                                   list.string(), number, printable(line.substr(0, 200))));
    }
    if (files.size() == most_trace_ranks) {
      throw InputError(fmt::format("{}:{}: more than {} files", list.string(), number, most_trace_ranks));
    }
    files.push_back(*file);
  }
  return files;
}

/// The files of a folder by the rank of their first lines.
std::vector<std::filesystem::path> files_of_folder(const std::filesystem::path& folder)
{
  std::map<std::uint32_t, std::filesystem::path> by_rank;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = entry.is_regular_file() ? first_part(entry.path()) : std::string();
    if (!begins_time_independent(text)) {
      continue;
    }
    std::vector<std::string_view> words;
    split_words(first_line(text), words);
    const auto rank = number_of_text<std::uint32_t>(words.front());
    const auto [known, is_new] = by_rank.emplace(rank.value_or(0), std::filesystem::absolute(entry.path()));
    if (!is_new) {
      throw InputError(fmt::format("{}: rank {} begins both in {} and in {}", folder.string(), known->first,
                                   known->second.filename().string(), entry.path().filename().string()));
    }
  }
  if (by_rank.empty()) {
    throw InputError(
        fmt::format("{}: no file in this folder begins as a time-independent trace (\"0 init\") or is called "
                    "as one of Chakra (NAME.RANK.et)",
                    folder.string()));
  }
  std::vector<std::filesystem::path> files;
  std::uint32_t next = 0;
  for (const auto& [rank, file] : by_rank) {
    if (rank != next++) {
      throw InputError(fmt::format("{}: no file of rank {}, but one of rank {}", folder.string(), next - 1, rank));
    }
    files.push_back(file);
  }
  return files;
}

void write_lines(const std::filesystem::path& file, std::string_view lines)
{
  std::ofstream out(file, std::ios::binary);
  out << lines << std::flush;
  if (!out) {
    throw FileError(fmt::format("{}: cannot be written", file.string()));
  }
}

} // namespace

TimeIndependentTrace read_time_independent(std::istream& in, std::string_view name)
{
  TraceReader reader;
  reader.read(in, name, std::nullopt);
  return reader.finish(name);
}

TimeIndependentTrace read_time_independent(const std::filesystem::path& trace)
{
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(trace)) {
    files = files_of_folder(trace);
  } else if (!begins_time_independent(first_part(trace))) {
    files = files_of_list(trace);
  }
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

bool begins_time_independent(std::string_view text)
{
  std::vector<std::string_view> words;
  split_words(first_line(text), words);
  const auto is_letter = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  };
  return words.size() >= 2 && number_of_text<std::uint32_t>(words[0]) && is_letter(words[1].front());
}

bool lists_time_independent(std::string_view text, const std::filesystem::path& list)
{
  const auto file = listed_file(first_line(text), list);
  return file && begins_time_independent(first_part(*file));
}

std::filesystem::path write_replay_list(const TimeIndependentTrace& trace, const std::filesystem::path& folder)
{
  std::string list;
  if (trace.files.size() > 1 || trace.ranks == 1) {
    for (const std::filesystem::path& file : trace.files) {
      list += file.string() + "\n";
    }
  } else {
    std::vector<std::string> lines_of(trace.ranks);
    std::ifstream in = open_file(trace.files.front());
    std::vector<std::string_view> words;
    for (std::string line; std::getline(in, line);) {
      if (!is_comment(line)) {
        split_words(line, words);
        lines_of.at(number_of_text<std::uint32_t>(words.front()).value_or(trace.ranks)) += line + "\n";
      }
    }
    for (std::size_t rank = 0; rank < lines_of.size(); ++rank) {
      const std::filesystem::path file = std::filesystem::absolute(folder / fmt::format("rank-{}.txt", rank));
      write_lines(file, lines_of[rank]);
      list += file.string() + "\n";
    }
  }
  std::filesystem::path file = folder / "replay.txt";
  write_lines(file, list);
  return file;
}

} // namespace wormcast
