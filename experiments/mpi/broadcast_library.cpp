// MPI_Bcast by an algorithm of wormcast instead of SMPI's: part of libwormcast_platform.so, and called where that is
// loaded before the MPI library (LD_PRELOAD). All ranks are in one process, so that they share the schedules.

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/mpi/call_recorder.hpp"
#include "wormcast/experiments/mpi/own_broadcast.hpp"
#include "wormcast/experiments/mpi/program_record.hpp"
#include "wormcast/experiments/mpi/smpi_interface.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <smpi/smpi.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// A schedule of one broadcast, with the actions of each node.
struct BroadcastPlan {
  Schedule schedule;
  std::vector<std::vector<MessageId>> sends; ///< by node, in the order of the steps
  std::vector<std::vector<MessageId>> receives;
};

/// The broadcasts of a process.
class Broadcasts {
public:
  /// From the environment that `wormcast mpi` sets. Throws InputError.
  Broadcasts()
      : machine_(program_machine(program_configuration())),
        own_(read_own_broadcast(std::getenv(program_broadcast_variable)))
  {
    const std::uint32_t nodes = machine_.topology->host_count();
    const char* const hosts = std::getenv(program_hosts_variable);
    if (hosts == nullptr) {
      throw InputError(fmt::format("{} = {} needs {}, the host file of the ranks", program_broadcast_variable,
                                   own_.algorithm, program_hosts_variable));
    }
    node_of_rank_ = read_hosts(hosts, nodes);
    check_one_rank_a_node(node_of_rank_, nodes, own_.algorithm);
    int ranks = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (static_cast<std::size_t>(ranks) != node_of_rank_.size()) {
      throw InputError(fmt::format("{}: found {} hosts, but there are {} ranks", hosts, node_of_rank_.size(), ranks));
    }
    rank_of_node_.resize(nodes);
    for (std::size_t rank = 0; rank < node_of_rank_.size(); ++rank) {
      rank_of_node_[index(node_of_rank_[rank])] = static_cast<int>(rank);
    }
  }

  NodeId node(int rank) const { return node_of_rank_[static_cast<std::size_t>(rank)]; }
  int rank(NodeId node) const { return rank_of_node_[index(node)]; }

  /// Ranks that are in a broadcast hold its plan, which may be dropped here meanwhile.
  std::shared_ptr<const BroadcastPlan> plan(NodeId source, std::uint64_t bytes)
  {
    const PlanKey key{source, bytes};
    if (const auto found = plans_.find(key); found != plans_.end()) {
      return found->second;
    }
    if (age_.size() == most_plans) {
      plans_.erase(age_.front());
      age_.pop_front();
    }
    auto plan = std::make_shared<const BroadcastPlan>(make_plan(source, bytes));
    plans_.emplace(key, plan);
    age_.push_back(key);
    return plan;
  }

private:
  using PlanKey = std::pair<NodeId, std::uint64_t>; // source and length

  static constexpr std::size_t most_plans = 64;

  BroadcastPlan make_plan(NodeId source, std::uint64_t bytes) const
  {
    ScheduleRequest request = broadcast_request(machine_, source, bytes);
    request.parameters = own_.parameters;
    BroadcastPlan plan{make_schedule(find_algorithm(own_.algorithm), *machine_.topology, request), {}, {}};
    require_complete_broadcast(machine_, own_.algorithm, plan.schedule);
    plan.sends.resize(machine_.topology->host_count());
    plan.receives.resize(plan.sends.size());
    for (const MessageId id : order_by_step(plan.schedule).order) {
      const Message& message = plan.schedule.messages[index(id)];
      plan.sends[index(message.source)].push_back(id);
      plan.receives[index(message.destination)].push_back(id);
    }
    return plan;
  }

  ProgramMachine machine_;
  OwnBroadcast own_;
  std::vector<NodeId> node_of_rank_;
  std::vector<int> rank_of_node_;
  std::map<PlanKey, std::shared_ptr<const BroadcastPlan>> plans_;
  std::deque<PlanKey> age_; // of plans_, the oldest first
};

/// The actions of one rank in one broadcast of packed bytes.
class RankInBroadcast {
public:
  RankInBroadcast(Broadcasts& broadcasts, const BroadcastPlan& plan, NodeId node, std::vector<char>& data)
      : broadcasts_(broadcasts), plan_(plan), node_(node), data_(data),
        held_(plan.schedule.blocks, node == plan.schedule.source), coming_(plan.receives[index(node)])
  {}

  void run()
  {
    post_receives();
    for (const MessageId id : plan_.sends[index(node_)]) {
      while (!holds(id)) {
        receive_one();
      }
      send(id);
    }
    while (left_ > 0) {
      receive_one();
    }
    PMPI_Waitall(static_cast<int>(going_.size()), going_.data(), MPI_STATUSES_IGNORE);
  }

private:
  // Apart from tags that programs use.
  static constexpr int first_tag = 1 << 28;

  const Message& message(MessageId id) const { return plan_.schedule.messages[index(id)]; }
  BlockRanges blocks(MessageId id) const { return plan_.schedule.block_sets.ranges(message(id).blocks); }
  static int tag(MessageId id) { return first_tag + static_cast<int>(index(id)); }

  std::span<char> bytes_of(BlockRange range)
  {
    const std::uint64_t begin = range.begin == 0 ? 0 : block_bytes(plan_.schedule, {0, range.begin});
    return std::span(data_).subspan(begin, block_bytes(plan_.schedule, range));
  }

  bool holds(MessageId id) const
  {
    const BlockRanges ranges = blocks(id);
    return std::ranges::all_of(ranges, [&](BlockRange range) {
      return std::all_of(held_.begin() + range.begin, held_.begin() + range.end, [](bool held) { return held; });
    });
  }

  std::vector<char> packed(MessageId id)
  {
    std::vector<char> bytes;
    for (const BlockRange range : blocks(id)) {
      const std::span<const char> part = bytes_of(range);
      bytes.insert(bytes.end(), part.begin(), part.end());
    }
    return bytes;
  }

  void unpack(MessageId id, const std::vector<char>& bytes)
  {
    std::size_t at = 0;
    for (const BlockRange range : blocks(id)) {
      const std::span<char> part = bytes_of(range);
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), part.size(), part.begin());
      at += part.size();
      std::fill(held_.begin() + range.begin, held_.begin() + range.end, true);
    }
  }

  void post_receives()
  {
    left_ = coming_.size();
    requests_.resize(left_);
    received_.resize(left_);
    for (std::size_t i = 0; i < left_; ++i) {
      received_[i].resize(packed(coming_[i]).size());
      PMPI_Irecv(received_[i].data(), static_cast<int>(received_[i].size()), MPI_BYTE,
                 broadcasts_.rank(message(coming_[i]).source), tag(coming_[i]), MPI_COMM_WORLD, &requests_[i]);
    }
  }

  void receive_one()
  {
    int place = MPI_UNDEFINED;
    PMPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &place, MPI_STATUS_IGNORE);
    if (place == MPI_UNDEFINED) {
      throw InputError("the schedule of the broadcast lets a node send what it never gets");
    }
    unpack(coming_[static_cast<std::size_t>(place)], received_[static_cast<std::size_t>(place)]);
    --left_;
  }

  void send(MessageId id)
  {
    sent_.push_back(std::make_unique<std::vector<char>>(packed(id)));
    going_.push_back(MPI_REQUEST_NULL);
    PMPI_Isend(sent_.back()->data(), static_cast<int>(sent_.back()->size()), MPI_BYTE,
               broadcasts_.rank(message(id).destination), tag(id), MPI_COMM_WORLD, &going_.back());
  }

  Broadcasts& broadcasts_;
  const BroadcastPlan& plan_;
  NodeId node_;
  std::vector<char>& data_;
  std::vector<bool> held_; // by block
  const std::vector<MessageId>& coming_;
  std::size_t left_ = 0; // of coming_
  std::vector<MPI_Request> requests_;
  std::vector<std::vector<char>> received_;
  std::vector<std::unique_ptr<std::vector<char>>> sent_;
  std::vector<MPI_Request> going_;
};

int broadcast(void* buffer, int count, MPI_Datatype type, int root)
{
  static Broadcasts broadcasts;
  int rank = 0;
  int size = 0; // fits: is_for_schedule
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Pack_size(count, type, MPI_COMM_WORLD, &size);
  std::vector<char> data(static_cast<std::size_t>(size));
  int at = 0;
  if (rank == root) {
    PMPI_Pack(buffer, count, type, data.data(), size, &at, MPI_COMM_WORLD);
  }
  const auto plan = broadcasts.plan(broadcasts.node(root), static_cast<std::uint64_t>(size));
  RankInBroadcast(broadcasts, *plan, broadcasts.node(rank), data).run();
  if (rank != root) {
    PMPI_Unpack(data.data(), size, &at, buffer, count, type, MPI_COMM_WORLD);
  }
  return MPI_SUCCESS;
}

/// Returns whether the schedule fits: all ranks take part, and the message is not empty and has no more bytes than an
/// int holds. Other cases are left to SMPI.
bool is_for_schedule(int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  if (std::getenv(program_broadcast_variable) == nullptr || comm == MPI_COMM_NULL || count <= 0) {
    return false;
  }
  int same = MPI_UNEQUAL;
  int ranks = 0;
  int bytes = 0;
  PMPI_Comm_compare(comm, MPI_COMM_WORLD, &same);
  PMPI_Comm_size(comm, &ranks);
  PMPI_Type_size(type, &bytes);
  return (same == MPI_IDENT || same == MPI_CONGRUENT) && root >= 0 && root < ranks && bytes > 0 &&
         std::int64_t{count} * bytes <= std::numeric_limits<int>::max();
}

} // namespace

} // namespace wormcast

extern "C" int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  if (!wormcast::is_for_schedule(count, type, root, comm)) {
    return PMPI_Bcast(buffer, count, type, root, comm);
  }
  const auto fail = [](const std::exception& error, int code) {
    std::fflush(nullptr);
    std::fprintf(stderr, "wormcast: error: MPI_Bcast: %s\n", wormcast::printable(error.what()).c_str());
    std::_Exit(code);
  };
  const wormcast::CallRecorder::Scope scope(wormcast::MpiCall::Bcast, comm, __builtin_frame_address(0));
  try {
    return wormcast::broadcast(buffer, count, type, root);
  } catch (const wormcast::IncompleteSchedule& error) {
    fail(error, 3);
  } catch (const std::exception& error) {
    fail(error, 2);
  }
  return MPI_ERR_OTHER;
}
