#include "wormcast/experiments/config/booksim_traffic.hpp"

#include "wormcast/experiments/config/trimmed.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

constexpr std::array pattern_names =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"uniform", "uniform"},
                                                                  {"transpose", "transpose"},
                                                                  {"bitcomp", "bit_complement"},
                                                                  {"bitrev", "bit_reverse"},
                                                                  {"shuffle", "shuffle"},
                                                                  {"tornado", "tornado"},
                                                                  {"neighbor", "neighbour"},
                                                                  {"randperm", "permutation"}});

constexpr std::int64_t most_classes = 64;

/// The elements of "{a,{b,c}}", here "a" and "{b,c}"; a text without braces is its one element.
std::vector<std::string_view> elements_of(std::string_view text)
{
  text = trimmed(text);
  if (!text.starts_with('{') || !text.ends_with('}')) {
    return {text};
  }
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> elements;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      elements.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    } else {
      depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    }
  }
  return elements;
}

/// What an option says of a class. In braces there is an element for each class; the last one is that of all further
/// classes.
std::string_view of_class(const BookSimOptions& options, std::string_view name, std::size_t number)
{
  const std::vector<std::string_view> elements = elements_of(options.text(name));
  return elements[std::min(number, elements.size() - 1)];
}

/// A decimal number in [least, most]; none, and an error, where it is anything else.
std::optional<double> decimal(BookSimOptions& options, std::string_view name, std::size_t number, double least,
                              double most)
{
  const auto read = number_of_text<double>(of_class(options, name, number));
  const bool is_within = read && *read >= least && *read <= most; // false of "nan", too
  if (!is_within) {
    options.refuse(name, fmt::format("a number from {} to {}", least, most));
    return std::nullopt;
  }
  return read;
}

/// Whole numbers from 1 on of a class; empty, and an error, where there are others.
std::vector<std::int64_t> whole_numbers(BookSimOptions& options, std::string_view name, std::size_t number)
{
  constexpr std::int64_t most = 1'000'000;
  std::vector<std::int64_t> numbers;
  for (const std::string_view element : elements_of(of_class(options, name, number))) {
    const auto read = number_of_text<std::int64_t>(element);
    if (!read || *read < 1 || *read > most) {
      options.refuse(name, fmt::format("whole numbers from 1 to {}", most));
      return {};
    }
    numbers.push_back(*read);
  }
  return numbers;
}

/// Lengths of packets in flits, each with its weight.
struct PacketLengths {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> weights;

  double mean() const
  {
    double sum = 0;
    double total = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      sum += static_cast<double>(sizes[i] * weights[i]);
      total += static_cast<double>(weights[i]);
    }
    return sum / total;
  }

  std::string toml() const
  {
    if (sizes.size() == 1) {
      return fmt::format("{}", sizes.front());
    }
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      entries.push_back(fmt::format("{{ bytes = {}, weight = {} }}", sizes[i], weights[i]));
    }
    return fmt::format("[{}]", fmt::join(entries, ", "));
  }
};

bool has_earlier_lengths(const BookSimOptions& options)
{
  return !options.given("packet_size") && options.given("const_flits_per_packet");
}

/// Of earlier versions `const_flits_per_packet` is the length.
PacketLengths packet_lengths(BookSimOptions& options, std::size_t number)
{
  const bool earlier = has_earlier_lengths(options);
  PacketLengths lengths;
  lengths.sizes = whole_numbers(options, earlier ? "const_flits_per_packet" : "packet_size", number);
  lengths.weights = whole_numbers(options, "packet_size_rate", number);
  if (lengths.sizes.empty() || lengths.weights.empty()) {
    return {.sizes = {1}, .weights = {1}}; // the errors are there
  }
  if (lengths.weights.size() == 1) {
    lengths.weights.assign(lengths.sizes.size(), lengths.weights.front());
  }
  if (lengths.weights.size() != lengths.sizes.size()) {
    options.refuse("packet_size_rate", fmt::format("as many as packet_size has, {}", lengths.sizes.size()));
    return {.sizes = {1}, .weights = {1}};
  }
  return lengths;
}

/// Adds a text that is not there.
void add_once(std::vector<std::string>& texts, std::string text)
{
  if (std::ranges::find(texts, text) == texts.end()) {
    texts.push_back(std::move(text));
  }
}

/// "hotspot({{27,36}})" and "hotspot({{27,36},{1,1}})" as a table `hot_spot`: all messages go to a hot spot, to each
/// with the same probability. None where the hot spots are drawn, or drawn from with other probabilities.
std::optional<std::string> hot_spot_of(std::string_view pattern)
{
  constexpr std::string_view begin = "hotspot(";
  if (!pattern.starts_with(begin) || !pattern.ends_with(')')) {
    return std::nullopt;
  }
  const std::vector<std::string_view> arguments =
      elements_of(pattern.substr(begin.size(), pattern.size() - begin.size() - 1));
  std::vector<std::uint32_t> nodes;
  for (const std::string_view element : elements_of(arguments.front())) {
    const auto node = number_of_text<std::uint32_t>(element);
    if (!node || std::ranges::find(nodes, *node) != nodes.end()) {
      return std::nullopt;
    }
    nodes.push_back(*node);
  }
  const std::vector<std::string_view> rates =
      arguments.size() == 2 ? elements_of(arguments[1]) : std::vector<std::string_view>{"1"};
  const bool are_equal = std::ranges::all_of(
      rates, [&](std::string_view rate) { return rate == rates.front() && number_of_text<std::uint32_t>(rate) > 0; });
  if (arguments.size() > 2 || !are_equal) {
    return std::nullopt;
  }
  return fmt::format("{{ nodes = [{}], share = 1.0 }}", fmt::join(nodes, ", "));
}

/// The lines of a class that say where its messages go.
std::string pattern_lines(const BookSimOptions& options, std::size_t number, ImportedTraffic& traffic)
{
  const std::string_view name = of_class(options, "traffic", number);
  const auto pattern = std::ranges::find(pattern_names, name, &std::pair<std::string_view, std::string_view>::first);
  if (pattern != pattern_names.end()) {
    return fmt::format("pattern = \"{}\"\n", pattern->second);
  }
  const std::optional<std::string> hot_spot = hot_spot_of(name);
  if (!hot_spot) {
    add_once(traffic.uncovered, "traffic = " + printable(std::string(name)));
    return {};
  }
  return fmt::format("pattern = \"hot_spot\"\nhot_spot = {}\n", *hot_spot);
}

/// The lines of a class that say when its messages are generated, `rate` packets in a cycle and node.
std::string arrival_lines(BookSimOptions& options, std::size_t number, double rate, ImportedTraffic& traffic)
{
  const std::string process(of_class(options, "injection_process", number));
  if (process == "bernoulli") {
    return "arrival = \"bernoulli\"\n";
  }
  if (process != "on_off") {
    add_once(traffic.uncovered, "injection_process = " + printable(process));
    return {};
  }
  const auto alpha = decimal(options, "burst_alpha", number, 0, 1);
  const auto beta = decimal(options, "burst_beta", number, 0, 1);
  const auto given_rate = decimal(options, "burst_r1", number, -1, 1);
  if (!alpha || !beta || !given_rate || *alpha == 0 || *beta == 0) {
    add_once(traffic.uncovered, "injection_process = on_off with burst_alpha or burst_beta 0");
    return {};
  }
  const double duty = *alpha / (*alpha + *beta);
  const double burst = rate / duty / *beta;
  if (*given_rate >= 0 || burst < 1) {
    add_once(traffic.uncovered, *given_rate >= 0 ? "injection_process = on_off with burst_r1"
                                                 : "injection_process = on_off with less than one packet in a burst");
    return {};
  }
  add_once(traffic.notes, "injection_process = on_off: bursts of the same mean length and share of time, in which "
                          "messages are generated as by Poisson");
  return fmt::format("arrival = \"on_off\"\non_off = {{ burst = {:.12g}, duty = {:.12g} }}\n", burst, duty);
}

/// One class of traffic.
struct BookSimClass {
  double load = 0; // flits in a cycle and node; 0: it has no messages, and none of the lines
  std::string pattern;
  std::string lengths;
  std::string arrival;
};

BookSimClass class_of(BookSimOptions& options, std::size_t number, ImportedTraffic& traffic)
{
  const PacketLengths lengths = packet_lengths(options, number);
  const double rate = decimal(options, "injection_rate", number, 0, 1000).value_or(1);
  const bool in_flits = options.number("injection_rate_uses_flits", 0, 1) == 1;
  const double load = in_flits ? rate : rate * lengths.mean();
  if (load == 0) {
    return {};
  }
  return {.load = load,
          .pattern = pattern_lines(options, number, traffic),
          .lengths = fmt::format("bytes = {}\n", lengths.toml()),
          .arrival = arrival_lines(options, number, load / lengths.mean(), traffic)};
}

/// The tables of classes that have messages.
std::string class_tables(BookSimOptions& options, const std::vector<BookSimClass>& classes)
{
  constexpr std::int64_t highest_priority = 255;
  std::string tables;
  for (std::size_t number = 0; number < classes.size(); ++number) {
    const BookSimClass& one = classes[number];
    if (one.load == 0) {
      continue;
    }
    tables +=
        fmt::format("\n[traffic.classes.class{}]\nweight = {:.12g}   # flits in a cycle and node\n", number, one.load);
    if (options.text("priority") == "class") {
      const auto priority = number_of_text<std::int64_t>(of_class(options, "class_priority", number));
      if (!priority || *priority < 0 || *priority > highest_priority) {
        options.refuse("class_priority", fmt::format("whole numbers from 0 to {}", highest_priority));
        continue;
      }
      tables += fmt::format("priority = {}\n", *priority);
    }
    tables += one.pattern + one.lengths + one.arrival;
  }
  return tables;
}

} // namespace

ImportedTraffic import_booksim_traffic(BookSimOptions& options)
{
  ImportedTraffic traffic;
  const std::string sim_type = options.text("sim_type");
  if (sim_type != "latency" && sim_type != "throughput") {
    traffic.uncovered.push_back("sim_type = " + printable(sim_type));
  }
  if (has_earlier_lengths(options)) {
    traffic.notes.emplace_back("const_flits_per_packet is the length of packets as in earlier versions of BookSim2; "
                               "later ones read packet_size");
  }
  const auto class_count = static_cast<std::size_t>(options.number("classes", 1, most_classes));
  std::vector<BookSimClass> classes;
  double load = 0;
  for (std::size_t number = 0; number < class_count; ++number) {
    classes.push_back(class_of(options, number, traffic));
    load += classes.back().load;
  }
  if (load == 0) {
    traffic.uncovered.emplace_back("injection_rate = 0");
  }
  const std::int64_t warm_up =
      options.number("warmup_periods", 0, 1'000'000) * options.number("sample_period", 1, 1'000'000'000);
  const std::string seed = options.text("seed");
  const std::int64_t seed_number = seed == "time" ? 0 : options.number("seed", 0, std::int64_t{1} << 31);
  if (!traffic.uncovered.empty()) {
    return traffic;
  }
  const BookSimClass& only = classes.front();
  traffic.toml = class_count > 1 ? "\n[traffic]\ninclude_self = true\n"
                                 : fmt::format("\n[traffic]\n{}include_self = true\n{}{}", only.pattern, only.lengths,
                                               only.arrival);
  if (warm_up > 0) {
    traffic.toml += fmt::format("warm_up = \"{}ns\"\n", warm_up);
  }
  if (class_count > 1) {
    traffic.toml += class_tables(options, classes);
    traffic.differences.push_back(
        fmt::format("classes = {}: a node sends its messages one after the other, those of higher priority first; in "
                    "BookSim2 each class has a queue of its own there, and their flits alternate",
                    class_count));
  }
  traffic.toml += fmt::format("\n[load]\npoints = [{:.12g}]   # flits in a cycle and node\nsaturation = false\n", load);
  if (options.given("seed")) {
    traffic.toml += fmt::format("\n[run]\nseed = {}\n", seed_number);
  }
  return traffic;
}

} // namespace wormcast
