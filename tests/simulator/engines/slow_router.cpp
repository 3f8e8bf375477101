#include "tests/simulator/engines/slow_router.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace wormcast::testing {

namespace {

struct Flit {
  int message = 0;
  bool head = false;
  bool tail = false;
  long arrived = 0; // in the buffer in which it is
};

// Dense requests: request[input][output] holds the priorities on both sides.
using Priorities = std::pair<long, long>;
using Requests = std::vector<std::vector<std::optional<Priorities>>>;
using Matches = std::vector<std::pair<int, int>>; // input, output

class SlowAllocator {
public:
  SlowAllocator(std::string kind, int iterations, int inputs, int outputs)
      : kind_(std::move(kind)), iterations_(iterations), inputs_(inputs), outputs_(outputs), of_output_(outputs, 0),
        of_input_(inputs, 0)
  {}

  Matches match(const Requests& requests)
  {
    if (kind_ == "wavefront" || kind_ == "rr_wavefront") {
      return wavefront(requests);
    }
    return kind_ == "islip" ? islip(requests) : separable(requests, kind_ == "separable_input_first");
  }

private:
  static int rank(int x, int pointer, int size) { return (x - pointer + size) % size; }

  Matches islip(const Requests& requests)
  {
    Matches matches;
    std::vector<bool> input_done(inputs_), output_done(outputs_);
    for (int iteration = 0; iteration < iterations_; ++iteration) {
      std::vector<int> offered_to(outputs_, -1);
      for (int output = 0; output < outputs_; ++output) {
        for (int k = 0; k < inputs_ && !output_done[output] && offered_to[output] < 0; ++k) {
          const int input = (of_output_[output] + k) % inputs_;
          if (requests[input][output] && !input_done[input]) {
            offered_to[output] = input;
          }
        }
      }
      Matches found;
      for (int input = 0; input < inputs_; ++input) {
        for (int k = 0; k < outputs_; ++k) {
          const int output = (of_input_[input] + k) % outputs_;
          if (offered_to[output] == input) {
            found.emplace_back(input, output);
            break;
          }
        }
      }
      for (const auto& [input, output] : found) {
        input_done[input] = output_done[output] = true;
        if (iteration == 0) {
          move(input, output);
        }
        matches.emplace_back(input, output);
      }
    }
    return matches;
  }

  Matches separable(const Requests& requests, bool inputs_first)
  {
    // chosen[x]: what x of the first side chooses on the other one.
    const int first = inputs_first ? inputs_ : outputs_;
    const int second = inputs_first ? outputs_ : inputs_;
    std::vector<int> chosen(first, -1);
    for (int x = 0; x < first; ++x) {
      std::pair<long, int> best;
      for (int y = 0; y < second; ++y) {
        const auto& request = inputs_first ? requests[x][y] : requests[y][x];
        if (request) {
          const long priority = inputs_first ? request->first : request->second;
          const std::pair<long, int> place(-priority, rank(y, inputs_first ? of_input_[x] : of_output_[x], second));
          if (chosen[x] < 0 || place < best) {
            best = place;
            chosen[x] = y;
          }
        }
      }
    }
    Matches matches;
    for (int y = 0; y < second; ++y) {
      int winner = -1;
      std::pair<long, int> best;
      for (int x = 0; x < first; ++x) {
        if (chosen[x] == y) {
          const auto& request = inputs_first ? requests[x][y] : requests[y][x];
          const long priority = inputs_first ? request->second : request->first;
          const std::pair<long, int> place(-priority, rank(x, inputs_first ? of_output_[y] : of_input_[y], first));
          if (winner < 0 || place < best) {
            best = place;
            winner = x;
          }
        }
      }
      if (winner >= 0) {
        matches.emplace_back(inputs_first ? winner : y, inputs_first ? y : winner);
      }
    }
    for (const auto& [input, output] : matches) {
      move(input, output);
    }
    return matches;
  }

  // Class by class of priorities, diagonal by diagonal.
  Matches wavefront(const Requests& requests)
  {
    std::set<std::pair<long, long>> classes; // of output, then input priority, negated
    for (const auto& of_input : requests) {
      for (const auto& request : of_input) {
        if (request) {
          classes.emplace(-request->second, -request->first);
        }
      }
    }
    const int size = std::max(inputs_, outputs_);
    Matches matches;
    std::vector<bool> input_done(inputs_), output_done(outputs_);
    for (const auto& [by_output, by_input] : classes) {
      for (int sum = diagonal_; sum < diagonal_ + size; ++sum) {
        for (int input = 0; input < inputs_; ++input) {
          const int output = ((sum - input) % size + size) % size;
          if (output < outputs_ && requests[input][output] == Priorities(-by_input, -by_output) && !input_done[input] &&
              !output_done[output]) {
            input_done[input] = output_done[output] = true;
            matches.emplace_back(input, output);
          }
        }
      }
    }
    if (!matches.empty()) {
      const int first = matches.front().first + matches.front().second;
      diagonal_ = ((kind_ == "rr_wavefront" ? first : diagonal_) + 1) % size;
    }
    return matches;
  }

  void move(int input, int output)
  {
    of_output_[output] = (input + 1) % inputs_;
    of_input_[input] = (output + 1) % outputs_;
  }

  std::string kind_;
  int iterations_;
  int inputs_;
  int outputs_;
  std::vector<int> of_output_;
  std::vector<int> of_input_;
  int diagonal_ = 0; // the first of a wavefront
};

enum class State { idle, routing, wants, active };

struct InputChannel {
  std::deque<Flit> buffer;
  State state = State::idle;
  int port = 0; // of the output
  int vc = 0;
};

// What a sender knows of a virtual channel that it sends into.
struct OutputChannel {
  bool owned = false;
  bool tail_gone = false; // tail_credit: owned until all slots are free
  int used = 0;
};

struct RoutedLater {
  int port = 0;
  int vc = 0;
  long done = -1; // -1: not taken in
};

struct InCrossbar {
  Flit flit;
  int port = 0;
  int vc = 0;
  long out = -1; // -1: not taken in
};

struct SlowRouter {
  std::vector<std::vector<InputChannel>> inputs; // by port and virtual channel
  std::vector<std::vector<OutputChannel>> outputs;
  std::vector<SlowAllocator> allocators; // of virtual channels, of the crossbar
  std::vector<int> input_offsets;
  std::vector<int> output_offsets;
  std::deque<RoutedLater> routing;
  std::deque<InCrossbar> crossbar;
  std::vector<std::deque<InCrossbar>> queues;     // by output port
  std::vector<std::deque<std::set<int>>> credits; // by input port: the virtual channels of each
};

struct SlowSource {
  std::deque<int> queue;
  std::vector<OutputChannel> channels;
  long sent = 0; // flits of the first of the queue
  int vc = 0;
  int next_vc = 0;
};

class SlowSimulation {
public:
  SlowSimulation(const SlowNetwork& network, const std::vector<SlowMessage>& messages)
      : network_(network), messages_(messages), ports_(2 * static_cast<int>(network.dims.size()) + 1),
        nodes_(std::accumulate(network.dims.begin(), network.dims.end(), 1, std::multiplies<>())),
        vcs_(network.virtual_channels), speedup_(network.input_speedup), times_(messages.size()),
        ready_(messages.size(), -1), half_(messages.size(), 0), been_there_(messages.size(), false)
  {
    SlowRouter router;
    router.inputs.assign(ports_, std::vector<InputChannel>(vcs_));
    router.outputs.assign(ports_, std::vector<OutputChannel>(vcs_));
    router.allocators.emplace_back(network.vc_allocator, network.iterations, ports_ * vcs_, ports_ * vcs_);
    router.allocators.emplace_back(network.allocator, network.iterations, ports_ * speedup_, ports_);
    for (int i = 0; i < ports_ * speedup_; ++i) {
      router.input_offsets.push_back(i % speedup_);
    }
    router.output_offsets.assign(ports_, -1);
    router.queues.resize(ports_);
    router.credits.resize(ports_);
    routers_.assign(nodes_, router);
    SlowSource source;
    source.channels.resize(vcs_);
    sources_.assign(nodes_, source);
  }

  std::vector<SlowTimes> run()
  {
    std::size_t delivered = 0;
    long still = 0;
    const long patience =
        50 + 6L * (network_.routing_delay + network_.switch_delay + network_.credit_delay + network_.link_delay);
    for (now_ = 0; delivered < messages_.size() && still < patience; ++now_) {
      moved_ = false;
      for (const auto& [flit, router, vc] : taken(ejected_)) {
        take_off(flit);
        router_credits_[now_ + 2 + network_.credit_delay].push_back({router, ports_ - 1, vc});
        delivered += flit.tail ? 1 : 0;
      }
      for (const auto& [node, port, vc] : taken(source_credits_)) {
        give_back(sources_[node].channels[vc]);
      }
      make_ready();
      for (int node = 0; node < nodes_; ++node) {
        send(node);
      }
      for (const auto& [flit, router, port, vc] : taken(arrivals_)) {
        arrive(routers_[router], flit, port, vc);
      }
      for (const auto& [router, port, vc] : taken(router_credits_)) {
        give_back(routers_[router].outputs[port][vc]);
      }
      for (int router = 0; router < nodes_; ++router) {
        for (int k = 0; k < network_.internal_speedup; ++k) {
          step(router);
        }
        send_flits(router);
        send_credits(router);
      }
      still = moved_ || waits_for_time() ? 0 : still + 1;
    }
    return times_;
  }

private:
  struct Place {
    int router = 0;
    int port = 0;
    int vc = 0;
  };
  struct Arrival {
    Flit flit;
    int router = 0;
    int port = 0;
    int vc = 0;
  };
  struct Ejection {
    Flit flit;
    int router = 0;
    int vc = 0;
  };

  template <typename Event> std::vector<Event> taken(std::map<long, std::vector<Event>>& events)
  {
    const auto found = events.find(now_);
    if (found == events.end()) {
      return {};
    }
    moved_ = true;
    std::vector<Event> all = std::move(found->second);
    events.erase(found);
    return all;
  }

  bool waits_for_time() const
  {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (times_[i].head_injected < 0 && (messages_[i].earliest > now_ || ready_[i] > now_)) {
        return true;
      }
    }
    return false;
  }

  void take_off(const Flit& flit)
  {
    if (flit.head) {
      times_[flit.message].head_ejected = now_;
    }
    if (flit.tail) {
      times_[flit.message].tail_ejected = now_;
    }
  }

  void give_back(OutputChannel& channel)
  {
    --channel.used;
    if (channel.tail_gone && channel.used == 0) {
      channel.owned = channel.tail_gone = false;
    }
  }

  void make_ready()
  {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (ready_[i] < 0) {
        long time = messages_[i].earliest;
        bool known = true;
        for (const int other : messages_[i].after) {
          known = known && times_[other].tail_ejected >= 0;
          time = std::max(time, times_[other].tail_ejected);
        }
        if (known) {
          ready_[i] = time + network_.startup;
        }
      }
      if (ready_[i] == now_) {
        SlowSource& source = sources_[messages_[i].source];
        auto place = source.queue.end();
        while (network_.priority == "message" && place != source.queue.begin() + (source.sent > 0 ? 1 : 0) &&
               messages_[*std::prev(place)].priority < messages_[i].priority) {
          --place;
        }
        source.queue.insert(place, static_cast<int>(i));
      }
    }
  }

  void send(int node)
  {
    SlowSource& source = sources_[node];
    if (source.queue.empty()) {
      return;
    }
    const int message = source.queue.front();
    if (source.sent == 0) {
      int chosen = -1;
      for (int k = 0; k < vcs_ && chosen < 0; ++k) {
        const int vc = (source.next_vc + k) % vcs_;
        if (!source.channels[vc].owned && source.channels[vc].used < network_.buffer_flits) {
          chosen = vc;
        }
      }
      if (chosen < 0) {
        return;
      }
      source.vc = chosen;
      source.next_vc = (chosen + 1) % vcs_;
      source.channels[chosen].owned = true;
      times_[message].head_injected = now_;
    }
    OutputChannel& channel = source.channels[source.vc];
    if (channel.used == network_.buffer_flits) {
      return;
    }
    Flit flit{.message = message, .head = source.sent == 0, .tail = source.sent + 1 == messages_[message].flits};
    ++channel.used;
    ++source.sent;
    moved_ = true;
    arrivals_[now_ + 2].push_back({flit, node, ports_ - 1, source.vc});
    if (flit.tail) {
      times_[message].tail_injected = now_;
      give_up(channel);
      source.queue.pop_front();
      source.sent = 0;
    }
  }

  // The tail has gone into it.
  void give_up(OutputChannel& channel) const
  {
    if (network_.tail_credit) {
      channel.tail_gone = true;
    } else {
      channel.owned = false;
    }
  }

  void arrive(SlowRouter& router, Flit flit, int port, int vc)
  {
    InputChannel& input = router.inputs[port][vc];
    flit.arrived = now_;
    input.buffer.push_back(flit);
    if (input.state == State::idle) {
      start(router, port, vc);
    }
  }

  void start(SlowRouter& router, int port, int vc) const
  {
    InputChannel& input = router.inputs[port][vc];
    if (network_.routing_delay == 0) {
      input.state = State::wants;
    } else {
      input.state = State::routing;
      router.routing.push_back({port, vc, -1});
    }
  }

  int coordinate(int node, int dimension) const
  {
    for (int d = 0; d < dimension; ++d) {
      node /= network_.dims[d];
    }
    return node % network_.dims[dimension];
  }

  int neighbour(int node, int port) const
  {
    const int dimension = port / 2;
    const int size = network_.dims[dimension];
    int stride = 1;
    for (int d = 0; d < dimension; ++d) {
      stride *= network_.dims[d];
    }
    const int from = coordinate(node, dimension);
    const int to = (from + (port % 2 == 0 ? 1 : size - 1)) % size;
    return node + (to - from) * stride;
  }

  // The output port at which a message asks now, and the virtual channels that it may take there.
  std::pair<int, std::vector<int>> route(int router, int in_port, int message)
  {
    const std::string& routing = network_.routing;
    if (routing == "valiant" || routing == "romm") {
      return route_in_phases(router, in_port, message);
    }
    if (routing == "dimension_order" || router == messages_[message].destination) {
      return route_in_order(router, in_port, message, messages_[message].destination);
    }
    const std::vector<int> outputs = routing == "west_first" ? west_first(router, message)
                                     : routing == "odd_even" ? odd_even(router, message)
                                                             : nearer(router, message);
    std::vector<int> vcs(vcs_);
    std::iota(vcs.begin(), vcs.end(), 0);
    if (routing == "minimal_adaptive") {
      vcs.erase(vcs.begin(), vcs.begin() + (network_.torus ? 2 : 1)); // the escape channels
    }
    int chosen = -1;
    int most = -1;
    for (const int output : outputs) {
      int slots = 0;
      bool any = false;
      for (const int vc : vcs) {
        const OutputChannel& channel = routers_[router].outputs[output][vc];
        if (!channel.owned) {
          any = true;
          slots += network_.buffer_flits - channel.used;
        }
      }
      if (any && slots > most) {
        most = slots;
        chosen = output;
      }
    }
    if (chosen >= 0) {
      return {chosen, vcs};
    }
    return routing == "minimal_adaptive" ? escape(router, message) : std::pair{outputs.front(), vcs};
  }

  // Dimension order; on a torus in channel 1 where the message is behind its destination's place in the ring.
  std::pair<int, std::vector<int>> escape(int router, int message) const
  {
    for (int d = 0;; ++d) {
      const int here = coordinate(router, d);
      const int there = coordinate(messages_[message].destination, d);
      if (here != there) {
        const bool up = network_.torus ? goes_up(here, there, network_.dims[d]) : there > here;
        return {2 * d + (up ? 0 : 1), {network_.torus && here > there ? 1 : 0}};
      }
    }
  }

  bool goes_up(int here, int there, int size) const
  {
    const int upwards = (there - here + size) % size;
    return 2 * upwards == size ? there > here || (network_.ties_go_up && size > 2) : 2 * upwards < size;
  }

  std::pair<int, std::vector<int>> route_in_phases(int router, int in_port, int message)
  {
    if (router == messages_[message].by) {
      been_there_[message] = true;
    }
    const bool second = been_there_[message];
    const int aim = second ? messages_[message].destination : messages_[message].by;
    // The second phase begins as if the message came from this router's node.
    const bool sets_out = second && router == messages_[message].by;
    auto [output, vcs] = route_in_order(router, sets_out ? ports_ - 1 : in_port, message, aim);
    if (output != ports_ - 1 && network_.torus) {
      const int quarter = (second ? 2 : 0) + half_[message];
      vcs.resize(vcs_ / 4);
      std::iota(vcs.begin(), vcs.end(), quarter * (vcs_ / 4));
    } else if (output != ports_ - 1) {
      vcs.resize(vcs_ / 2);
      std::iota(vcs.begin(), vcs.end(), second ? vcs_ / 2 : 0);
    }
    return {output, vcs};
  }

  // Ports by which a message comes nearer, x before y.
  std::vector<int> nearer(int router, int message) const
  {
    std::vector<int> outputs;
    for (int d = 0; d < static_cast<int>(network_.dims.size()); ++d) {
      const int way = coordinate(messages_[message].destination, d) - coordinate(router, d);
      const int size = network_.dims[d];
      const int upwards = (way + size) % size;
      if (network_.torus && size > 2 && 2 * upwards == size) {
        outputs.push_back(2 * d);
        outputs.push_back(2 * d + 1);
      } else if (way != 0) {
        const bool up = network_.torus && size > 2 ? 2 * upwards < size : way > 0;
        outputs.push_back(2 * d + (up ? 0 : 1));
      }
    }
    return outputs;
  }

  std::vector<int> west_first(int router, int message) const
  {
    std::vector<int> outputs = nearer(router, message);
    if (outputs.front() == 1) {
      outputs.resize(1);
    }
    return outputs;
  }

  // Function ROUTE of Chiu, 2000, line by line.
  std::vector<int> odd_even(int router, int message) const
  {
    const int east = 0;
    const int west = 1;
    const int e0 = coordinate(messages_[message].destination, 0) - coordinate(router, 0);
    const int e1 = coordinate(messages_[message].destination, 1) - coordinate(router, 1);
    const int vertical = e1 > 0 ? 2 : 3;
    std::vector<int> available;
    if (e0 == 0) {
      available.push_back(vertical);
    } else if (e0 > 0) {
      if (e1 == 0) {
        available.push_back(east);
      } else {
        if (coordinate(messages_[message].destination, 0) % 2 == 1 || e0 != 1) {
          available.push_back(east);
        }
        if (coordinate(router, 0) % 2 == 1 || coordinate(router, 0) == coordinate(messages_[message].source, 0)) {
          available.push_back(vertical);
        }
      }
    } else {
      available.push_back(west);
      if (coordinate(router, 0) % 2 == 0 && e1 != 0) {
        available.push_back(vertical);
      }
    }
    return available;
  }

  std::pair<int, std::vector<int>> route_in_order(int router, int in_port, int message, int destination)
  {
    std::vector<int> all(vcs_);
    std::iota(all.begin(), all.end(), 0);
    for (int d = 0; d < static_cast<int>(network_.dims.size()); ++d) {
      const int here = coordinate(router, d);
      const int there = coordinate(destination, d);
      if (here == there) {
        continue;
      }
      if (!network_.torus) {
        return {2 * d + (there > here ? 0 : 1), all};
      }
      if (in_port / 2 == d && in_port != ports_ - 1) {
        return {in_port ^ 1, half(half_[message])}; // straight on
      }
      const bool up = goes_up(here, there, network_.dims[d]);
      half_[message] = here > there ? 1 : 0;
      return {2 * d + (up ? 0 : 1), half(half_[message])};
    }
    return {ports_ - 1, all};
  }

  std::vector<int> half(int which) const
  {
    std::vector<int> vcs(vcs_ - vcs_ / 2);
    std::iota(vcs.begin(), vcs.end(), which == 0 ? 0 : vcs_ / 2);
    return vcs;
  }

  long priority(const Flit& flit) const
  {
    return network_.priority == "none"        ? 0
           : network_.priority == "local_age" ? -flit.arrived
           : network_.priority == "message"   ? messages_[flit.message].priority
                                              : -ready_[flit.message];
  }

  struct Head {
    int port = 0;
    int vc = 0;
    int output = 0;
    std::vector<int> may_take;
  };

  void step(int number)
  {
    SlowRouter& router = routers_[number];
    evaluate_routing(router);

    std::vector<Head> heads;
    Requests channels = no_requests(ports_ * vcs_);
    for (int port = 0; port < ports_; ++port) {
      for (int vc = 0; vc < vcs_; ++vc) {
        const InputChannel& input = router.inputs[port][vc];
        if (input.state != State::wants) {
          continue;
        }
        const auto [output, may_take] = route(number, port, input.buffer.front().message);
        heads.push_back({port, vc, output, may_take});
        for (const int wanted : may_take) {
          if (!router.outputs[output][wanted].owned) {
            channels[port * vcs_ + vc][output * vcs_ + wanted] = {0, priority(input.buffer.front())};
          }
        }
      }
    }
    Matches given;
    if (network_.vc_allocator != "piggyback") {
      given = router.allocators[0].match(channels);
    }

    // Bids for the crossbar: who bids for each pair of ports.
    const int crossbar_inputs = ports_ * speedup_;
    std::vector<std::vector<int>> bidder(crossbar_inputs, std::vector<int>(ports_, -1));
    Requests crossings = no_requests(crossbar_inputs);
    const auto bid = [&](int port, int vc, int output, long priority) {
      const int in = port * speedup_ + vc % speedup_;
      int& other = bidder[in][output];
      const auto rank = [&](int x) { return (x - router.input_offsets[in] + vcs_) % vcs_; };
      if (other < 0 || priority > crossings[in][output]->first ||
          (priority == crossings[in][output]->first && rank(vc) < rank(other))) {
        other = vc;
        crossings[in][output] = {priority, priority};
      }
    };
    for (int port = 0; port < ports_; ++port) {
      for (int vc = 0; vc < vcs_; ++vc) {
        const InputChannel& input = router.inputs[port][vc];
        if (input.state == State::active && !input.buffer.empty() &&
            router.outputs[input.port][input.vc].used < network_.buffer_flits) {
          bid(port, vc, input.port, priority(input.buffer.front()));
        }
      }
    }
    if (network_.speculative) {
      for (const Head& head : heads) {
        if (std::ranges::any_of(head.may_take, [&](int vc) { return can_take(router.outputs[head.output][vc]); })) {
          bid(head.port, head.vc, head.output, priority(router.inputs[head.port][head.vc].buffer.front()) - (1L << 60));
        }
      }
    }
    const Matches crossed = router.allocators[1].match(crossings);
    evaluate_crossbar(router);
    freed_.assign(ports_, {});

    update_routing(router);
    for (const auto& [in, out] : given) {
      InputChannel& input = router.inputs[in / vcs_][in % vcs_];
      input.state = State::active;
      input.port = out / vcs_;
      input.vc = out % vcs_;
      router.outputs[input.port][input.vc].owned = true;
      moved_ = true;
    }
    for (const auto& [in, output] : crossed) {
      const int vc = bidder[in][output];
      router.input_offsets[in] = (vc + speedup_) % vcs_;
      cross(number, in / speedup_, vc, output, heads);
    }
    update_crossbar(router);
    for (int port = 0; port < ports_; ++port) {
      if (!freed_[port].empty()) {
        router.credits[port].push_back(freed_[port]);
      }
    }
  }

  static Requests no_requests(int size) { return Requests(size, std::vector<std::optional<Priorities>>(size)); }

  bool can_take(const OutputChannel& channel) const { return !channel.owned && channel.used < network_.buffer_flits; }

  void cross(int number, int port, int vc, int output, const std::vector<Head>& heads)
  {
    SlowRouter& router = routers_[number];
    InputChannel& input = router.inputs[port][vc];
    moved_ = true;
    if (input.state == State::wants) {
      if (network_.vc_allocator != "piggyback") {
        return;
      }
      const auto head = std::ranges::find_if(heads, [&](const Head& h) { return h.port == port && h.vc == vc; });
      int best = -1;
      const auto rank = [&](int x) { return (x - router.output_offsets[output] + vcs_) % vcs_; };
      for (const int free : head->may_take) {
        if (can_take(router.outputs[output][free]) && (best < 0 || rank(free) < rank(best))) {
          best = free;
        }
      }
      input.state = State::active;
      input.port = output;
      input.vc = best;
      router.outputs[output][best].owned = true;
      router.output_offsets[output] = (best + 1) % vcs_;
    }
    OutputChannel& channel = router.outputs[input.port][input.vc];
    if (channel.used == network_.buffer_flits) {
      return; // a speculative grant without a slot
    }
    const Flit flit = input.buffer.front();
    input.buffer.pop_front();
    ++channel.used;
    router.crossbar.push_back({flit, input.port, input.vc, -1});
    freed_[port].insert(vc);
    if (flit.tail) {
      give_up(channel);
      input.state = State::idle;
      if (!input.buffer.empty()) {
        start(router, port, vc); // in work from the next step on: this one's decisions have been made
      }
    }
  }

  void evaluate_routing(SlowRouter& router) const
  {
    if (std::ranges::none_of(router.routing, [](const RoutedLater& head) { return head.done >= 0; })) {
      for (RoutedLater& head : router.routing) {
        head.done = now_ + network_.routing_delay - 1;
      }
    }
  }

  void update_routing(SlowRouter& router)
  {
    while (!router.routing.empty() && router.routing.front().done == now_) {
      router.inputs[router.routing.front().port][router.routing.front().vc].state = State::wants;
      router.routing.pop_front();
      moved_ = true;
    }
  }

  void evaluate_crossbar(SlowRouter& router) const
  {
    if (std::ranges::none_of(router.crossbar, [](const InCrossbar& inside) { return inside.out >= 0; })) {
      for (InCrossbar& inside : router.crossbar) {
        inside.out = now_ + network_.switch_delay - 1;
      }
    }
  }

  void update_crossbar(SlowRouter& router) const
  {
    while (!router.crossbar.empty() && router.crossbar.front().out == now_) {
      router.queues[router.crossbar.front().port].push_back(router.crossbar.front());
      router.crossbar.pop_front();
    }
  }

  void send_credits(int number)
  {
    for (int port = 0; port < ports_; ++port) {
      std::deque<std::set<int>>& waiting = routers_[number].credits[port];
      if (waiting.empty()) {
        continue;
      }
      for (const int vc : waiting.front()) {
        if (port == ports_ - 1) {
          source_credits_[now_ + 2].push_back({number, 0, vc});
        } else {
          router_credits_[now_ + 1 + network_.link_delay + network_.credit_delay].push_back(
              {neighbour(number, port), port ^ 1, vc});
        }
      }
      waiting.pop_front();
      moved_ = true;
    }
  }

  void send_flits(int number)
  {
    SlowRouter& router = routers_[number];
    for (int port = 0; port < ports_; ++port) {
      if (router.queues[port].empty()) {
        continue;
      }
      const InCrossbar sent = router.queues[port].front();
      router.queues[port].pop_front();
      moved_ = true;
      if (port == ports_ - 1) {
        ejected_[now_ + 2].push_back({sent.flit, number, sent.vc});
      } else {
        arrivals_[now_ + 1 + network_.link_delay].push_back({sent.flit, neighbour(number, port), port ^ 1, sent.vc});
      }
    }
  }

  const SlowNetwork& network_;
  const std::vector<SlowMessage>& messages_;
  int ports_;
  int nodes_;
  int vcs_;
  int speedup_; // crossbar inputs of a port
  long now_ = 0;
  bool moved_ = false;
  std::vector<std::set<int>> freed_; // in a step of a router, by input port
  std::vector<SlowTimes> times_;
  std::vector<long> ready_;
  std::vector<int> half_;        // of the virtual channels of the ring in which a message is
  std::vector<bool> been_there_; // by message: at the node in between
  std::vector<SlowRouter> routers_;
  std::vector<SlowSource> sources_;
  std::map<long, std::vector<Arrival>> arrivals_;
  std::map<long, std::vector<Ejection>> ejected_;
  std::map<long, std::vector<Place>> router_credits_;
  std::map<long, std::vector<Place>> source_credits_;
};

} // namespace

std::vector<SlowTimes> run_slowly(const SlowNetwork& network, const std::vector<SlowMessage>& messages)
{
  return SlowSimulation(network, messages).run();
}

} // namespace wormcast::testing
