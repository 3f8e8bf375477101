#pragma once

#include "wormcast/simulator/engines/contention_log.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"

#include <cstdint>

namespace wormcast {

/// The records of router "input_queued", with waits in cycles of `tau` picoseconds.
class PipelineLog : public ContentionLog {
public:
  PipelineLog(const RecordSinks& sinks, std::int64_t tau) : ContentionLog(sinks), tau_(tau) {}

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

private:
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

  std::int64_t tau_;
};

} // namespace wormcast
