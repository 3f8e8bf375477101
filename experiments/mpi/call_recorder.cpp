#include "wormcast/experiments/mpi/call_recorder.hpp"

#include "wormcast/experiments/mpi/smpi_interface.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <malloc.h>
#include <utility>

namespace wormcast {

namespace {

constexpr std::array<std::string_view, mpi_call_count> call_names = {
#define WORMCAST_CALL(NAME, PARAMETERS, KIND) "MPI_" #NAME,
    WORMCAST_MPI_CALLS(WORMCAST_CALL)
#undef WORMCAST_CALL
};

constexpr bool collective = true;
constexpr bool other = false;
constexpr std::array<bool, mpi_call_count> collectives = {
#define WORMCAST_CALL(NAME, PARAMETERS, KIND) KIND,
    WORMCAST_MPI_CALLS(WORMCAST_CALL)
#undef WORMCAST_CALL
};

// What is listed of the requests of a rank that waits for many.
constexpr std::size_t listed_requests = 8;

std::int64_t simulated_picoseconds()
{
  return std::llround(simgrid::s4u::Engine::get_clock() * 1e12);
}

std::size_t running_process()
{
  return static_cast<std::size_t>(std::max<aid_t>(0, simgrid::s4u::this_actor::get_pid()));
}

// smpirun starts the ranks in their order as the first processes, which SimGrid counts from 1.
std::uint32_t rank_of_process(std::size_t process)
{
  return static_cast<std::uint32_t>(process) - 1;
}

} // namespace

std::string_view mpi_call_name(MpiCall call)
{
  return call == MpiCall::none ? std::string_view() : call_names[static_cast<std::size_t>(call)];
}

bool is_collective(MpiCall call)
{
  return call != MpiCall::none && collectives[static_cast<std::size_t>(call)];
}

CallRecorder& CallRecorder::instance()
{
  static auto* const recorder = new CallRecorder; // SimGrid's processes end after static objects do
  return *recorder;
}

CallRecorder::CallRecorder()
{
  words_.regions.number("");
  for (std::size_t call = 0; call < mpi_call_count; ++call) {
    call_numbers_[call] = words_.calls.number(call_names[call]);
  }
  call_numbers_[mpi_call_count] = words_.calls.number("");
}

CallRecorder::Rank& CallRecorder::here()
{
  const std::size_t process = running_process();
  if (process >= ranks_.size()) {
    ranks_.resize(process + 1);
  }
  return ranks_[process];
}

CallRecorder::Scope::Scope(MpiCall call, MPI_Comm communicator, const void* frame) : process_(running_process())
{
  CallRecorder& recorder = instance();
  Rank& rank = recorder.here();
  if (rank.depth++ > 0) {
    return;
  }
  is_outer_ = true;
  rank.call = call;
  rank.frame = frame;
  rank.collective = 0;
  if (communicator != nullptr && is_collective(call)) {
    rank.communicator = recorder.communicator_number(communicator);
    rank.collective = ++rank.collectives[{communicator->id(), call}];
  }
  rank.entered = simulated_picoseconds();
}

CallRecorder::Scope::~Scope()
{
  Rank& rank = instance().ranks_[process_];
  --rank.depth;
  if (!is_outer_) {
    return;
  }
  if (rank.totals.empty()) {
    rank.totals.resize(mpi_call_count);
  }
  Total& total = rank.totals[static_cast<std::size_t>(rank.call)];
  ++total.count;
  total.picoseconds += simulated_picoseconds() - rank.entered;
  rank.has_ended = rank.call == MpiCall::Finalize;
  rank.call = MpiCall::none;
  rank.collective = 0;
}

CallRecorder::Waiting::Waiting(int count, MPI_Request* requests) : process_(running_process())
{
  Rank& rank = instance().here();
  before_ = std::exchange(rank.waits_for, {requests, count});
}

CallRecorder::Waiting::~Waiting()
{
  instance().ranks_[process_].waits_for = before_;
}

std::uint32_t CallRecorder::communicator_number(MPI_Comm communicator)
{
  const int id = communicator->id();
  if (const auto found = communicators_.find(id); found != communicators_.end()) {
    return found->second;
  }
  const std::string name = communicator->name();
  // SMPI calls those that the program does not name MPI_Comm.
  const std::uint32_t number =
      words_.communicators.number(name.empty() || name == "MPI_Comm" ? "communicator " + std::to_string(id) : name);
  communicators_.emplace(id, number);
  return number;
}

CallRecorder::Request CallRecorder::request_for(const Exchange& exchange)
{
  const Rank& rank = here();
  const auto rank_of = [&](int member) {
    return rank_of_process(static_cast<std::size_t>(exchange.communicator->group()->actor(member)));
  };
  const std::uint32_t self = exchange.self ? rank_of(*exchange.self) : rank_of_process(running_process());
  Request request{.words = {},
                  .is_send = exchange.is_send,
                  .is_any_source = exchange.peer == MPI_ANY_SOURCE,
                  .is_any_tag = exchange.tag == MPI_ANY_TAG};
  const std::uint32_t peer = exchange.peer >= 0 ? rank_of(exchange.peer) : 0;
  request.words = {.sender = exchange.is_send ? self : peer,
                   .receiver = exchange.is_send ? peer : self,
                   .call = call_numbers_[static_cast<std::size_t>(rank.call)],
                   .communicator =
                       rank.collective != 0 ? rank.communicator : communicator_number(exchange.communicator),
                   .region = rank.regions.empty() ? 0 : rank.regions.back(),
                   .collective = rank.collective,
                   .tag = exchange.tag};
  return request;
}

void CallRecorder::announce(const Exchange& exchange)
{
  here().announced = request_for(exchange);
}

void CallRecorder::prepared(MPI_Request request, const Exchange& exchange)
{
  requests_.set(request, request_for(exchange)).is_prepared = true;
}

void CallRecorder::started(MPI_Request request)
{
  Rank& rank = here();
  if (rank.announced) {
    rank.announced->is_fresh = true;
    requests_.set(request, *rank.announced);
    rank.announced.reset();
  } else if (Request* const known = requests_.find(request)) {
    known->is_fresh = true;
    known->is_done = false;
  }
}

void CallRecorder::finished(MPI_Request request)
{
  Request* const known = requests_.find(request);
  if (known == nullptr) {
    return;
  }
  const bool is_under_way = known->is_send && known->is_fresh; // as of a send that returns at once
  if (known->is_prepared || is_under_way) {
    known->is_done = true;
  } else {
    requests_.erase(request);
  }
}

// The sender's request is the data that SimGrid keeps for the sender in a communication, whose class has no public
// declaration: it is found once by its value, and then at the same place.
const void* CallRecorder::sender_request(const void* communication)
{
  const auto word_at = [&](std::size_t offset) {
    const void* word = nullptr;
    std::memcpy(&word, static_cast<const char*>(communication) + offset, sizeof word);
    return word;
  };
  if (request_offset_) {
    return word_at(*request_offset_);
  }
  const std::size_t size = ::malloc_usable_size(const_cast<void*>(communication));
  for (std::size_t offset = 0; offset + sizeof(void*) <= size; offset += sizeof(void*)) {
    const void* const word = word_at(offset);
    if (const Request* const found = requests_.find(word); found != nullptr && found->is_send && found->is_fresh) {
      request_offset_ = offset;
      return word;
    }
  }
  return nullptr;
}

void CallRecorder::communication_starts(const void* communication)
{
  starting_ = nullptr;
  if (requests_.empty()) {
    return; // no program of MPI
  }
  const void* const request = sender_request(communication);
  if (const Request* const found = requests_.find(request); found != nullptr && found->is_send && found->is_fresh) {
    starting_ = request;
  }
}

std::optional<MessageWords> CallRecorder::starting()
{
  if (starting_ == nullptr) {
    return std::nullopt;
  }
  Request& request = *requests_.find(starting_);
  request.is_fresh = false;
  const MessageWords words = request.words;
  if (request.is_done && !request.is_prepared) {
    requests_.erase(std::exchange(starting_, nullptr));
  }
  return words;
}

void CallRecorder::region(bool begins, std::string_view name)
{
  std::vector<std::uint32_t>& regions = here().regions;
  if (begins) {
    regions.push_back(words_.regions.number(
        regions.empty() ? std::string(name) : words_.regions.text(regions.back()) + "/" + std::string(name)));
  } else if (!regions.empty()) {
    regions.pop_back();
  }
}

// The function that the program called was called by one of SMPI's, whose frame is small: the first word above it that
// is an address in the program's text is where the program goes on.
std::optional<std::uint64_t> CallRecorder::program_address(const void* frame) const
{
  constexpr std::size_t most_words = 128;
  const auto* const words = static_cast<const std::uintptr_t*>(frame);
  for (std::size_t i = 0; i < most_words; ++i) {
    Dl_info info{};
    const auto address = words[i];
    if (::dladdr(reinterpret_cast<const void*>(address), &info) == 0 ||
        std::ranges::find(program_bases_, info.dli_fbase) == program_bases_.end()) {
      continue;
    }
    return address - reinterpret_cast<std::uintptr_t>(info.dli_fbase) - 1; // within the call
  }
  return std::nullopt;
}

WaitingRank CallRecorder::waiting_rank(std::size_t process) const
{
  const Rank& rank = ranks_[process];
  WaitingRank waiting{.rank = rank_of_process(process),
                      .call = std::string(mpi_call_name(rank.call)),
                      .collective = rank.collective,
                      .communicator = rank.collective == 0 ? "" : words_.communicators.text(rank.communicator),
                      .requests = {}};
  if (rank.frame != nullptr) {
    waiting.address = program_address(rank.frame);
  }
  for (int i = 0; i < rank.waits_for.second; ++i) {
    const Request* const found = requests_.find(rank.waits_for.first[i]);
    if (rank.waits_for.first[i] == MPI_REQUEST_NULL || found == nullptr || found->is_done) {
      continue;
    }
    ++waiting.request_count;
    if (waiting.requests.size() == listed_requests) {
      continue;
    }
    const auto& [words, is_send, is_any_source, is_any_tag, is_done, is_fresh, is_prepared] = *found;
    WaitingRequest request{.call = words_.calls.text(words.call),
                           .is_send = is_send,
                           .communicator = words_.communicators.text(words.communicator)};
    request.is_any_tag = is_any_tag;
    if (!is_any_source) {
      request.peer = is_send ? words.receiver : words.sender;
    }
    if (!is_any_tag && words_.is_point_to_point(words)) {
      request.tag = words.tag;
    }
    waiting.requests.push_back(std::move(request));
  }
  return waiting;
}

std::vector<WaitingRank> CallRecorder::waiting() const
{
  std::vector<WaitingRank> waiting;
  for (std::size_t process = 1; process < ranks_.size(); ++process) {
    if (ranks_[process].depth > 0 || ranks_[process].waits_for.second > 0) {
      waiting.push_back(waiting_rank(process));
    }
  }
  return waiting;
}

std::vector<RankCall> CallRecorder::calls() const
{
  std::vector<RankCall> calls;
  for (std::size_t process = 1; process < ranks_.size(); ++process) {
    const std::vector<Total>& totals = ranks_[process].totals;
    for (std::size_t call = 0; call < totals.size(); ++call) {
      if (totals[call].count > 0) {
        calls.push_back({.rank = rank_of_process(process),
                         .call = std::string(call_names[call]),
                         .count = totals[call].count,
                         .time = Time{totals[call].picoseconds}});
      }
    }
  }
  return calls;
}

} // namespace wormcast
