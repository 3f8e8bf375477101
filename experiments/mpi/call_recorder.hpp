#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/experiments/mpi/address_table.hpp"
#include "wormcast/experiments/mpi/rank_record.hpp"
#include "wormcast/experiments/mpi/recorded_calls.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <smpi/smpi.h>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wormcast {

/// The MPI functions whose calls are recorded.
enum class MpiCall : std::uint32_t {
#define WORMCAST_CALL(NAME, PARAMETERS, KIND) NAME,
  WORMCAST_MPI_CALLS(WORMCAST_CALL) // NOLINT(readability-identifier-naming): as MPI names them
#undef WORMCAST_CALL
  none
};
inline constexpr auto mpi_call_count = static_cast<std::size_t>(MpiCall::none);

/// "MPI_Send".
std::string_view mpi_call_name(MpiCall call);
bool is_collective(MpiCall call);

/// What the ranks of a program are doing in MPI, and what they say of their messages. All ranks and SimGrid's own part
/// run one after the other in one process.
class CallRecorder {
public:
  /// The recorder of the process.
  static CallRecorder& instance();

  /// A call of the running rank, which ends with the object. Calls within a call are part of it.
  class Scope {
  public:
    Scope(MpiCall call, MPI_Comm communicator, const void* frame);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

  private:
    std::size_t process_;
    bool is_outer_ = false;
  };

  /// The running rank waits for any of these requests until the object ends.
  class Waiting {
  public:
    Waiting(int count, MPI_Request* requests);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

  private:
    std::size_t process_;
    std::pair<MPI_Request*, int> before_;
  };

  /// A message that the running rank is about to send to or receive from a rank of the communicator.
  struct Exchange {
    int peer = MPI_ANY_SOURCE;
    int tag = 0;
    MPI_Comm communicator = nullptr;
    bool is_send = false;
    std::optional<int> self = {}; ///< the other end, as a rank of the communicator; none: the running rank
  };

  /// The next request that the running rank starts is this one.
  void announce(const Exchange& exchange);
  /// `request` has been made for it, and may be started later.
  void prepared(MPI_Request request, const Exchange& exchange);
  void started(MPI_Request request);
  void finished(MPI_Request request);

  /// Notes which message `communication`, one of SimGrid's, carries while it is told to start; it does so only when
  /// both ends have met.
  void communication_starts(const void* communication);
  void communication_started() { starting_ = nullptr; }
  /// The words of the message that starts now; none where they are not known.
  std::optional<MessageWords> starting();

  /// The running rank enters (`begins`) or leaves the region `name`.
  void region(bool begins, std::string_view name);

  /// Program text was loaded at `base`.
  void program_loaded(const void* base) { program_bases_.push_back(base); }

  /// Texts of the numbers in MessageWords; its messages are the caller's.
  ProgramWords& words() { return words_; }

  /// What each rank that is in a call waits for, by rank.
  std::vector<WaitingRank> waiting() const;
  /// Calls of each rank, by rank and name.
  std::vector<RankCall> calls() const;

private:
  struct Request {
    MessageWords words;
    bool is_send = false;
    bool is_any_source = false;
    bool is_any_tag = false;
    bool is_done = false;
    bool is_fresh = false;    // started, and its message has not
    bool is_prepared = false; // can be started again
  };
  struct Total {
    std::uint64_t count = 0;
    std::int64_t picoseconds = 0;
  };
  struct Rank {
    int depth = 0;
    MpiCall call = MpiCall::none;
    std::uint32_t communicator = 0;
    std::uint32_t collective = 0;
    std::int64_t entered = 0;
    const void* frame = nullptr;
    std::pair<MPI_Request*, int> waits_for = {nullptr, 0};
    std::optional<Request> announced;
    std::vector<std::uint32_t> regions = {};                      // entered, the outermost first
    std::map<std::pair<int, MpiCall>, std::uint32_t> collectives; // by communicator's id
    std::vector<Total> totals;                                    // by call
    bool has_ended = false;
  };

  CallRecorder();
  Rank& here();
  std::uint32_t communicator_number(MPI_Comm communicator);
  Request request_for(const Exchange& exchange);
  const void* sender_request(const void* communication);
  std::optional<std::uint64_t> program_address(const void* frame) const;
  WaitingRank waiting_rank(std::size_t process) const;

  std::deque<Rank> ranks_; // by SimGrid's process id
  ProgramWords words_;
  std::array<std::uint32_t, mpi_call_count + 1> call_numbers_{};
  std::unordered_map<int, std::uint32_t> communicators_; // by SMPI's id
  AddressTable<Request> requests_;                       // not those that are done
  std::optional<std::size_t> request_offset_;            // in SimGrid's communications
  const void* starting_ = nullptr;                       // the request of the message that starts
  std::vector<const void*> program_bases_;
};

} // namespace wormcast
