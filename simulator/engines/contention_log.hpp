#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/records.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A message and its step, as contention records name them. The default is no message.
struct MessageStep {
  MessageId message{0xffffffff};
  std::uint32_t step = 0;
};

/// The contention records of an engine: sums them up, and hands out those of each instant by waiting message.
class ContentionLog {
public:
  explicit ContentionLog(const RecordSinks& sinks) : sinks_(sinks), wanted_(static_cast<bool>(sinks.contention)) {}

  /// Whether anybody wants the records themselves; the sums need no more than count().
  bool wanted() const { return wanted_; }
  void count(ContentionKind kind, Time wait) { totals_.add(kind, wait); }
  void add(const ContentionRecord& record) { pending_.push_back(record); }

  /// To be called when all events of an instant are done.
  void flush()
  {
    if (!pending_.empty()) {
      write_pending();
    }
  }
  const ContentionTotals& totals() const { return totals_; }

private:
  void write_pending()
  {
    // One message can end several waits in one instant: they keep their order.
    std::ranges::stable_sort(pending_, {}, &ContentionRecord::waiting);
    for (const ContentionRecord& record : pending_) {
      totals_.add(record.kind, record.wait);
      if (wanted_) {
        sinks_.contention(record);
      }
    }
    pending_.clear();
  }

  const RecordSinks& sinks_;
  bool wanted_;
  std::vector<ContentionRecord> pending_;
  ContentionTotals totals_;
};

} // namespace wormcast
