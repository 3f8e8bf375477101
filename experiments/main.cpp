#include "wormcast/experiments/cluster/job.hpp"
#include "wormcast/experiments/command_line.hpp"
#include "wormcast/experiments/commands/command.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/interruption.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/topologies/input_error.hpp"
#include "wormcast/topologies/printable.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <exception>
#include <new>
#include <stdexcept>

namespace {

using namespace wormcast;

int report(const std::exception& error, int code)
{
  if (is_computing_rank()) { // the exit code of the job is rank 0's
    report_to_first_rank(error.what());
    return exit_code::done;
  }
  spdlog::error("{}", printable(error.what()));
  return code;
}

} // namespace

int main(int argc, char** argv)
{
  settle_process();
  spdlog::set_default_logger(spdlog::stderr_logger_st("wormcast"));
  spdlog::set_pattern("wormcast: %l: %v");
  try {
    join_job();
    const int code = run_command_line(argc, argv);
    return is_computing_rank() ? exit_code::done : code;
  } catch (const ClosedPipe&) {
    return exit_code::other;
  } catch (const OutputError& error) {
    return report(error, exit_code::other);
  } catch (const IncompleteSchedule& error) {
    return report(error, exit_code::failed_check);
  } catch (const InputError& error) {
    return report(error, exit_code::bad_input);
  } catch (const std::bad_alloc&) {
    return report(std::runtime_error("out of memory"), exit_code::other);
  } catch (const std::exception& error) {
    return report(error, exit_code::other);
  }
}
