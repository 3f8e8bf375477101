#pragma once

#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/model/message_source.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace wormcast {

/// The requests of one time step, in the order of docs/network-model.md, rule 3.
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

  /// Calls ask(worm) for each request in ascending (precedence, message). Requests that are added meanwhile stay for
  /// the next call.
  template <typename Ask> void serve(Ask&& ask)
  {
    serve(ask, [](std::uint32_t, std::uint32_t) {});
  }
  /// The same; calls prefetch(far, near) before each, with a worm whose turn comes some requests later and one whose
  /// turn comes soon.
  template <typename Ask, typename Prefetch> void serve(Ask&& ask, Prefetch&& prefetch)
  {
    if (count_ == 1) {
      count_ = 0;
      ask(requests_[0].worm);
      return;
    }
    serving_.swap(requests_);
    const std::span<Request> serving(serving_.data(), std::exchange(count_, 0));
    if (!std::ranges::is_sorted(serving, {}, &Request::rank)) {
      sort(serving);
    }
    for (std::size_t i = 0; i < serving.size(); ++i) {
      prefetch(serving[std::min(i + 16, serving.size() - 1)].worm, serving[std::min(i + 8, serving.size() - 1)].worm);
      ask(serving[i].worm);
    }
  }

private:
  struct Request {
    std::uint64_t rank = 0;
    std::uint32_t worm = 0;
  };

  static constexpr unsigned digit_bits = 11;
  static constexpr std::size_t digits = std::size_t{1} << digit_bits;
  static constexpr std::size_t many = 256; // requests from which on digits are quicker than comparisons

  void sort(std::span<Request> serving)
  {
    if (serving.size() >= many) {
      const auto [first, last] = std::ranges::minmax(serving, {}, &Request::rank);
      const std::uint64_t least = first.rank;
      if ((last.rank - least) >> (2 * digit_bits) == 0) {
        sort_by_digits(serving, least);
        return;
      }
    }
    std::ranges::sort(serving, {}, &Request::rank);
  }

  // By the lower and then, stably, by the higher digit of the ranks beyond `least`: the messages in flight near
  // saturation are many, but their numbers lie close together.
  void sort_by_digits(std::span<Request> serving, std::uint64_t least)
  {
    by_digit_.resize(std::max(by_digit_.size(), serving.size()));
    const std::span<Request> other(by_digit_.data(), serving.size());
    sort_by_digit(serving, other, least, 0);
    sort_by_digit(other, serving, least, digit_bits);
  }
  static void sort_by_digit(std::span<const Request> from, std::span<Request> to, std::uint64_t least, unsigned shift)
  {
    const auto digit = [&](const Request& request) { return (request.rank - least) >> shift & (digits - 1); };
    std::array<std::uint32_t, digits> begins{};
    for (const Request& request : from) {
      ++begins[digit(request)];
    }
    std::exclusive_scan(begins.begin(), begins.end(), begins.begin(), std::uint32_t{0});
    for (const Request& request : from) {
      to[begins[digit(request)]++] = request;
    }
  }

  std::vector<Request> requests_; // the first count_ of it
  std::size_t count_ = 0;
  std::vector<Request> serving_;
  std::vector<Request> by_digit_;
};

/// The worms of an engine, each a message in flight, under numbers that are reused.
template <typename Worm> class WormTable {
public:
  std::uint32_t add(const Worm& made)
  {
    const std::uint32_t worm = add();
    worms_[worm] = made;
    return worm;
  }
  /// The same for a worm whose members are set afterwards.
  std::uint32_t add()
  {
    if (free_.empty()) {
      worms_.grow(++count_);
      return count_ - 1;
    }
    const std::uint32_t worm = free_.back();
    free_.pop_back();
    return worm;
  }
  void remove(std::uint32_t worm) { free_.push_back(worm); }
  std::uint64_t size() const { return count_ - free_.size(); }

  Worm& operator[](std::uint32_t worm) { return worms_[worm]; }
  const Worm& operator[](std::uint32_t worm) const { return worms_[worm]; }

private:
  GrowingArray<Worm> worms_; // the first count_ of it
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> free_;
};

/// The worms that arrive in one time step.
class EndedWorms {
public:
  bool empty() const { return ended_.empty(); }

  void clear()
  {
    ended_.clear();
    deliveries_.clear();
  }

  void add(const Delivery& delivery, std::uint32_t worm) { ended_.push_back({delivery, worm}); }

  /// Calls retire(worm, delivery) for each in ascending order of the messages, which returns the time at which it was
  /// granted its port, then reports the deliveries to the source.
  template <typename Retire> void report(MessageSource& source, std::int64_t now, Retire&& retire)
  {
    sort();
    for (const Ended& ended : ended_) {
      // Granted is written where it stays: a copy of what was just written would wait for it.
      deliveries_.push_back(ended.delivery);
      deliveries_.back().granted = retire(ended.worm, ended.delivery);
    }
    source.delivered(deliveries_, now);
  }

  /// Returns the reported deliveries.
  std::span<const Delivery> deliveries() const { return deliveries_; }

private:
  struct Ended {
    Delivery delivery;
    std::uint32_t worm = 0;
  };

  static constexpr std::size_t few = 192;

  // Each is put where it belongs, behind as many as are less: quicker for a few than to compare with unpredictable
  // branches.
  void sort()
  {
    if (ended_.size() == 1) {
      return;
    }
    if (ended_.size() > few) {
      std::ranges::sort(ended_, {}, [](const Ended& ended) { return ended.delivery.message; });
      return;
    }
    const std::size_t count = ended_.size();
    messages_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      messages_[i] = index(ended_[i].delivery.message);
    }
    sorted_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t place = 0;
      for (std::size_t j = 0; j < count; ++j) {
        place += std::uint32_t{messages_[j] < messages_[i]};
      }
      sorted_[place] = ended_[i];
    }
    ended_.swap(sorted_);
  }

  std::vector<Ended> ended_;
  std::vector<Ended> sorted_;
  std::vector<std::uint32_t> messages_;
  std::vector<Delivery> deliveries_;
};

} // namespace wormcast
