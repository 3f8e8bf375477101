#include "tests/experiments/tuning_files/libraries.hpp"

#include "tests/experiments/program/commands/shell.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace wormcast::testing {
namespace {

const std::filesystem::path sources = std::filesystem::path(WORMCAST_TEST_DATA) / "experiments/tuning_files";

std::string why_missing(const std::vector<std::string>& programs)
{
  for (const std::string& program : programs) {
    if (run_script("command -v " + program, std::filesystem::temp_directory_path()).exit_code != 0) {
      return program + " is not installed";
    }
  }
  return {};
}

/// Runs the script once for a folder, to compile what it names.
std::string why_not_compiled(const TemporaryDirectory& folder, const std::string& program, const std::string& script)
{
  if (std::filesystem::exists(folder.path() / program)) {
    return {};
  }
  const ProgramRun run = run_script(script, folder.path());
  return run.exit_code == 0 ? std::string() : run.err;
}

/// All functions that the source of the replaced functions names.
std::string wrap_options()
{
  const std::string text = read_file(sources / "mpich_names.c");
  const std::regex pattern("\\nPRINT(?:_SEND)?\\((\\w+)\\)");
  std::string options;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), pattern); found != std::sregex_iterator(); ++found) {
    options += " -Wl,--wrap=" + (*found)[1].str();
  }
  return options;
}

/// The lines that the programs print.
LibraryRun read_run(const ProgramRun& run)
{
  LibraryRun result{.exit_code = run.exit_code, .output = run.out + run.err};
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("@ ")) {
      result.functions.emplace_back();
    } else if (line.starts_with("= ") && !result.functions.empty()) {
      result.functions.back().push_back(line.substr(2));
    } else if (line.starts_with("s ")) {
      std::istringstream words(line.substr(2));
      unsigned from = 0;
      unsigned to = 0;
      std::uint64_t bytes = 0;
      if (words >> from >> to >> bytes && from != to && bytes > 0) {
        result.bytes[{from, to}] += bytes;
      }
    }
  }
  return result;
}

/// What pml_monitoring wrote: "I FROM TO N bytes M msgs sent", parted by tabulators.
BytesByPair monitored(const std::filesystem::path& folder)
{
  BytesByPair all;
  const std::regex pattern("I\\t(\\d+)\\t(\\d+)\\t(\\d+) bytes\\t.*");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("monitored.")) {
      continue;
    }
    std::ifstream lines(entry.path());
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_match(line, match, pattern) && match[3] != "0") {
        all[{static_cast<unsigned>(std::stoul(match[1])), static_cast<unsigned>(std::stoul(match[2]))}] +=
            std::stoull(match[3]);
      }
    }
  }
  return all;
}

} // namespace

std::string why_no_open_mpi()
{
  static const std::string why = why_missing({"mpirun.openmpi", "mpicc.openmpi"});
  return why;
}

std::string mpich_library()
{
  static const std::string library = [] {
    std::string path = run_script("printf %s \"$(ls /usr/lib/*/libmpich.so.12 2>/dev/null | head -n 1)\"", "/").out;
    return path;
  }();
  return library;
}

std::string why_no_mpich()
{
  static const std::string why = [] {
    const std::string missing = why_missing({"mpiexec.mpich", "mpicc.mpich"});
    const bool has_archive = run_script("ls /usr/lib/*/libmpich.a", "/").exit_code == 0;
    return !missing.empty()                          ? missing
           : mpich_library().empty() || !has_archive ? std::string("libmpich-dev is not installed")
                                                     : std::string();
  }();
  return why;
}

LibraryRun run_open_mpi(const TemporaryDirectory& folder, const std::string& rules, unsigned ranks,
                        const std::string& collective, const std::vector<std::uint64_t>& lengths)
{
  const std::string why =
      why_not_compiled(folder, "calls.openmpi",
                       fmt::format("gcc -shared -fPIC -O1 -o names.so '{0}/openmpi_names.c' -ldl && "
                                   "mpicc.openmpi -O1 -o calls.openmpi '{0}/calls.c'",
                                   sources.string()));
  if (!why.empty()) {
    return {.exit_code = -1, .output = why};
  }
  const ProgramRun run =
      run_script(fmt::format("rm -f monitored.*\n"
                             "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
                             "mpirun.openmpi --oversubscribe -n {} -x LD_PRELOAD=$PWD/names.so "
                             "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename \"$PWD/{}\" "
                             "--mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 "
                             "--mca pml_monitoring_filename \"$PWD/monitored\" ./calls.openmpi {} {}",
                             ranks, rules, collective, fmt::join(lengths, " ")),
                 folder.path());
  LibraryRun result = read_run(run);
  result.bytes = monitored(folder.path());
  return result;
}

LibraryRun run_mpich(const TemporaryDirectory& folder, const std::string& rules, unsigned ranks,
                     const std::string& collective, const std::vector<std::uint64_t>& lengths)
{
  // The library's functions call each other within the shared library, where none can be replaced.
  const std::string why = why_not_compiled(
      folder, "calls.mpich",
      fmt::format(
          "gcc -O1 $(mpicc.mpich -show | grep -o ' -I[^ ]*') -o calls.mpich '{0}/calls.c' '{0}/mpich_names.c'{1} "
          "$(ls /usr/lib/*/libmpich.a) -lhwloc -lucp -lucs -lpthread -lm",
          sources.string(), wrap_options()));
  if (!why.empty()) {
    return {.exit_code = -1, .output = why};
  }
  return read_run(run_script(fmt::format("export MPIR_CVAR_DEVICE_COLLECTIVES=none "
                                         "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=\"$PWD/{}\"\n"
                                         "mpiexec.mpich -n {} ./calls.mpich {} {}",
                                         rules, ranks, collective, fmt::join(lengths, " ")),
                             folder.path()));
}

} // namespace wormcast::testing
