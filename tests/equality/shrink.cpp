#include "tests/equality/shrink.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace wormcast::testing {

namespace {

/// The schedule without the messages first .. first+count-1.
Schedule without(const Schedule& schedule, std::size_t first, std::size_t count)
{
  Schedule less = schedule;
  const auto begin = static_cast<std::ptrdiff_t>(first);
  const auto end = static_cast<std::ptrdiff_t>(first + count);
  less.messages.erase(less.messages.begin() + begin, less.messages.begin() + end);
  if (schedule.operation == Operation::none) {
    less.plain.erase(less.plain.begin() + begin, less.plain.begin() + end);
  }
  if (!less.ports_of_messages.empty()) {
    less.ports_of_messages.erase(less.ports_of_messages.begin() + begin, less.ports_of_messages.begin() + end);
  }
  if (!less.packets.empty()) {
    less.packets.erase(less.packets.begin() + begin, less.packets.begin() + end);
    for (std::size_t id = 0; id < less.packets.size(); ++id) { // of what is left of a message
      less.packets[id] = less.packets[id] == 0 || id == 0 ? 0 : less.packets[id - 1] + 1;
    }
  }
  less.after = {};
  for (std::size_t id = 0; id < less.messages.size(); ++id) {
    std::vector<MessageId> after;
    for (const MessageId before : schedule.after[id < first ? id : id + count]) {
      if (index(before) < first) {
        after.push_back(before);
      } else if (index(before) >= first + count) {
        after.push_back(MessageId{static_cast<std::uint32_t>(index(before) - count)});
      }
    }
    less.after.set(id, after);
  }
  return less;
}

/// The messages alone, without steps and blocks.
void make_plain_list(Scenario& scenario)
{
  Schedule& schedule = scenario.schedule;
  schedule.plain.resize(schedule.messages.size());
  for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
    schedule.plain[id].bytes = message_bytes(schedule, id);
    schedule.messages[id].step = 0;
  }
  schedule.operation = Operation::none;
  scenario.traffic = "plain list";
}

using Change = void (*)(Scenario&);

constexpr std::array<Change, 27> simplifications = {
    [](Scenario& s) { make_plain_list(s); },
    [](Scenario& s) { s.run.start_jitter = {}; },
    [](Scenario& s) { s.run.computation.reduce = {}; },
    [](Scenario& s) { s.run.computation.call = {}; },
    [](Scenario& s) { s.run.computation.additions = Additions::serial; },
    [](Scenario& s) { s.network.startup_latency = {}; },
    [](Scenario& s) { s.run.tie_break = TieBreak::id; },
    [](Scenario& s) { s.run.mode = Mode::lockstep; },
    [](Scenario& s) { s.run.seed = 1; },
    [](Scenario& s) { s.network.startup = {}; },
    [](Scenario& s) { s.network.per_hop = {}; },
    [](Scenario& s) { s.network.per_hop = std::min(s.network.per_hop, Time{1}); },
    [](Scenario& s) { s.network.last_flit = LastFlit::padded; },
    [](Scenario& s) { s.network.per_byte = Time{1}; },
    [](Scenario& s) { s.network.link_per_hop.clear(); },
    [](Scenario& s) { s.network.link_per_byte.clear(); },
    [](Scenario& s) { s.network.port_per_byte.reset(); },
    [](Scenario& s) { s.network.flit_bytes = 1; },
    [](Scenario& s) { s.network.buffer_flits = 1; },
    [](Scenario& s) { s.network.buffer_flits = std::min<std::uint64_t>(s.network.buffer_flits, 2); },
    [](Scenario& s) { s.network.virtual_channels = 1; },
    [](Scenario& s) { s.schedule.packets.clear(); },
    [](Scenario& s) { s.network.port_choice = PortChoice::first_free; },
    [](Scenario& s) { s.network.ports.count = s.schedule.ports.count = 1; },
    [](Scenario& s) { s.network.duplex = s.schedule.duplex = Duplex::full; },
    [](Scenario& s) { s.network.switching = Switching::wormhole; },
    [](Scenario& s) { s.network.hold = Hold::tail; },
};

constexpr std::array<void (*)(Schedule&, std::size_t), 4> message_simplifications = {
    [](Schedule& schedule, std::size_t id) { schedule.after.set(id, {}); },
    [](Schedule& schedule, std::size_t id) { schedule.plain[id].start = {}; },
    [](Schedule& schedule, std::size_t id) { schedule.plain[id].compute = {}; },
    [](Schedule& schedule, std::size_t id) { schedule.plain[id].bytes = (schedule.plain[id].bytes + 1) / 2; },
};

class Shrinker {
public:
  Shrinker(Scenario scenario, const std::function<bool(const Scenario&)>& still_fails, int most_tries)
      : best_(std::move(scenario)), still_fails_(still_fails), tries_left_(most_tries)
  {}

  Scenario run()
  {
    for (bool simpler = true; simpler && tries_left_ > 0;) {
      simpler = drop_messages();
      simpler = simplify_parameters() || simpler;
      simpler = simplify_messages() || simpler;
    }
    return std::move(best_);
  }

private:
  bool try_instead(Scenario other)
  {
    if (tries_left_ <= 0) {
      return false;
    }
    --tries_left_;
    if (!still_fails_(other)) {
      return false;
    }
    best_ = std::move(other);
    return true;
  }

  bool drop_messages()
  {
    bool dropped = false;
    for (std::size_t count = best_.schedule.messages.size(); count > 0; count /= 2) {
      for (std::size_t end = best_.schedule.messages.size(); end >= count; end -= count) {
        Scenario other = best_;
        other.schedule = without(best_.schedule, end - count, count);
        dropped = try_instead(std::move(other)) || dropped;
      }
    }
    return dropped;
  }

  bool simplify_parameters()
  {
    bool simplified = false;
    for (const Change change : simplifications) {
      const std::string before = describe(best_);
      Scenario other = best_;
      change(other);
      simplified = (describe(other) != before && try_instead(std::move(other))) || simplified;
    }
    return simplified;
  }

  bool simplify_messages()
  {
    bool simplified = false;
    for (const auto change : message_simplifications) {
      for (std::size_t id = 0; id < best_.schedule.plain.size(); ++id) {
        Scenario other = best_;
        change(other.schedule, id);
        const PlainMessage& plain = other.schedule.plain[id];
        const PlainMessage& now = best_.schedule.plain[id];
        const bool changed = plain.bytes != now.bytes || plain.start != now.start ||
                             other.schedule.after[id].size() != best_.schedule.after[id].size();
        simplified = (changed && try_instead(std::move(other))) || simplified;
      }
    }
    return simplified;
  }

  Scenario best_;
  const std::function<bool(const Scenario&)>& still_fails_;
  int tries_left_;
};

} // namespace

Scenario shrink(Scenario scenario, const std::function<bool(const Scenario&)>& still_fails, int most_tries)
{
  return Shrinker(std::move(scenario), still_fails, most_tries).run();
}

} // namespace wormcast::testing
