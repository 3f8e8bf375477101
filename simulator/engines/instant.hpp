#pragma once

#include "wormcast/simulator/message_source.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace wormcast {

/// The requests of one instant, in the order of docs/network-model.md, rule 3.
class Requests {
public:
  bool empty() const { return count_ == 0; }

  void add(std::uint32_t precedence, MessageId message, std::uint32_t worm)
  {
    if (count_ == requests_.size()) {
      requests_.resize(2 * count_ + 16);
    }
    requests_[count_++] = {std::uint64_t{precedence} << 32 | index(message), worm};
  }

  /// Calls ask(worm) for each in ascending (precedence, message). Requests that are added meanwhile stay for the next
  /// call.
  template <typename Ask> void serve(Ask&& ask)
  {
    if (count_ == 1) {
      count_ = 0;
      ask(requests_[0].worm);
      return;
    }
    serving_.swap(requests_);
    const std::span<Request> serving(serving_.data(), std::exchange(count_, 0));
    if (!std::ranges::is_sorted(serving, {}, &Request::place)) {
      std::ranges::sort(serving, {}, &Request::place);
    }
    for (const Request& request : serving) {
      ask(request.worm);
    }
  }

private:
  struct Request {
    std::uint64_t place = 0;
    std::uint32_t worm = 0;
  };

  std::vector<Request> requests_; // the first count_ of it
  std::size_t count_ = 0;
  std::vector<Request> serving_;
};

/// The worms of an engine, each a message under way, under numbers that are used again.
template <typename Worm> class WormTable {
public:
  std::uint32_t add()
  {
    if (free_.empty()) {
      worms_.emplace_back();
      return static_cast<std::uint32_t>(worms_.size() - 1);
    }
    const std::uint32_t worm = free_.back();
    free_.pop_back();
    worms_[worm] = Worm{};
    return worm;
  }
  void remove(std::uint32_t worm) { free_.push_back(worm); }
  std::uint64_t size() const { return worms_.size() - free_.size(); }

  Worm& operator[](std::uint32_t worm) { return worms_[worm]; }
  const Worm& operator[](std::uint32_t worm) const { return worms_[worm]; }

private:
  std::vector<Worm> worms_;
  std::vector<std::uint32_t> free_;
};

/// The deliveries of one instant: sorted, then told to the source and to whoever records them.
class Deliveries {
public:
  explicit Deliveries(const RecordSinks& sinks) : sinks_(sinks), recorded_(static_cast<bool>(sinks.delivery)) {}

  bool empty() const { return deliveries_.empty(); }
  bool recorded() const { return recorded_; }

  void clear()
  {
    deliveries_.clear();
    records_.clear();
  }

  void add(const Delivery& delivery) { deliveries_.push_back(delivery); }
  /// Besides, where they are recorded().
  void add_record(const DeliveryRecord& record) { records_.push_back(record); }

  /// False if there is none.
  bool report(MessageSource& source, std::int64_t now)
  {
    if (deliveries_.empty()) {
      return false;
    }
    if (deliveries_.size() > 1) {
      std::ranges::sort(deliveries_, {}, &Delivery::message);
      std::ranges::sort(records_, {}, &DeliveryRecord::message);
    }
    for (const DeliveryRecord& record : records_) {
      sinks_.delivery(record);
    }
    source.delivered(deliveries_, now);
    return true;
  }

  std::span<const Delivery> all() const { return deliveries_; }

private:
  const RecordSinks& sinks_;
  bool recorded_;
  std::vector<Delivery> deliveries_;
  std::vector<DeliveryRecord> records_;
};

} // namespace wormcast
