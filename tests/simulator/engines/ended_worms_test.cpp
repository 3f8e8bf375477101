// Messages that arrive in one time step are reported in ascending order, few or many.

#include "wormcast/simulator/engines/time_step.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>

namespace wormcast {
namespace {

/// Keeps what it is told of deliveries.
class Listening final : public MessageSource {
public:
  std::int64_t next_time() const override { return never; }
  void pop(std::int64_t, std::vector<NewMessage>&) override {}
  void delivered(std::span<const Delivery> deliveries, std::int64_t now) override
  {
    heard.assign(deliveries.begin(), deliveries.end());
    time = now;
  }
  void port_released(MessageId, std::int64_t) override {}
  bool wants_port_releases() const override { return false; }
  std::optional<std::uint64_t> message_count() const override { return std::nullopt; }
  Rest rest() const override { return {}; }

  std::vector<Delivery> heard;
  std::int64_t time = 0;
};

// Message m has handle m + 1 and worm m + 2, and was granted its port at m + 3.
void expect_ascending(std::vector<std::uint32_t> messages, std::int64_t now)
{
  EndedWorms ended;
  for (int round = 0; round < 2; ++round) {
    ended.clear();
    for (const std::uint32_t message : messages) {
      ended.add({.message = MessageId{message}, .handle = message + 1}, message + 2);
    }
    Listening source;
    std::vector<std::uint32_t> retired;
    ended.report(source, now, [&](std::uint32_t worm, const Delivery& delivery) {
      retired.push_back(worm);
      return std::int64_t{index(delivery.message)} + 3;
    });
    std::ranges::sort(messages);
    RC_ASSERT(source.time == now);
    RC_ASSERT(retired.size() == messages.size());
    RC_ASSERT(source.heard.size() == messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      RC_ASSERT(retired[i] == messages[i] + 2);
      RC_ASSERT(index(source.heard[i].message) == messages[i]);
      RC_ASSERT(source.heard[i].handle == messages[i] + 1);
      RC_ASSERT(source.heard[i].granted == std::int64_t{messages[i]} + 3);
      RC_ASSERT(ended.deliveries()[i].message == source.heard[i].message);
    }
    messages.pop_back(); // the second time fewer
  }
}

RC_GTEST_PROP(EndedWorms, AreReportedInTheOrderOfTheMessages, ())
{
  const auto count = *rc::gen::element<std::size_t>(2, 3, 17, 64, 65, 191, 192, 193, 194, 700);
  auto messages = *rc::gen::unique<std::vector<std::uint32_t>>(count, rc::gen::inRange<std::uint32_t>(0, 1'000'000));
  expect_ascending(std::move(messages), 5);
}

} // namespace
} // namespace wormcast
