#pragma once

#include "wormcast/simulator/engines/contention_log.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

namespace wormcast {

/// The records of router "input_queued", with waits in cycles of `tau` picoseconds. Those of one cycle are passed on in
/// an order that does not depend on the order in which routers are stepped.
class PipelineLog : public ContentionLog {
public:
  PipelineLog(const RecordSinks& sinks, std::int64_t tau) : ContentionLog(sinks), occupancy_(sinks.occupancy), tau_(tau)
  {}

  Time time_of(std::int64_t cycle) const { return Time{cycle * tau_}; }
  std::int64_t cycle_of(Time time) const { return time.picoseconds / tau_; }

  /// Records a header's wait for `resource`, which was granted in cycle `to`.
  void add_wait(const Resource& resource, MessageStep waiting, MessageStep holding, std::int64_t from, WaitCause cause,
                std::int64_t to)
  {
    add_wait(resource.kind, [&] { return resource; }, waiting, holding, from, cause, to);
  }

  /// The same, where resource() is called only if the record is used.
  template <typename ResourceOf>
  void add_wait(Resource::Kind where, ResourceOf&& resource, MessageStep waiting, MessageStep holding,
                std::int64_t from, WaitCause cause, std::int64_t to)
  {
    const ContentionKind kind = where != Resource::Kind::external ? ContentionKind::port
                                : waiting.step == holding.step    ? ContentionKind::step
                                                                  : ContentionKind::depth;
    if (!wanted()) {
      count(kind, time_of(to - from));
      return;
    }
    add_record(resource(), waiting, holding, kind, from, to, to - from, cause);
  }

  /// Records that flits behind a header lost `lost` cycles between `from` and `to` to others at the crossbar.
  void add_sharing(const Resource& resource, MessageStep waiting, MessageStep holding, std::int64_t from,
                   std::int64_t to, std::int64_t lost)
  {
    add_record(resource, waiting, holding, ContentionKind::sharing, from, to, lost, WaitCause::crossbar);
  }

  bool wants_occupancy() const { return static_cast<bool>(occupancy_); }

  /// Records that a message held `resource` from one time to another; only if wants_occupancy().
  void add_occupancy(const Resource& resource, MessageStep owner, Time from, Time to)
  {
    pending_occupancy_.push_back(
        {.resource = resource, .message = owner.message, .step = owner.step, .from = from, .to = to});
  }

  /// Takes over what the log of another thread has, which is empty afterwards.
  void take(PipelineLog& other)
  {
    ContentionLog::take(other);
    pending_occupancy_.insert(pending_occupancy_.end(), other.pending_occupancy_.begin(),
                              other.pending_occupancy_.end());
    other.pending_occupancy_.clear();
  }

  /// Must be called when all events of a cycle are done.
  void flush()
  {
    ContentionLog::flush([](const ContentionRecord& record) {
      return std::tuple(record.waiting, place(record.resource), record.kind, record.cause, record.from);
    });
    if (!pending_occupancy_.empty()) {
      write_occupancy();
    }
  }

private:
  using Place = std::tuple<Resource::Kind, NodeId, ChannelId>;
  static Place place(const Resource& resource) { return {resource.kind, resource.node, resource.channel}; }

  void write_occupancy()
  {
    std::ranges::sort(pending_occupancy_, {},
                      [](const OccupancyRecord& record) { return std::tuple(place(record.resource), record.message); });
    std::ranges::for_each(pending_occupancy_, occupancy_);
    pending_occupancy_.clear();
  }

  void add_record(const Resource& resource, MessageStep waiting, MessageStep holding, ContentionKind kind,
                  std::int64_t from, std::int64_t to, std::int64_t lost, WaitCause cause)
  {
    const Time wait = time_of(lost);
    if (!wanted()) {
      count(kind, wait);
      return;
    }
    add({.resource = resource,
         .waiting = waiting.message,
         .holding = holding.message,
         .waiting_step = waiting.step,
         .holding_step = holding.step,
         .kind = kind,
         .from = time_of(from),
         .to = time_of(to),
         .wait = wait,
         .cause = cause});
  }

  const std::function<void(const OccupancyRecord&)>& occupancy_; // may be empty
  std::vector<OccupancyRecord> pending_occupancy_;
  std::int64_t tau_;
};

} // namespace wormcast
