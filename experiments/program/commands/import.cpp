#include "wormcast/experiments/program/commands/import.hpp"

#include "wormcast/experiments/config/booksim_file.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <system_error>

namespace wormcast {

namespace {

struct ImportArguments {
  std::string format;
  std::string file;
  std::string out = "-";
};

int import_file(const ImportArguments& arguments)
{
  std::error_code ignored;
  if (arguments.out != "-" && std::filesystem::equivalent(arguments.file, arguments.out, ignored)) {
    throw InputError(fmt::format("--out: found the configuration itself, {}, expected another file", arguments.out));
  }
  write_output(arguments.out, imported_config(arguments.file));
  return exit_code::done;
}

} // namespace

std::vector<std::string> imported_formats()
{
  return {"booksim"};
}

std::string imported_config(const std::string& file)
{
  const ImportedConfig imported = import_booksim(read_whole_file(file), file);
  const bool has_traffic = imported.uncovered_traffic.empty();
  std::string text = has_traffic ? "# The network and the traffic of a BookSim2 configuration.\n"
                                 : "# The network of a BookSim2 configuration.\n";
  if (!imported.left_out.empty()) {
    text += fmt::format("# Left out: {}.\n", fmt::join(imported.left_out, "; "));
    spdlog::warn("{}: left out: {}", file, fmt::join(imported.left_out, "; "));
  }
  for (const std::string& note : imported.notes) {
    text += fmt::format("# The same in the mean, not cycle by cycle: {}.\n", note);
    spdlog::info("{}: the same in the mean, not cycle by cycle: {}", file, note);
  }
  for (const std::string& difference : imported.differences) {
    text += fmt::format("# Not the same: {}.\n", difference);
    spdlog::warn("{}: not the same: {}", file, difference);
  }
  if (has_traffic) {
    text += "# \"wormcast load\" runs it. A schedule or an algorithm needs [algorithm] and [message] in place of\n"
            "# [traffic] and [load] (--unset traffic --unset load).\n\n";
  } else {
    text +=
        fmt::format("# Without the traffic, as [traffic] does not cover {}: it needs [traffic] for \"wormcast load\","
                    "\n# or [algorithm] and [message] for \"wormcast run\".\n\n",
                    fmt::join(imported.uncovered_traffic, ", "));
    spdlog::warn("{}: the traffic is left out, as [traffic] does not cover {}", file,
                 fmt::join(imported.uncovered_traffic, ", "));
  }
  return text + imported.toml;
}

Command import_command()
{
  auto arguments = std::make_shared<ImportArguments>();
  return {.name = "import",
          .summary = "another simulator's configuration as one of this program",
          .options = {{.name = "FORMAT",
                       .target = &arguments->format,
                       .text = "whose configuration it is",
                       .choices = imported_formats(),
                       .required = true},
                      {.name = "FILE", .target = &arguments->file, .text = "the configuration", .required = true},
                      {.name = "--out",
                       .target = &arguments->out,
                       .text = "write to a file instead of standard output",
                       .value = "FILE|-"}},
          .action = [arguments](Verbosity) { return import_file(*arguments); },
          .replaced_by = "wormcast init --from booksim FILE"};
}

} // namespace wormcast
