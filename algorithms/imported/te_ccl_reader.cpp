#include "wormcast/algorithms/imported/te_ccl.hpp"
#include "wormcast/formats/json_reader.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

using FileJson = nlohmann::json;

constexpr std::size_t deepest_te_ccl = 16;
constexpr std::uint64_t volume_parts = 1'000'000'000;
constexpr double volume_tolerance = 1e-3;
constexpr std::uint64_t most_epochs = std::uint64_t{1} << 40;
constexpr std::uint64_t most_chunks_of_source = std::uint64_t{1} << 24;
constexpr std::uint64_t most_demands = std::uint64_t{1} << 26;

/// "Chunk C from S traveled over A->B with volume V in epoch E via switches W -> W", or from "A->B" on.
struct Flow {
  std::uint64_t chunk = 0;
  std::uint64_t source = 0;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::optional<double> volume;
  std::uint64_t epoch = 0;
  std::vector<std::uint64_t> switches;
};

/// Reads a text from left to right.
class TextParts {
public:
  explicit TextParts(std::string_view text) : rest_(text) {}

  void take(std::string_view word) { good_ = take_if(word) && good_; }

  bool take_if(std::string_view word)
  {
    const bool is_next = rest_.starts_with(word);
    rest_.remove_prefix(is_next ? word.size() : 0);
    return is_next;
  }

  template <typename Number> Number number()
  {
    const std::size_t length = std::min(rest_.find_first_not_of("0123456789.e-+"), rest_.size());
    // "->" belongs to no number
    const std::size_t end = std::min(length, std::min(rest_.find("->"), rest_.size()));
    const auto found = number_of_text<Number>(rest_.substr(0, end));
    good_ = good_ && found.has_value();
    rest_.remove_prefix(end);
    return found.value_or(Number{});
  }

  bool is_complete() const { return good_ && rest_.empty(); }

private:
  std::string_view rest_;
  bool good_ = true;
};

std::optional<Flow> read_flow(std::string_view text, bool of_path)
{
  TextParts parts(text);
  Flow flow;
  if (!of_path) {
    parts.take("Chunk ");
    flow.chunk = parts.number<std::uint64_t>();
    parts.take(" from ");
    flow.source = parts.number<std::uint64_t>();
    parts.take(" traveled over ");
  }
  flow.from = parts.number<std::uint64_t>();
  parts.take("->");
  flow.to = parts.number<std::uint64_t>();
  if (parts.take_if(" with volume ")) {
    flow.volume = parts.number<double>();
  }
  parts.take(" in epoch ");
  flow.epoch = parts.number<std::uint64_t>();
  if (parts.take_if(" via switches ")) {
    do {
      flow.switches.push_back(parts.number<std::uint64_t>());
    } while (parts.take_if(" -> "));
  }
  const bool is_right = parts.is_complete() && flow.from != flow.to && flow.epoch < most_epochs &&
                        flow.chunk < most_chunks_of_source &&
                        (!flow.volume || (*flow.volume > 0 && *flow.volume <= 1 + volume_tolerance));
  return is_right ? std::optional(flow) : std::nullopt;
}

class TecclReader {
public:
  TecclReader(std::istream& in, std::string_view name) : name_(name)
  {
    JsonReader reader(in, name, deepest_te_ccl);
    document_ = reader.value();
    reader.finish();
  }

  TecclSchedule read()
  {
    if (!document_.is_object()) {
      fail("no object");
    }
    schedule_.epoch_duration = number_text(find("Epoch_Duration"));
    const FileJson& epochs = find("Epochs_Required");
    if (!epochs.is_number_unsigned()) {
      fail("Epochs_Required is no whole number");
    }
    schedule_.epochs = epochs.get<std::uint64_t>();
    read_flows();
    number_ranks();
    if (schedule_.all_to_all) {
      schedule_.parts = volume_parts;
      read_paths();
    } else {
      order_flows();
    }
    return std::move(schedule_);
  }

private:
  [[noreturn]] void fail(const std::string& text) const { throw SyntaxError(fmt::format("{}: {}", name_, text)); }

  /// The value of a key "7-Flows", whose number and capitals differ between files.
  const FileJson& find(std::string_view name) const
  {
    for (const auto& [key, value] : document_.items()) {
      const std::size_t dash = key.find('-');
      const std::string_view behind = std::string_view(key).substr(dash == std::string::npos ? 0 : dash + 1);
      const auto same = [](char one, char other) {
        return std::tolower(static_cast<unsigned char>(one)) == std::tolower(static_cast<unsigned char>(other));
      };
      if (std::ranges::equal(behind, name, same)) {
        return value;
      }
    }
    fail(fmt::format("no key 'N-{}'", name));
  }

  static std::string number_text(const FileJson& value)
  {
    if (value.is_binary()) { // a number that is not whole, as its text
      return {value.get_binary().begin(), value.get_binary().end()};
    }
    return value.is_number() ? value.dump() : std::string("?");
  }

  void read_flows()
  {
    const FileJson& flows = find("Flows");
    if (!flows.is_array() || flows.empty()) {
      fail("Flows is no list, or is empty");
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const std::string text = flows[i].is_string() ? flows[i].get<std::string>() : "what is no text";
      const auto flow = flows[i].is_string() ? read_flow(text, false) : std::nullopt;
      if (!flow) {
        fail(fmt::format("flows[{}]: '{}' is no flow", i, printable(text)));
      }
      if (i > 0 && flow->volume.has_value() != flows_.front().volume.has_value()) {
        fail(fmt::format("flows[{}]: '{}' and flows[0] are not alike: one has a volume", i, printable(text)));
      }
      flows_.push_back(*flow);
    }
    schedule_.flows = flows_.size();
    schedule_.all_to_all = flows_.front().volume.has_value();
  }

  /// All ids of flows that are no switches, in ascending order.
  void number_ranks()
  {
    std::set<std::uint64_t> switches;
    std::set<std::uint64_t> gpus;
    for (const Flow& flow : flows_) {
      switches.insert(flow.switches.begin(), flow.switches.end());
      gpus.insert({flow.source, flow.from, flow.to});
    }
    for (const std::uint64_t gpu : gpus) {
      if (!switches.contains(gpu)) {
        ranks_.emplace(gpu, static_cast<std::uint32_t>(schedule_.ids.size()));
        schedule_.ids.push_back(gpu);
      }
    }
    schedule_.switches.assign(switches.begin(), switches.end());
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      for (const std::uint64_t id : {flows_[i].source, flows_[i].from, flows_[i].to}) {
        if (!ranks_.contains(id)) {
          fail(fmt::format("flows[{}]: {} is a switch of another flow", i, id));
        }
      }
    }
  }

  std::uint32_t rank(std::uint64_t id) const { return ranks_.at(id); }

  void order_flows()
  {
    std::uint64_t chunks = 0;
    for (const Flow& flow : flows_) {
      chunks = std::max(chunks, flow.chunk + 1);
    }
    schedule_.parts = chunks;
    if (schedule_.ids.size() * schedule_.ids.size() > most_demands / chunks) {
      fail(fmt::format("{} chunks of {} ranks are too many for a proof", chunks, schedule_.ids.size()));
    }
    std::ranges::stable_sort(flows_, {}, &Flow::epoch);
    struct Arrival {
      std::uint64_t epoch = 0;
      std::uint32_t send = 0;
      std::uint32_t depth = 0;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, Arrival> arrivals; // rank, source, chunk
    for (const Flow& flow : flows_) {
      const std::uint32_t source = rank(flow.source);
      TecclSend send{.from = rank(flow.from),
                     .to = rank(flow.to),
                     .after = TecclSend::at_start,
                     .begin = flow.chunk,
                     .end = flow.chunk + 1};
      std::uint32_t depth = 0;
      if (send.from != source) {
        const auto found = arrivals.find({send.from, source, flow.chunk});
        if (found == arrivals.end() || found->second.epoch >= flow.epoch) {
          schedule_.findings.add(FindingKind::possession, 0, [&] {
            return fmt::format("GPU {} sends chunk {} of {} to {} in epoch {}, which it got in the same epoch or later",
                               flow.from, flow.chunk, flow.source, flow.to, flow.epoch);
          });
          continue;
        }
        send.after = found->second.send;
        depth = found->second.depth;
      }
      schedule_.longest_chain = std::max(schedule_.longest_chain, depth + 1);
      arrivals.try_emplace({send.to, source, flow.chunk},
                           Arrival{flow.epoch, static_cast<std::uint32_t>(schedule_.sends.size()), depth + 1});
      schedule_.sends.push_back(send);
    }
    for (std::uint32_t to = 0; to < schedule_.ids.size(); ++to) {
      for (std::uint32_t source = 0; source < schedule_.ids.size(); ++source) {
        for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
          if (to != source && !arrivals.contains({to, source, chunk})) {
            schedule_.findings.add(FindingKind::coverage, 0, [&] {
              return fmt::format("GPU {} never gets chunk {} of {}", schedule_.ids[to], chunk, schedule_.ids[source]);
            });
          }
        }
      }
    }
  }

  /// "Demand at D for chunk C from S met by epoch K": [[[E, "A->B with volume V in epoch E"], ...], ...].
  void read_paths()
  {
    const FileJson& demands = find("Chunk paths");
    if (!demands.is_object()) {
      fail("Chunk paths is no object");
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> met; // source, destination
    for (const auto& [key, routes] : demands.items()) {
      TextParts parts(key);
      parts.take("Demand at ");
      const auto to = parts.number<std::uint64_t>();
      parts.take(" for chunk ");
      const auto chunk = parts.number<std::uint64_t>();
      parts.take(" from ");
      const auto from = parts.number<std::uint64_t>();
      parts.take(" met by epoch ");
      parts.number<std::uint64_t>();
      if (!parts.is_complete() || !ranks_.contains(to) || !ranks_.contains(from) || !routes.is_array()) {
        fail(fmt::format("Chunk paths: '{}' is no demand of the flows' GPUs", printable(key)));
      }
      double sum = 0;
      for (const FileJson& route : routes) {
        sum += read_route(key, route, from, to, sum);
      }
      if (std::abs(sum - 1) > volume_tolerance) {
        schedule_.findings.add(FindingKind::coverage, 0, [&] {
          return fmt::format("chunk {} from {} to {}: {:.4g} of it arrives", chunk, from, to, sum);
        });
      }
      met.emplace(rank(from), rank(to));
    }
    const std::uint64_t ranks = schedule_.ids.size();
    if (met.size() < ranks * (ranks - 1)) {
      schedule_.findings.add(FindingKind::coverage, 0, [&] {
        return fmt::format("{} of {} demands are there", met.size(), ranks * (ranks - 1));
      });
    }
  }

  /// A chain of messages of the smallest volume, behind the parts before it. Returns the volume that arrives.
  double read_route(const std::string& demand, const FileJson& route, std::uint64_t from, std::uint64_t to,
                    double before)
  {
    std::vector<Flow> hops;
    if (!route.is_array()) {
      fail(fmt::format("Chunk paths: '{}': a route is no list", printable(demand)));
    }
    for (const FileJson& hop : route) {
      const bool has_text = hop.is_array() && hop.size() == 2 && hop[1].is_string();
      const auto flow = has_text ? read_flow(hop[1].get<std::string>(), true) : std::nullopt;
      if (!flow || !flow->volume || !ranks_.contains(flow->from) || !ranks_.contains(flow->to)) {
        fail(fmt::format("Chunk paths: '{}': {} is no hop", printable(demand),
                         printable(has_text ? hop[1].get<std::string>() : "what is not [epoch, text]")));
      }
      hops.push_back(*flow);
    }
    bool joined = !hops.empty() && hops.front().from == from && hops.back().to == to;
    double volume = 1;
    for (std::size_t i = 0; i < hops.size(); ++i) {
      volume = std::min(volume, *hops[i].volume);
      joined = joined && (i == 0 || (hops[i].from == hops[i - 1].to && hops[i].epoch > hops[i - 1].epoch));
    }
    if (!joined) {
      schedule_.findings.add(FindingKind::possession, 0, [&] {
        return fmt::format("'{}': a route does not lead from {} to {} in rising epochs", printable(demand), from, to);
      });
      return 0;
    }
    schedule_.longest_chain = std::max(schedule_.longest_chain, static_cast<std::uint32_t>(hops.size()));
    const std::uint64_t begin = part_of(before);
    const std::uint64_t end = part_of(before + volume);
    for (std::size_t i = 0; i < hops.size() && end > begin; ++i) {
      const auto earlier = static_cast<std::uint32_t>(schedule_.sends.size() - 1);
      schedule_.sends.push_back({.from = rank(hops[i].from),
                                 .to = rank(hops[i].to),
                                 .after = i == 0 ? TecclSend::at_start : earlier,
                                 .begin = begin,
                                 .end = end});
    }
    return volume;
  }

  static std::uint64_t part_of(double volume)
  {
    return static_cast<std::uint64_t>(std::llround(std::min(volume, 1.0) * static_cast<double>(volume_parts)));
  }

  std::string name_;
  FileJson document_;
  std::vector<Flow> flows_;
  std::map<std::uint64_t, std::uint32_t> ranks_; ///< by id
  TecclSchedule schedule_;
};

} // namespace

TecclSchedule read_te_ccl(std::istream& in, std::string_view name)
{
  return TecclReader(in, name).read();
}

TecclSchedule read_te_ccl(const std::filesystem::path& file)
{
  std::ifstream in = open_file(file);
  return read_te_ccl(in, file.string());
}

} // namespace wormcast
