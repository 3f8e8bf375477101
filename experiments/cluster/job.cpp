#include "wormcast/experiments/cluster/job.hpp"

#include "wormcast/experiments/cluster/remote_workers.hpp"
#include "wormcast/experiments/cluster/sockets.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/process/interruption.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace wormcast {

namespace {

/// What a launcher tells the ranks that it starts.
struct Launch {
  std::size_t rank = 0;
  std::size_t ranks = 1;
};

struct LauncherVariables {
  const char* rank;
  const char* ranks;
};

constexpr std::array launchers = {
    LauncherVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, // mpirun of Open MPI
    LauncherVariables{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},            // srun --mpi=pmix
    LauncherVariables{"PMI_RANK", "PMI_SIZE"},                         // srun --mpi=pmi2, mpiexec of MPICH
};

std::optional<std::size_t> number_in(const char* variable)
{
  const char* const value = std::getenv(variable);
  const std::string_view text = value == nullptr ? "" : value;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                                   : std::nullopt;
}

Launch find_launch()
{
  for (const LauncherVariables& variables : launchers) {
    const auto rank = number_in(variables.rank);
    const auto ranks = number_in(variables.ranks);
    if (rank && ranks) {
      return {*rank, *ranks};
    }
  }
  return {};
}

/// Programs that this one starts are no ranks of its job.
void forget_launch()
{
  for (const LauncherVariables& variables : launchers) {
    ::unsetenv(variables.rank);
    ::unsetenv(variables.ranks);
  }
}

struct Job {
  Launch launch;
  std::string token;
  std::uint16_t port = 0;
  std::vector<std::string> addresses; ///< of rank 0; empty until all have met
  std::optional<Listener> listener;   ///< of rank 0
};

Job& job()
{
  static Job this_one;
  return this_one;
}

std::string new_token()
{
  std::random_device dice;
  std::string token;
  for (int i = 0; i < 4; ++i) {
    token += fmt::format("{:08x}", dice());
  }
  return token;
}

/// What rank 0 lets all know: token, port, and addresses as far as they fit.
std::string meeting_text(const Job& own, std::size_t capacity)
{
  std::string text = fmt::format("{} {}", own.token, own.port);
  for (const std::string& address : own.addresses) {
    if (text.size() + 1 + address.size() < capacity) {
      text += " " + address;
    }
  }
  return text;
}

/// The program that lets all ranks meet by MPI.
std::filesystem::path rendezvous_program()
{
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::filesystem::path file =
      program.parent_path().parent_path() / WORMCAST_LIBRARY_FOLDER / "wormcast" / "mpi_rendezvous";
  if (!std::filesystem::exists(file, ignored)) {
    throw InputError(fmt::format("started as {} ranks, but this wormcast was built without MPI: {} is not there",
                                 job().launch.ranks, file.string()));
  }
  return file;
}

/// What a rank that computes does first: only rank 0 speaks, and it alone decides what an interrupt ends.
void become_silent()
{
  for (const int signal : interrupting_signals) {
    std::signal(signal, SIG_IGN);
  }
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nothing, STDOUT_FILENO);
  ::close(nothing);
  spdlog::set_default_logger(spdlog::null_logger_st("silent"));
}

/// Waits for all ranks. Takes over what rank 0 says.
void meet()
{
  std::vector<std::string> arguments = {rendezvous_program()};
  if (job().launch.rank == 0) {
    job().listener = listen_for_ranks();
    job().port = job().listener->port;
    job().token = new_token();
    job().addresses = own_addresses();
    arguments.push_back(meeting_text(job(), 2048));
  }
  const TaskOutcome outcome = execute_program(arguments, ".");
  constexpr std::string_view mark = "\nwormcast-rendezvous ";
  const std::size_t place = outcome.talk.rfind(mark);
  if (outcome.signal != 0 || outcome.report.code != 0 || place == std::string::npos) {
    throw std::runtime_error(fmt::format("the {} ranks cannot meet by MPI: {}{}", job().launch.ranks,
                                         describe_death(outcome), outcome.report.text));
  }
  std::istringstream words(outcome.talk.substr(place + mark.size()));
  std::size_t ranks = 0;
  words >> ranks >> job().token >> job().port;
  if (ranks != job().launch.ranks) {
    throw InputError(fmt::format("started as {} ranks, found {} in MPI: expected mpirun of the MPI that wormcast was "
                                 "built with, or srun --mpi=pmix",
                                 job().launch.ranks, ranks));
  }
  job().addresses.clear();
  for (std::string address; words >> address;) {
    job().addresses.push_back(address);
  }
}

/// What this rank says to rank 0; where it can compute nothing, with the reason.
Hello hello_for(const TaskWork* work, std::size_t places, const std::string& error)
{
  return {.token = job().token,
          .rank = job().launch.rank,
          .host = own_host(),
          .version = build_description(),
          .basis = work == nullptr ? "" : work->basis,
          .places = places,
          .error = error};
}

} // namespace

void join_job()
{
  job().launch = find_launch();
  if (job_ranks() == 1) {
    return;
  }
  if (is_computing_rank()) {
    become_silent();
  }
  meet();
  forget_launch();
}

std::size_t job_ranks()
{
  return std::max<std::size_t>(1, job().launch.ranks);
}

bool is_computing_rank()
{
  return job_ranks() > 1 && job().launch.rank > 0;
}

void report_to_first_rank(const std::string& error)
{
  if (const auto socket = connect_to_any(job().addresses, job().port)) {
    send_all(*socket, framed(hello_for(nullptr, 1, error)));
  }
}

std::unique_ptr<Workers> workers_for(const TaskWork& work, std::size_t jobs)
{
  if (job_ranks() == 1) {
    return std::make_unique<LocalWorkers>(work, jobs);
  }
  if (!is_computing_rank()) {
    Listener listener = std::move(*job().listener);
    job().listener.reset();
    return std::make_unique<RemoteWorkers>(
        std::move(listener), JobTerms{.token = job().token, .version = build_description(), .ranks = job_ranks() - 1},
        work.basis, [](const std::string& text) { spdlog::warn("{}", text); });
  }
  // Where rank 0 is gone it has said why.
  if (const auto socket = connect_to_any(job().addresses, job().port);
      socket && send_all(*socket, framed(hello_for(&work, jobs, {})))) {
    compute_for(*socket, work, jobs);
  }
  return nullptr;
}

} // namespace wormcast
