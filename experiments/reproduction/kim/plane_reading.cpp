#include "wormcast/experiments/reproduction/kim/plane_reading.hpp"

#include "wormcast/algorithms/petersen/broadcast.hpp"
#include "wormcast/algorithms/petersen/torus_conditions.hpp"
#include "wormcast/algorithms/petersen/torus_moves.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace wormcast::kim {

namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

// The node that sends to w0 in a module entered at 8, 7, 2 or 3.
int sender_to_w0(int entry)
{
  return entry == 8 ? 7 : entry == 7 ? 8 : entry == 2 ? 3 : 2;
}

class PlaneReplay {
public:
  PlaneReplay(std::int64_t m, std::int64_t n, bool all_ports, const PlaneReading& reading)
      : size_{1, m, n}, all_ports_(all_ports), reading_(reading), known_(static_cast<std::size_t>(10 * m * n), never),
        module_known_(static_cast<std::size_t>(m * n), never), plans_(module_known_.size()),
        starts_(module_known_.size(), never), entries_(module_known_.size(), 0)
  {
    std::fill_n(known_.begin(), 10, 0U);
    module_known_[0] = 0;
    starts_[0] = 1;
    plans_[0] = module_steps("1>X 2>X 3>X 4>X 6>X 7>X 8>X 9>X");
  }

  SendSteps run()
  {
    SendSteps steps;
    while (std::ranges::find(known_, never) != known_.end()) {
      if (steps.size() > known_.size() + 10) {
        throw std::logic_error("Algorithm 1 is stuck in this reading");
      }
      const auto step = static_cast<std::uint32_t>(steps.size() + 1);
      for (std::size_t module = 0; module < plans_.size(); ++module) {
        start(module, step);
      }
      std::vector<NodeSend>& sends = steps.emplace_back();
      for (std::size_t module = 0; module < plans_.size(); ++module) {
        send(module, step, sends);
      }
      receive(sends, step);
    }
    return steps;
  }

private:
  bool is_diagonal(std::size_t module) const
  {
    return std::ranges::find(reading_.diagonal_order, entries_[module]) != reading_.diagonal_order.end();
  }

  PetersenTorusNode place(std::size_t module) const
  {
    return petersen_torus_node(size_, NodeId{static_cast<std::uint32_t>(10 * module)});
  }

  bool adjacent_have_it(std::size_t module, std::uint32_t step) const
  {
    const PetersenTorusNode at = place(module);
    for (std::int64_t i = 0; i < 9; ++i) {
      const NodeId near = petersen_torus_id(size_, {0, at.x + i / 3 - 1, at.y + i % 3 - 1, 0});
      if (module_known_[index(near) / 10] >= step) {
        return false;
      }
    }
    return true;
  }

  void start(std::size_t module, std::uint32_t step)
  {
    if (starts_[module] == never && module_known_[module] < step &&
        (is_diagonal(module) || !reading_.wait_for_adjacent || adjacent_have_it(module, step))) {
      starts_[module] = step;
      plans_[module] = is_diagonal(module) ? diagonal_module_steps(entries_[module], all_ports_)
                                           : petersen_broadcast_steps(entries_[module], all_ports_);
    }
  }

  void send(std::size_t module, std::uint32_t step, std::vector<NodeSend>& sends) const
  {
    const ModuleSteps& plan = plans_[module];
    if (starts_[module] > step || step - starts_[module] >= plan.size()) {
      return;
    }
    for (const ModuleSend one : plan[step - starts_[module]]) {
      const NodeSend sent = send_of_module(size_, place(module), one);
      const bool external = one.to == ModuleSend::external;
      const bool to_w0 = external && module != 0 && one.from == sender_to_w0(entries_[module]);
      const std::uint32_t has = external ? module_known_[index(sent.to) / 10] : known_[index(sent.to)];
      if (has >= step || (to_w0 && reading_.w0_always)) {
        sends.push_back(sent);
      }
    }
  }

  int rank(int p) const
  {
    constexpr std::array lateral = {1, 4, 6, 9};
    const auto& diagonal = reading_.diagonal_order;
    const auto found = std::ranges::find(diagonal, p);
    return static_cast<int>(found != diagonal.end() ? found - diagonal.begin()
                                                    : 4 + (std::ranges::find(lateral, p) - lateral.begin()));
  }

  void receive(const std::vector<NodeSend>& sends, std::uint32_t step)
  {
    for (const NodeSend sent : sends) {
      const std::uint32_t to = index(sent.to);
      known_[to] = std::min(known_[to], step);
      if (module_known_[to / 10] < step) {
        continue;
      }
      const int p = static_cast<int>(to % 10);
      if (module_known_[to / 10] == never || rank(p) < rank(entries_[to / 10])) {
        entries_[to / 10] = p;
      }
      module_known_[to / 10] = step;
    }
  }

  PetersenTorusSize size_;
  bool all_ports_;
  PlaneReading reading_;
  std::vector<std::uint32_t> known_;        // by node: the step in which it gets the message
  std::vector<std::uint32_t> module_known_; // by module: that of its first node
  std::vector<ModuleSteps> plans_;
  std::vector<std::uint32_t> starts_;
  std::vector<int> entries_;
};

} // namespace

SendSteps plane_steps(std::int64_t m, std::int64_t n, bool all_ports, const PlaneReading& reading)
{
  return PlaneReplay(m, n, all_ports, reading).run();
}

} // namespace wormcast::kim
