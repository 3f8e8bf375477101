#include "wormcast/topologies/graph_files/anynet.hpp"

#include "wormcast/topologies/graph_files/word_lines.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr std::uint32_t most_number = 1U << 24;

std::optional<std::uint32_t> number_of(const Word& word)
{
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), number);
  if (error != std::errc{} || stop != word.text.data() + word.text.size() || number > most_number) {
    return std::nullopt;
  }
  return number;
}

struct Place {
  bool is_router = false;
  std::uint32_t number = 0;
};

class Reader {
public:
  void read_line(const std::vector<Word>& words)
  {
    std::size_t at = 0;
    const std::size_t line = words.front().line;
    const Place head = read_place(words, at);
    if (at == words.size()) {
      throw InputError(fmt::format("line {}: found nothing behind the first {}, expected what is linked to it", line,
                                   head.is_router ? "router" : "node"));
    }
    while (at < words.size()) {
      const Place other = read_place(words, at);
      std::uint32_t latency = 1;
      if (at < words.size()) {
        if (const auto number = number_of(words[at])) {
          latency = *number;
          ++at;
        }
      }
      link(head, other, latency, line);
    }
  }

  ParsedGraph finish() const
  {
    ParsedGraph graph;
    graph.directed = true;
    check_numbers(hosts_, "node");
    check_numbers(routers_, "router");
    for (std::uint32_t host = 0; host < hosts_.size(); ++host) {
      graph.nodes.push_back({.id = fmt::format("node{}", host)});
    }
    for (std::uint32_t router = 0; router < routers_.size(); ++router) {
      graph.nodes.push_back({.id = fmt::format("router{}", router), .kind = "switch"});
    }
    const auto switch_of = [&](std::uint32_t router) {
      return NodeId{static_cast<std::uint32_t>(hosts_.size()) + router};
    };
    const auto add = [&](NodeId from, NodeId to, std::uint32_t latency) {
      graph.edges.push_back({.ends = {from, to}, .link_class = fmt::format("latency {}", latency)});
    };
    for (const auto& [host, attached] : hosts_) {
      add(NodeId{host}, switch_of(attached.router), attached.latency);
      add(switch_of(attached.router), NodeId{host}, attached.latency);
    }
    for (const auto& [ends, latency] : links_) {
      add(switch_of(ends.first), switch_of(ends.second), latency.value_or(1));
    }
    return graph;
  }

private:
  struct Attached {
    std::uint32_t router = 0;
    std::uint32_t latency = 1;
  };

  static Place read_place(const std::vector<Word>& words, std::size_t& at)
  {
    const Word& kind = words[at];
    if (kind.text != "router" && kind.text != "node") {
      throw InputError(
          fmt::format("line {}: found \"{}\", expected \"router\" or \"node\"", kind.line, printable(kind.text)));
    }
    const std::optional<std::uint32_t> number =
        at + 1 < words.size() ? number_of(words[at + 1]) : std::optional<std::uint32_t>();
    if (!number) {
      throw InputError(fmt::format("line {}: found \"{}\" without its number, expected one from 0 to {}", kind.line,
                                   kind.text, most_number));
    }
    at += 2;
    return {.is_router = kind.text == "router", .number = *number};
  }

  void link(const Place& head, const Place& other, std::uint32_t latency, std::size_t line)
  {
    if (!head.is_router && !other.is_router) {
      throw InputError(fmt::format("line {}: found a link between nodes {} and {}, expected a router at one end", line,
                                   head.number, other.number));
    }
    if (head.is_router && other.is_router) {
      link_routers(head.number, other.number, latency, line);
      return;
    }
    const std::uint32_t router = head.is_router ? head.number : other.number;
    const std::uint32_t host = head.is_router ? other.number : head.number;
    routers_.emplace(router, 0);
    const auto [at, is_new] = hosts_.emplace(host, Attached{.router = router, .latency = latency});
    if (!is_new) {
      throw InputError(fmt::format("line {}: found node {} again, which is linked to router {}, expected one link of a "
                                   "node",
                                   line, host, at->second.router));
    }
  }

  void link_routers(std::uint32_t from, std::uint32_t to, std::uint32_t latency, std::size_t line)
  {
    if (from == to) {
      throw InputError(fmt::format("line {}: found a link from router {} to itself", line, from));
    }
    routers_.emplace(from, 0);
    routers_.emplace(to, 0);
    links_.try_emplace({to, from}); // its latency may come later
    std::optional<std::uint32_t>& known = links_[{from, to}];
    if (known && *known != latency) {
      throw InputError(fmt::format("line {}: found latency {} from router {} to router {}, which has latency {} before",
                                   line, latency, from, to, *known));
    }
    known = latency;
  }

  template <typename Value>
  static void check_numbers(const std::map<std::uint32_t, Value>& numbered, std::string_view what)
  {
    std::uint32_t expected = 0;
    for (const auto& [number, value] : numbered) {
      if (number != expected) {
        throw InputError(
            fmt::format("found {0} {1} but no {0} {2}, expected numbers from 0 on", what, number, expected));
      }
      ++expected;
    }
  }

  std::map<std::uint32_t, Attached> hosts_;                                               ///< by node
  std::map<std::uint32_t, int> routers_;                                                  ///< those that are named
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<std::uint32_t>> links_; ///< latency from, to
};

} // namespace

ParsedGraph read_anynet(std::string_view text)
{
  Reader reader;
  for (const std::vector<Word>& words : words_by_line(text, '\0')) {
    reader.read_line(words);
  }
  return reader.finish();
}

} // namespace wormcast
