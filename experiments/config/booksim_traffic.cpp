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

/// What an option says of the first class, of which there is one alone.
std::string_view of_first_class(const BookSimOptions& options, std::string_view name)
{
  return elements_of(options.text(name)).front();
}

/// A decimal number in [least, most]; none, and an error, where it is anything else.
std::optional<double> decimal(BookSimOptions& options, std::string_view name, double least, double most)
{
  const auto read = number_of_text<double>(of_first_class(options, name));
  const bool is_within = read && *read >= least && *read <= most; // false of "nan", too
  if (!is_within) {
    options.refuse(name, fmt::format("a number from {} to {}", least, most));
    return std::nullopt;
  }
  return read;
}

/// Whole numbers from 1 on of the first class; empty, and an error, where there are others.
std::vector<std::int64_t> whole_numbers(BookSimOptions& options, std::string_view name)
{
  constexpr std::int64_t most = 1'000'000;
  std::vector<std::int64_t> numbers;
  for (const std::string_view element : elements_of(of_first_class(options, name))) {
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

/// Of earlier versions `const_flits_per_packet` is the length.
PacketLengths packet_lengths(BookSimOptions& options, std::vector<std::string>& notes)
{
  const bool earlier = !options.given("packet_size") && options.given("const_flits_per_packet");
  if (earlier) {
    notes.emplace_back("const_flits_per_packet is the length of packets as in earlier versions of BookSim2; later ones "
                       "read packet_size");
  }
  PacketLengths lengths;
  lengths.sizes = whole_numbers(options, earlier ? "const_flits_per_packet" : "packet_size");
  lengths.weights = whole_numbers(options, "packet_size_rate");
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

/// The lines of [traffic] that say when messages are generated, `rate` packets in a cycle and node.
std::string arrival_lines(BookSimOptions& options, double rate, ImportedTraffic& traffic)
{
  const std::string process(of_first_class(options, "injection_process"));
  if (process == "bernoulli") {
    return "arrival = \"bernoulli\"\n";
  }
  if (process != "on_off") {
    traffic.uncovered.push_back("injection_process = " + printable(process));
    return {};
  }
  const auto alpha = decimal(options, "burst_alpha", 0, 1);
  const auto beta = decimal(options, "burst_beta", 0, 1);
  const auto given_rate = decimal(options, "burst_r1", -1, 1);
  if (!alpha || !beta || !given_rate || *alpha == 0 || *beta == 0) {
    traffic.uncovered.emplace_back("injection_process = on_off with burst_alpha or burst_beta 0");
    return {};
  }
  const double duty = *alpha / (*alpha + *beta);
  const double burst = rate / duty / *beta;
  if (*given_rate >= 0 || burst < 1) {
    traffic.uncovered.emplace_back(*given_rate >= 0
                                       ? "injection_process = on_off with burst_r1"
                                       : "injection_process = on_off with less than one packet in a burst");
    return {};
  }
  traffic.notes.emplace_back("injection_process = on_off: bursts of the same mean length and share of time, in which "
                             "messages are generated as by Poisson");
  return fmt::format("arrival = \"on_off\"\non_off = {{ burst = {:.12g}, duty = {:.12g} }}\n", burst, duty);
}

} // namespace

ImportedTraffic import_booksim_traffic(BookSimOptions& options)
{
  ImportedTraffic traffic;
  const std::string name(of_first_class(options, "traffic"));
  const auto pattern = std::ranges::find(pattern_names, name, &std::pair<std::string_view, std::string_view>::first);
  if (pattern == pattern_names.end()) {
    traffic.uncovered.push_back("traffic = " + printable(name));
  }
  const std::string sim_type = options.text("sim_type");
  if (sim_type != "latency" && sim_type != "throughput") {
    traffic.uncovered.push_back("sim_type = " + printable(sim_type));
  }
  const PacketLengths lengths = packet_lengths(options, traffic.notes);
  const double given_rate = decimal(options, "injection_rate", 0, 1000).value_or(1);
  const bool in_flits = options.number("injection_rate_uses_flits", 0, 1) == 1;
  const double load = in_flits ? given_rate : given_rate * lengths.mean();
  if (load == 0) {
    traffic.uncovered.emplace_back("injection_rate = 0");
  }
  const std::string arrival = arrival_lines(options, load / lengths.mean(), traffic);
  const std::int64_t warm_up =
      options.number("warmup_periods", 0, 1'000'000) * options.number("sample_period", 1, 1'000'000'000);
  const std::string seed = options.text("seed");
  const std::int64_t seed_number = seed == "time" ? 0 : options.number("seed", 0, std::int64_t{1} << 31);
  if (!traffic.uncovered.empty()) {
    return traffic;
  }
  traffic.toml = fmt::format("\n[traffic]\npattern = \"{}\"\ninclude_self = true\nbytes = {}\n{}", pattern->second,
                             lengths.toml(), arrival);
  if (warm_up > 0) {
    traffic.toml += fmt::format("warm_up = \"{}ns\"\n", warm_up);
  }
  traffic.toml += fmt::format("\n[load]\npoints = [{:.12g}]   # flits in a cycle and node\nsaturation = false\n", load);
  if (options.given("seed")) {
    traffic.toml += fmt::format("\n[run]\nseed = {}\n", seed_number);
  }
  return traffic;
}

} // namespace wormcast
