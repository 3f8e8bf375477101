#include "wormcast/algorithms/petersen/torus_plane.hpp"

#include "wormcast/algorithms/petersen/broadcast.hpp"
#include "wormcast/algorithms/petersen/torus_conditions.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace wormcast {

namespace {

using Step = std::uint32_t;
constexpr Step never = std::numeric_limits<Step>::max();

// Position in the order in which the nodes of a module claim it; nodes 0 and 5 have no edge within the plane.
int entry_rank(int p)
{
  static constexpr std::array<int, 8> order = {8, 7, 2, 3, 1, 4, 6, 9};
  return static_cast<int>(std::ranges::find(order, p) - order.begin());
}

bool is_diagonal(int p)
{
  return p == 8 || p == 7 || p == 2 || p == 3;
}

struct Module {
  Step informed = never; // the step in which the message entered it
  int entry = 0;         // by this node
  Step start = never;    // the step in which its sends begin
};

class Plane {
public:
  Plane(std::int64_t m, std::int64_t n, bool all_ports)
      : size_{1, m, n}, modules_(static_cast<std::size_t>(m * n)), nodes_(static_cast<std::size_t>(m * n * 10), never),
        uninformed_(m * n * 10 - 10)
  {
    for (int p = 0; p < 10; ++p) {
      diagonal_.push_back(is_diagonal(p) ? diagonal_module_steps(p, all_ports) : ModuleSteps{});
      lateral_.push_back(petersen_broadcast_steps(p, all_ports));
    }
    modules_[0] = {0, 0, 1};
    std::fill_n(nodes_.begin(), 10, 0);
  }

  SendSteps run()
  {
    SendSteps steps;
    for (Step step = 1; uninformed_ > 0; ++step) {
      if (step > nodes_.size() + 10) {
        throw std::logic_error("Algorithm 1 is stuck");
      }
      std::vector<NodeSend>& sends = steps.emplace_back();
      for (std::size_t i = 0; i < modules_.size(); ++i) {
        add_sends(i, step, sends);
      }
      for (const NodeSend send : sends) {
        receive(send.to, step);
      }
    }
    return steps;
  }

private:
  void add_sends(std::size_t i, Step step, std::vector<NodeSend>& sends)
  {
    Module& module = modules_[i];
    if (module.informed >= step) {
      return;
    }
    if (module.start == never && (is_diagonal(module.entry) || adjacent_modules_informed(i, step))) {
      module.start = step;
    }
    const ModuleSteps& plan = plan_of(i);
    if (module.start > step || step - module.start >= plan.size()) {
      return;
    }
    const PetersenTorusNode place = petersen_torus_node(size_, NodeId{static_cast<std::uint32_t>(i * 10)});
    for (const ModuleSend local : plan[step - module.start]) {
      const NodeSend send = send_of_module(size_, place, local);
      const Step known_since = local.to == ModuleSend::external ? modules_[index(send.to) / 10].informed //
                                                                : nodes_[index(send.to)];
      if (known_since >= step) {
        sends.push_back(send);
      }
    }
  }

  const ModuleSteps& plan_of(std::size_t i) const
  {
    static const ModuleSteps source = module_steps("1>X 2>X 3>X 4>X 6>X 7>X 8>X 9>X");
    const auto entry = static_cast<std::size_t>(modules_[i].entry);
    return i == 0 ? source : is_diagonal(modules_[i].entry) ? diagonal_[entry] : lateral_[entry];
  }

  bool adjacent_modules_informed(std::size_t i, Step step) const
  {
    const PetersenTorusNode place = petersen_torus_node(size_, NodeId{static_cast<std::uint32_t>(i * 10)});
    for (const std::int64_t dx : {-1, 0, 1}) {
      for (const std::int64_t dy : {-1, 0, 1}) {
        const NodeId node = petersen_torus_id(size_, {0, place.x + dx, place.y + dy, 0});
        if (modules_[index(node) / 10].informed >= step) {
          return false;
        }
      }
    }
    return true;
  }

  void receive(NodeId node, Step step)
  {
    Step& known_since = nodes_[index(node)];
    if (known_since == never) {
      known_since = step;
      --uninformed_;
    }
    Module& module = modules_[index(node) / 10];
    const auto p = static_cast<int>(index(node) % 10);
    if (module.informed == never) {
      module.informed = step;
      module.entry = p;
    } else if (module.informed == step && entry_rank(p) < entry_rank(module.entry)) {
      module.entry = p;
    }
  }

  PetersenTorusSize size_;
  std::vector<ModuleSteps> diagonal_; // by entry
  std::vector<ModuleSteps> lateral_;
  std::vector<Module> modules_;
  std::vector<Step> nodes_; // the step in which it received the message
  std::int64_t uninformed_;
};

} // namespace

SendSteps petersen_torus_plane_steps(std::int64_t m, std::int64_t n, bool all_ports)
{
  return Plane(m, n, all_ports).run();
}

} // namespace wormcast
