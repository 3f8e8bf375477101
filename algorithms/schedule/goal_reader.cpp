#include "wormcast/algorithms/schedule/goal_scanner.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <istream>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace wormcast {

namespace {

constexpr std::uint64_t picoseconds_in_nanosecond = 1000;
constexpr std::uint32_t most_goal_ranks = 1U << 26;

/// Reads statement after statement.
class GoalReader {
public:
  GoalReader(std::istream& in, std::string_view name) : scanner_(in, name) { advance(); }

  Program read()
  {
    skip_line_ends();
    expect_word("num_ranks");
    const GoalToken count = expect_number("the number of ranks");
    if (count.negative || count.number < 1 || count.number > most_goal_ranks) {
      scanner_.fail(count, fmt::format("found {} ranks, expected from 1 to {}", count.text, most_goal_ranks));
    }
    program_.ranks = static_cast<std::uint32_t>(count.number);
    std::vector<bool> seen(program_.ranks);
    for (skip_line_ends(); token_.kind != GoalToken::Kind::end; skip_line_ends()) {
      expect_word("rank");
      const GoalToken at = token_;
      const std::uint32_t rank = read_rank("a rank");
      if (seen[rank]) {
        scanner_.fail(at, fmt::format("rank {} a second time, expected each once", rank));
      }
      seen[rank] = true;
      read_rank_body(rank);
    }
    number_messages();
    check_matches();
    check_no_cycle();
    return std::move(program_);
  }

private:
  struct Label {
    std::uint32_t action = 0;
  };
  struct NamedDependency {
    GoalToken after;
    GoalToken before;
    bool on_start = false;
  };

  void advance() { token_ = scanner_.next(); }

  GoalToken take()
  {
    GoalToken taken = std::move(token_);
    advance();
    return taken;
  }

  void skip_line_ends()
  {
    while (token_.kind == GoalToken::Kind::line_end) {
      advance();
    }
  }

  [[noreturn]] void fail_expected(const std::string& expected) const
  {
    const bool at_end = token_.kind == GoalToken::Kind::end;
    scanner_.fail(token_, fmt::format("found {}, expected {}",
                                      at_end                                     ? "the end of the file"
                                      : token_.kind == GoalToken::Kind::line_end ? token_.text
                                                                                 : fmt::format("\"{}\"", token_.text),
                                      expected));
  }

  bool is_word(std::string_view word) const { return token_.kind == GoalToken::Kind::word && token_.text == word; }

  void expect_word(const std::string& word)
  {
    if (!is_word(word)) {
      fail_expected("\"" + word + "\"");
    }
    advance();
  }

  GoalToken expect_number(const std::string& what)
  {
    if (token_.kind != GoalToken::Kind::number) {
      fail_expected(what);
    }
    return take();
  }

  void expect_line_end(const std::string& others)
  {
    if (token_.kind == GoalToken::Kind::close) {
      return;
    }
    if (token_.kind != GoalToken::Kind::line_end) {
      fail_expected(others + "the end of the line");
    }
    advance();
  }

  /// A number that fits 32 bits, with a sign only where `any` is (for -1: none).
  std::optional<std::uint32_t> read_small(const std::string& what, bool any)
  {
    const GoalToken number = expect_number(what);
    if (number.negative) {
      if (any && number.number == 1) {
        return std::nullopt;
      }
      scanner_.fail(number, fmt::format("found {}, expected {}{}", number.text, what, any ? " or -1" : ""));
    }
    if (number.number >= std::numeric_limits<std::uint32_t>::max()) {
      scanner_.fail(number, fmt::format("found {}, expected {} below 2^32 - 1", number.text, what));
    }
    return static_cast<std::uint32_t>(number.number);
  }

  std::uint32_t read_rank(const std::string& what)
  {
    const GoalToken at = token_;
    const std::uint32_t rank = *read_small(what, false);
    if (rank >= program_.ranks) {
      scanner_.fail(at, fmt::format("found rank {}, expected one from 0 to {}", rank, program_.ranks - 1));
    }
    return rank;
  }

  void read_rank_body(std::uint32_t rank)
  {
    if (token_.kind != GoalToken::Kind::open) {
      fail_expected("\"{\"");
    }
    advance();
    labels_.clear();
    named_.clear();
    for (skip_line_ends(); token_.kind != GoalToken::Kind::close; skip_line_ends()) {
      if (token_.kind != GoalToken::Kind::word) {
        fail_expected("send, recv, calc, a label, or \"}\"");
      }
      const bool is_action = is_word("send") || is_word("recv") || is_word("calc");
      if (is_action) {
        read_action(rank);
      } else {
        read_labelled(rank);
      }
    }
    advance();
    for (const NamedDependency& named : named_) {
      program_.dependencies.push_back({label_of(named.before), label_of(named.after), named.on_start});
    }
  }

  std::uint32_t label_of(const GoalToken& label) const
  {
    const auto found = labels_.find(label.text);
    if (found == labels_.end()) {
      scanner_.fail(label, fmt::format("no action of this rank has the label \"{}\"", label.text));
    }
    return found->second.action;
  }

  void read_labelled(std::uint32_t rank)
  {
    const GoalToken label = take();
    if (token_.kind == GoalToken::Kind::colon) {
      advance();
      if (!labels_.emplace(label.text, Label{next_action()}).second) {
        scanner_.fail(label, fmt::format("the label \"{}\" a second time in this rank", label.text));
      }
      read_action(rank);
      return;
    }
    if (!is_word("requires") && !is_word("irequires")) {
      fail_expected("\":\", \"requires\" or \"irequires\"");
    }
    const bool on_start = is_word("irequires");
    advance();
    if (token_.kind != GoalToken::Kind::word) {
      fail_expected("a label");
    }
    named_.push_back({label, take(), on_start});
    expect_line_end("");
  }

  std::uint32_t next_action() const
  {
    if (program_.actions.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw InputError("a program of more than 2^32 - 1 actions");
    }
    return static_cast<std::uint32_t>(program_.actions.size());
  }

  void read_action(std::uint32_t rank)
  {
    ProgramAction action;
    action.rank = rank;
    action.line = token_.line;
    next_action();
    if (is_word("calc")) {
      advance();
      read_calc(action);
    } else if (is_word("send") || is_word("recv")) {
      action.kind = is_word("send") ? ProgramAction::Kind::send : ProgramAction::Kind::receive;
      advance();
      read_message(action);
    } else {
      fail_expected("send, recv or calc");
    }
    program_.actions.push_back(action);
  }

  void read_calc(ProgramAction& action)
  {
    const GoalToken time = expect_number("a number of nanoseconds");
    if (time.negative || time.number > largest_goal_number / picoseconds_in_nanosecond) {
      scanner_.fail(time, fmt::format("found {}, expected a number of nanoseconds up to {}", time.text,
                                      largest_goal_number / picoseconds_in_nanosecond));
    }
    action.duration = Time{static_cast<std::int64_t>(time.number * picoseconds_in_nanosecond)};
    if (is_word("cpu")) {
      advance();
      action.cpu = *read_small("the number of a processor", false);
    }
    expect_line_end("\"cpu\" or ");
  }

  void read_message(ProgramAction& action)
  {
    const bool sends = action.kind == ProgramAction::Kind::send;
    const GoalToken size = expect_number("a number of bytes, such as 64b");
    if (size.negative) {
      scanner_.fail(size, fmt::format("found {} bytes, expected 0 or more", size.text));
    }
    action.bytes = size.number;
    expect_word("b");
    expect_word(sends ? "to" : "from");
    const GoalToken at = token_;
    if (!sends && at.kind == GoalToken::Kind::number && at.negative) {
      read_small("a rank", true);
      action.any_peer = true;
    } else {
      action.peer = read_rank("a rank");
      if (action.peer == action.rank) {
        scanner_.fail(at, fmt::format("rank {} {} itself, expected another rank", action.rank,
                                      sends ? "sends to" : "receives from"));
      }
    }
    if (is_word("tag")) {
      advance();
      action.tag = read_small("a tag", !sends);
    }
    if (is_word("cpu")) {
      advance();
      action.cpu = *read_small("the number of a processor", false);
    }
    if (is_word("nic")) {
      advance();
      read_small("the number of a network interface", false);
    }
    expect_line_end("\"tag\", \"cpu\", \"nic\" or ");
  }

  /// Sends get the ids of their tags where these are 0 to n - 1, each once, as write_schedule_goal writes them.
  void number_messages()
  {
    std::vector<std::uint32_t> in_order;
    for (std::uint32_t i = 0; i < program_.actions.size(); ++i) {
      if (program_.actions[i].kind == ProgramAction::Kind::send) {
        in_order.push_back(i);
      }
    }
    std::vector<std::uint32_t> by_tag(in_order.size(), 0);
    std::vector<bool> used(in_order.size());
    program_.sends = in_order;
    for (const std::uint32_t action : in_order) {
      const std::uint32_t tag = program_.actions[action].tag.value_or(0);
      if (tag >= used.size() || used[tag]) {
        return;
      }
      used[tag] = true;
      by_tag[tag] = action;
    }
    program_.sends = std::move(by_tag);
  }

  /// The numbers of sends and receives between two ranks with one tag must be equal, if the receives name their sender.
  void check_matches() const
  {
    std::vector<bool> takes_any(program_.ranks);
    struct Counts {
      std::uint64_t sends = 0;
      std::uint64_t receives = 0;
      std::uint32_t last_send = 0;
      std::uint32_t last_receive = 0;
    };
    std::map<std::array<std::uint32_t, 3>, Counts> counts;
    for (const ProgramAction& action : program_.actions) {
      if (action.kind == ProgramAction::Kind::receive && (action.any_peer || !action.tag)) {
        takes_any[action.rank] = true;
      } else if (action.kind == ProgramAction::Kind::receive) {
        Counts& count = counts[{action.rank, action.peer, *action.tag}];
        ++count.receives;
        count.last_receive = action.line;
      } else if (action.kind == ProgramAction::Kind::send) {
        Counts& count = counts[{action.peer, action.rank, *action.tag}];
        ++count.sends;
        count.last_send = action.line;
      }
    }
    for (const auto& [channel, count] : counts) {
      const auto& [receiver, sender, tag] = channel;
      if (takes_any[receiver] || count.sends == count.receives) {
        continue;
      }
      const bool too_many = count.sends > count.receives;
      scanner_.fail(too_many ? count.last_send : count.last_receive, 1,
                    fmt::format("rank {} sends {} messages with tag {} to rank {}, which receives {}", sender,
                                count.sends, tag, receiver, count.receives));
    }
  }

  /// Sort in the order of dependencies (Kahn, 1962).
  void check_no_cycle() const
  {
    const std::size_t count = program_.actions.size();
    std::vector<std::uint32_t> missing(count);
    std::vector<std::size_t> begin(count + 1);
    for (const ProgramDependency& dependency : program_.dependencies) {
      ++missing[dependency.after];
      ++begin[dependency.before + std::size_t{1}];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> later(program_.dependencies.size());
    std::vector<std::size_t> place(begin.begin(), begin.end() - 1);
    for (const ProgramDependency& dependency : program_.dependencies) {
      later[place[dependency.before]++] = dependency.after;
    }
    std::vector<std::uint32_t> free;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (missing[i] == 0) {
        free.push_back(i);
      }
    }
    for (std::size_t i = 0; i < free.size(); ++i) {
      for (std::size_t j = begin[free[i]]; j < begin[free[i] + std::size_t{1}]; ++j) {
        if (--missing[later[j]] == 0) {
          free.push_back(later[j]);
        }
      }
    }
    if (free.size() < count) {
      const auto stuck = std::ranges::find_if(missing, [](std::uint32_t left) { return left > 0; });
      scanner_.fail(program_.actions[static_cast<std::size_t>(stuck - missing.begin())].line, 1,
                    "this action waits, directly or through others, for one that waits for it");
    }
  }

  GoalScanner scanner_;
  GoalToken token_;
  Program program_;
  std::map<std::string, Label> labels_;
  std::vector<NamedDependency> named_;
};

} // namespace

Program read_program(std::istream& in, std::string_view name)
{
  return GoalReader(in, name).read();
}

Program read_program(const std::filesystem::path& file)
{
  std::ifstream in = open_file(file);
  return read_program(in, file.string());
}

Schedule program_schedule(Program program, std::vector<NodeId> node_of_rank)
{
  Schedule schedule;
  schedule.operation = Operation::none;
  for (const std::uint32_t sent : program.sends) {
    const ProgramAction& action = program.actions[sent];
    schedule.messages.push_back(
        {.step = 0, .source = node_of_rank[action.rank], .destination = node_of_rank[action.peer], .blocks = {}});
    schedule.plain.push_back({.bytes = action.bytes, .start = Time{}});
  }
  program.node_of_rank = std::move(node_of_rank);
  schedule.program = std::make_shared<const Program>(std::move(program));
  return schedule;
}

} // namespace wormcast
