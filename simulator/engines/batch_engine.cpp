#include "wormcast/simulator/engines/batch_engine.hpp"

#include "wormcast/simulator/engines/thread_team.hpp"
#include "wormcast/values/work_watch.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>
#include <variant>

namespace wormcast {

namespace {

using Record = std::variant<DeliveryRecord, ContentionRecord, OccupancyRecord>;

void move_in_time(DeliveryRecord& record, Time by)
{
  record.ready += by;
  record.granted += by;
  record.delivered += by;
  if (record.flits) {
    record.flits->head_injected += by;
    record.flits->tail_injected += by;
    record.flits->head_ejected += by;
  }
}

void move_in_time(ContentionRecord& record, Time by)
{
  record.from += by;
  record.to += by;
}

void move_in_time(OccupancyRecord& record, Time by)
{
  record.from += by;
  record.to += by;
}

// A time with deliveries.
struct Arrivals {
  std::int64_t time = 0;
  std::size_t deliveries_end = 0; // in Batch::deliveries
  std::size_t records_end = 0;    // in Batch::records
};

// A batch and what became of it, in the time of the engine that ran it.
struct Batch {
  std::vector<NewMessage> messages;
  std::int64_t start = 0;
  std::vector<Delivery> deliveries;
  std::vector<Record> records;
  std::vector<Arrivals> arrivals;
  ContentionTotals contention;
  std::uint64_t header_hops = 0;
  std::uint64_t flit_hops = 0;
  bool stopped = false; // some messages can not move

  void clear()
  {
    messages.clear();
    deliveries.clear();
    records.clear();
    arrivals.clear();
  }
};

// One batch after the other.
class BatchSource final : public MessageSource {
public:
  explicit BatchSource(std::optional<std::uint64_t> message_count) : message_count_(message_count) {}

  void put(const Batch& batch) { batch_ = &batch; }

  std::int64_t next_time() const override { return batch_ == nullptr ? never : batch_->start; }
  void pop(std::int64_t now, std::vector<NewMessage>& messages) override
  {
    for (NewMessage message : std::exchange(batch_, nullptr)->messages) {
      message.time = now;
      messages.push_back(message);
    }
  }
  void delivered(std::span<const Delivery>, std::int64_t) override {}
  void port_released(MessageId, std::int64_t) override {}
  bool wants_port_releases() const override { return false; }
  bool waits_for_deliveries() const override { return true; }
  std::optional<std::uint64_t> message_count() const override { return message_count_; }
  Rest rest() const override { return {}; }

private:
  std::optional<std::uint64_t> message_count_;
  const Batch* batch_ = nullptr;
};

// What one thread runs batches with.
class BatchRunner {
public:
  BatchRunner(const RouterEngine& kind, const EngineInput& input) : source_(input.source.message_count())
  {
    const auto keep = [this](const auto& record) { batch_->records.emplace_back(record); };
    if (input.sinks.delivery) {
      sinks_.delivery = keep;
    }
    if (input.sinks.contention) {
      sinks_.contention = keep;
    }
    if (input.sinks.occupancy) {
      sinks_.occupancy = keep;
    }
    engine_ = kind.make({input.topology, input.network, sinks_, source_, input.contention_free});
  }
  BatchRunner(const BatchRunner&) = delete;
  BatchRunner& operator=(const BatchRunner&) = delete;

  // Whether no batch can be run any more, as messages of the last one are in the way.
  bool stopped() const { return engine_->in_flight() > 0; }

  void run(Batch& batch)
  {
    batch_ = &batch;
    batch.start = std::max<std::int64_t>(engine_->now(), 0);
    const ContentionTotals contention = engine_->contention();
    const std::uint64_t header_hops = engine_->header_hops();
    const std::uint64_t flit_hops = engine_->flit_hops();
    source_.put(batch);
    for (std::span<const Delivery> now = engine_->advance(); !now.empty(); now = engine_->advance()) {
      batch.deliveries.insert(batch.deliveries.end(), now.begin(), now.end());
      batch.arrivals.push_back({engine_->now(), batch.deliveries.size(), batch.records.size()});
    }
    batch.stopped = stopped();
    batch.contention = engine_->contention().since(contention);
    batch.header_hops = engine_->header_hops() - header_hops;
    batch.flit_hops = engine_->flit_hops() - flit_hops;
  }

private:
  BatchSource source_;
  RecordSinks sinks_;
  std::unique_ptr<Engine> engine_;
  Batch* batch_ = nullptr;
};

class BatchEngine final : public Engine {
public:
  BatchEngine(const RouterEngine& kind, const EngineInput& input) : kind_(kind), input_(input), team_(input.threads)
  {
    for (std::uint32_t thread = 0; thread < team_.size(); ++thread) {
      runners_.push_back(std::make_unique<BatchRunner>(kind, input));
    }
  }

  std::optional<std::int64_t> next_event_time() const override
  {
    if (last_) {
      return last_->next_event_time();
    }
    const std::int64_t next = std::min(next_arrival(), input_.source.next_time());
    return next == never ? std::nullopt : std::optional(next);
  }

  std::span<const Delivery> advance(std::int64_t before) override
  {
    while (!last_) {
      const std::int64_t arrival = next_arrival();
      const std::int64_t pop = input_.source.next_time();
      if (std::min(arrival, pop) >= before) {
        return {};
      }
      if (std::min(arrival, pop) >= largest_time) {
        throw_time_overflow();
      }
      steps_.add();
      if (arrival <= pop) { // both: engines report deliveries before they pop messages
        return deliver(arrival);
      }
      pop_batch(pop);
    }
    const std::span<const Delivery> deliveries = last_->advance(before);
    add_last();
    return deliveries;
  }

  std::int64_t now() const override { return last_ ? std::max(now_, last_->now()) : now_; }
  std::uint64_t in_flight() const override { return last_ ? last_->in_flight() : in_flight_; }
  const ContentionTotals& contention() const override { return contention_; }
  std::uint64_t header_hops() const override { return header_hops_ + (last_ ? last_->header_hops() : 0); }
  std::uint64_t flit_hops() const override { return flit_hops_ + (last_ ? last_->flit_hops() : 0); }

  StoppedNetwork explain_deadlock(std::int64_t last_delivery) override
  {
    StoppedNetwork stopped = last_->explain_deadlock(last_delivery);
    add_last();
    return stopped;
  }

private:
  // Messages of the batches that are run at a time, if they are more than the threads.
  static constexpr std::size_t many_messages = std::size_t{1} << 17;

  const Batch& batch() const { return batches_[at_]; }
  std::int64_t next_arrival() const
  {
    return in_flight_ == 0 ? never : start_ + (batch().arrivals[arrival_].time - batch().start);
  }

  void pop_batch(std::int64_t now)
  {
    now_ = now;
    if (in_flight_ == 0 && at_ == run_count_) {
      run_batches();
    }
    if (in_flight_ == 0 && at_ < run_count_ && batch().stopped) {
      last_ = kind_.make({input_.topology, input_.network, input_.sinks, input_.source, input_.contention_free});
      return;
    }
    popped_.clear();
    input_.source.pop(now, popped_);
    if (popped_.empty()) {
      return; // nodes have computed
    }
    if (in_flight_ > 0 || at_ == run_count_ || popped_.size() != batch().messages.size()) {
      throw std::logic_error("a source has other messages than those of its batches");
    }
    in_flight_ = popped_.size();
    start_ = now;
    contention_.add(batch().contention);
    header_hops_ += batch().header_hops;
    flit_hops_ += batch().flit_hops;
  }

  std::span<const Delivery> deliver(std::int64_t now)
  {
    now_ = now;
    Batch& current = batches_[at_];
    const std::int64_t by = start_ - current.start;
    const Arrivals& arrivals = current.arrivals[arrival_++];
    for (; record_ < arrivals.records_end; ++record_) {
      std::visit(
          [&](auto& record) {
            move_in_time(record, Time{by});
            write(record);
          },
          current.records[record_]);
    }
    const std::span<Delivery> deliveries =
        std::span(current.deliveries).subspan(delivery_, arrivals.deliveries_end - delivery_);
    for (Delivery& delivery : deliveries) {
      delivery.granted += by;
    }
    delivery_ = arrivals.deliveries_end;
    in_flight_ -= deliveries.size();
    if (in_flight_ == 0) {
      ++at_;
      arrival_ = 0;
      delivery_ = 0;
      record_ = 0;
    }
    input_.source.delivered(deliveries, now);
    return deliveries;
  }

  void write(const DeliveryRecord& record) const { input_.sinks.delivery(record); }
  void write(const ContentionRecord& record) const { input_.sinks.contention(record); }
  void write(const OccupancyRecord& record) const { input_.sinks.occupancy(record); }

  // The next batches, all from an empty network.
  void run_batches()
  {
    first_ += at_;
    at_ = 0;
    run_count_ = 0;
    std::size_t messages = 0;
    while (first_ + run_count_ < input_.source.batch_count() &&
           (run_count_ < team_.size() || messages < many_messages)) {
      if (run_count_ == batches_.size()) {
        batches_.emplace_back();
      }
      Batch& next = batches_[run_count_++];
      next.clear();
      input_.source.append_batch(first_ + run_count_ - 1, next.messages);
      messages += next.messages.size();
    }
    // In this order: behind a batch that stops, others may not be run, which nobody asks for then.
    std::atomic<std::size_t> taken = 0;
    team_.run([&](std::uint32_t thread) {
      BatchRunner& runner = *runners_[thread];
      while (!runner.stopped()) {
        const std::size_t number = taken.fetch_add(1, std::memory_order_relaxed);
        if (number >= run_count_) {
          return;
        }
        runner.run(batches_[number]);
      }
    });
  }

  // The last batch, which stops, is run by an engine that can explain it, with the records that it makes.
  void add_last()
  {
    contention_.add(last_->contention().since(last_contention_));
    last_contention_ = last_->contention();
  }

  const RouterEngine& kind_;
  EngineInput input_;
  ThreadTeam team_;
  std::vector<std::unique_ptr<BatchRunner>> runners_; // by thread
  std::vector<Batch> batches_;                        // the first run_count_ of it have been run
  std::size_t run_count_ = 0;
  std::size_t first_ = 0; // the number of batches_[0] in the source
  // The batch that is in the network, or is next: batches_[at_], and what comes next of it.
  std::size_t at_ = 0;
  std::int64_t start_ = 0;
  std::size_t arrival_ = 0;
  std::size_t delivery_ = 0;
  std::size_t record_ = 0;
  std::uint64_t in_flight_ = 0;
  std::unique_ptr<Engine> last_; // has taken over
  ContentionTotals last_contention_;
  ContentionTotals contention_;
  std::uint64_t header_hops_ = 0;
  std::uint64_t flit_hops_ = 0;
  std::int64_t now_ = -1;
  std::vector<NewMessage> popped_;
  WorkSteps steps_;
};

} // namespace

bool runs_batches_on_threads(const RouterEngine& kind, const EngineInput& input)
{
  constexpr std::size_t largest_batch = std::size_t{1} << 18;
  const MessageSource& source = input.source;
  return input.threads > 1 && kind.starts_anew && !input.sinks.path && source.batch_count() > 1 &&
         source.largest_batch() <= largest_batch;
}

std::unique_ptr<Engine> make_batch_engine(const RouterEngine& kind, const EngineInput& input)
{
  return std::make_unique<BatchEngine>(kind, input);
}

} // namespace wormcast
