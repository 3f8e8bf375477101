#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace wormcast::testing {

/// Who sends when, of docs/network-model.md, taken literally: asked again and again, it looks at all messages that are
/// not ready yet.
class PicosecondTraffic {
public:
  /// `port_of` gives for each message a number of its sender's port, `channels` how many channels a port has.
  PicosecondTraffic(const Schedule& schedule, const RunParameters& run, std::vector<std::int64_t> start_delays,
                    const std::vector<std::size_t>& port_of, std::int64_t channels);

  /// The receiver can use the message.
  void deliver(std::size_t message);
  void release_port(std::size_t message);

  /// Calls `ready` with each message that becomes ready through what has happened until `now`, and when: now or later.
  void find_ready(std::int64_t now, const std::function<void(std::size_t, std::int64_t)>& ready);

  /// After this moment nothing becomes ready any more unless something is delivered or a port released.
  std::int64_t last_start() const { return last_start_; }

private:
  /// A sender's port: its messages in schedule order.
  struct Port {
    std::vector<std::size_t> messages;
    std::size_t next = 0;
    std::int64_t on_their_way = 0;
  };
  std::optional<std::int64_t> ready_in_list(std::size_t message, std::int64_t now) const;
  std::optional<std::int64_t> ready_in_lockstep(std::size_t message, std::int64_t now) const;
  void find_ready_on(Port& port, std::int64_t now, const std::function<void(std::size_t, std::int64_t)>& ready);
  void hold_blocks_at_start(std::size_t nodes);
  bool brings_before(std::size_t earlier, std::size_t message) const;
  bool sender_holds_blocks(std::size_t message) const;
  std::int64_t delay_of_sender(std::size_t message) const;

  const Schedule& schedule_;
  Mode mode_;
  std::vector<std::int64_t> delays_;    ///< by node
  std::vector<bool> ready_;             ///< by message
  std::vector<bool> delivered_;         ///< by message
  std::vector<std::vector<bool>> held_; ///< by node and block
  std::vector<std::size_t> port_of_;
  std::vector<Port> ports_;
  std::int64_t channels_;
  std::int64_t last_start_ = 0;
};

} // namespace wormcast::testing
