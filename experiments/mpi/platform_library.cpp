// libwormcast_platform.so: a platform for SimGrid (`smpirun -platform`, Engine::load_platform). Programs configure it
// by environment variables, which docs/simgrid.md lists.

#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/mpi/call_recorder.hpp"
#include "wormcast/experiments/mpi/program_record.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/simulator/simgrid/platform_routes.hpp"
#include "wormcast/simulator/simgrid/platform_topology.hpp"
#include "wormcast/simulator/simgrid/wormhole_model.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <simgrid/s4u.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

namespace {

std::string environment(const char* name)
{
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

[[noreturn]] void fail(const std::exception& error, int code)
{
  std::fflush(nullptr);
  std::fprintf(stderr, "wormcast: error: %s\n", printable(error.what()).c_str());
  std::_Exit(code);
}

// SimGrid cannot report that a platform cannot be made, or that its network fails.
template <typename Action> void or_fail(const Action& action)
{
  try {
    action();
  } catch (const OutputError& error) {
    fail(error, 1);
  } catch (const InputError& error) {
    fail(error, 2);
  } catch (const std::exception& error) {
    fail(error, 1);
  }
}

// The network of a process. Lives until its end: SimGrid keeps pointers into it.
class ProgramNetwork {
public:
  ProgramNetwork()
      : machine_(program_machine(program_configuration())),
        platform_(*machine_.topology, machine_.network, {.flops = static_cast<double>(machine_.mpi.flops)}),
        model_(platform_, machine_.network, options())
  {
    make_hosts();
    if (!messages_file_.empty()) {
      list_.topology = machine_.topology->description();
      list_.routing = machine_.network.routing;
      list_.ports = machine_.network.ports;
      list_.duplex = machine_.network.duplex;
      list_.operation = Operation::none;
    }
  }

  // The result of the run, for its caller.
  void write_records()
  {
    if (!messages_file_.empty()) {
      const ProgramWords& words = CallRecorder::instance().words();
      const bool all_have_words = words.messages.size() == list_.messages.size();
      OutputFile file(messages_file_);
      write_schedule(list_, all_have_words ? &words : nullptr, file.stream());
      file.commit();
    }
    if (!end_file_.empty()) {
      const double clock = simgrid::s4u::Engine::get_clock() / simgrid_seconds(1);
      if (clock >= static_cast<double>(largest_time)) {
        throw InputError("the program ends later than 2^62 ps, which is more than times can be");
      }
      write_program_end(end_file_, {.clock = Time{std::llround(clock)},
                                    .last_delivery = model_.last_delivery(),
                                    .messages = model_.network().message_count(),
                                    .undelivered = model_.network().undelivered(),
                                    .stuck = stuck_,
                                    .aborted = aborted_,
                                    .waiting = waiting_,
                                    .calls = CallRecorder::instance().calls()});
    }
  }

  // What remains of a program that was aborted waits for nothing of its own.
  void note_stuck()
  {
    stuck_ = !aborted_;
    if (stuck_) {
      waiting_ = CallRecorder::instance().waiting();
    }
  }

  // An actor that was killed, before SimGrid itself ends those that wait forever.
  void note_killed() { aborted_ = aborted_ || !stuck_; }

private:
  WormholeModelOptions options()
  {
    WormholeModelOptions options;
    options.engine = machine_.run.engine;
    options.added_bytes = static_cast<std::int64_t>(machine_.mpi.envelope) - smpi_envelope;
    options.failed = [] { or_fail([] { throw; }); };
    if (!messages_file_.empty()) {
      options.note = [this] { return note_words(); };
      options.sent = [this](const SentMessage& message) {
        take_words(message.note);
        list_.messages.push_back({.source = message.source, .destination = message.destination});
        list_.plain.push_back({.bytes = message.bytes, .start = next_whole_cycle(machine_.network, message.start)});
      };
    }
    return options;
  }

  // The words of a message that starts, until it has its number.
  std::uint32_t note_words()
  {
    noted_.push_back(CallRecorder::instance().starting());
    return static_cast<std::uint32_t>(noted_.size() - 1);
  }

  // Either all messages have words, or none has.
  void take_words(std::uint32_t note)
  {
    if (noted_[note]) {
      CallRecorder::instance().words().messages.push_back(*noted_[note]);
    }
    if (++taken_ == noted_.size()) {
      noted_.clear();
      taken_ = 0;
    }
  }

  // All hosts with their links, or only the requested ones.
  void make_hosts()
  {
    const std::string file = environment(program_hosts_variable);
    if (file.empty()) {
      platform_.complete();
      return;
    }
    for (const NodeId node : read_hosts(file, machine_.topology->host_count())) {
      platform_.host(node);
    }
  }

  std::string messages_file_ = environment(program_messages_variable);
  std::string end_file_ = environment(program_end_variable);
  ProgramMachine machine_;
  Schedule list_;                                  // the messages sent, as a plain message list
  std::vector<std::optional<MessageWords>> noted_; // of the messages that start at this time
  std::size_t taken_ = 0;                          // of these
  std::vector<WaitingRank> waiting_;               // when the program came to a stop
  SimGridPlatform platform_;
  WormholeModel model_;
  bool stuck_ = false;   // actors wait forever
  bool aborted_ = false; // actors were killed
};

} // namespace

} // namespace wormcast

extern "C" void load_platform(const simgrid::s4u::Engine& engine)
{
  wormcast::or_fail([&engine] {
    wormcast::register_platform_topology();
    if (const std::string routes = wormcast::environment(wormcast::program_routes_variable); !routes.empty()) {
      wormcast::give_platform_routes(wormcast::read_whole_file(routes, wormcast::any_length));
    }
    static auto* const network = new wormcast::ProgramNetwork;
    engine.seal_platform(); // as SimGrid does for platforms of XML: activities can start before it runs
    const auto write_records = [] { wormcast::or_fail([] { network->write_records(); }); };
    simgrid::s4u::Engine::on_simulation_end_cb(write_records);
    simgrid::s4u::Engine::on_deadlock_cb([write_records] {
      network->note_stuck();
      write_records();
    });
    simgrid::s4u::Actor::on_creation_cb([](const simgrid::s4u::Actor& actor) {
      if (!actor.is_daemon()) {
        actor.on_exit([](bool killed) {
          if (killed) {
            network->note_killed();
          }
        });
      }
    });
  });
}
