#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/records.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// A message and its step, as contention records name them. The default is no message.
struct MessageStep {
  MessageId message{0xffffffff};
  std::uint32_t step = 0;
};

/// The contention records of an engine: adds them up, and passes the records of each time step on in the order of the
/// waiting messages.
class ContentionLog {
public:
  explicit ContentionLog(const RecordSinks& sinks) : sinks_(sinks), wanted_(static_cast<bool>(sinks.contention)) {}

  /// Returns whether the records themselves are used; the sums need only count().
  bool wanted() const { return wanted_; }
  void count(ContentionKind kind, Time wait) { totals_.add(kind, wait); }
  void add(const ContentionRecord& record) { pending_.push_back(record); }

  /// Must be called when all events of a time step are done. One message can end several waits in one time step: these
  /// stay in order.
  void flush()
  {
    flush([](const ContentionRecord& record) { return record.waiting; });
  }
  /// The same, ordered by `rank`.
  template <typename Rank> void flush(Rank&& rank)
  {
    if (!pending_.empty()) {
      std::ranges::stable_sort(pending_, {}, rank);
      write_pending();
    }
  }
  const ContentionTotals& totals() const { return totals_; }

protected:
  /// Takes over what another log has, which is empty afterwards.
  void take(ContentionLog& other)
  {
    totals_.add(std::exchange(other.totals_, {}));
    pending_.insert(pending_.end(), other.pending_.begin(), other.pending_.end());
    other.pending_.clear();
  }

private:
  void write_pending()
  {
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
