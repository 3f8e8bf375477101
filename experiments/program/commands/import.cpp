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
  const ImportedConfig imported = import_booksim(read_whole_file(arguments.file), arguments.file);
  std::string text = "# The network of a BookSim2 configuration.\n";
  if (!imported.left_out.empty()) {
    text += fmt::format("# Left out, as they say nothing of it: {}.\n", fmt::join(imported.left_out, ", "));
    spdlog::warn("{}: left out, as they say nothing of the network: {}", arguments.file,
                 fmt::join(imported.left_out, ", "));
  }
  for (const std::string& note : imported.notes) {
    text += fmt::format("# The same in the mean, not cycle by cycle: {}.\n", note);
    spdlog::info("{}: the same in the mean, not cycle by cycle: {}", arguments.file, note);
  }
  text += "# To be run it needs [algorithm] and [message], or a list of messages (docs/formats.md).\n\n";
  write_output(arguments.out, text + imported.toml);
  return exit_code::done;
}

} // namespace

Command import_command()
{
  auto arguments = std::make_shared<ImportArguments>();
  return {.name = "import",
          .summary = "another simulator's configuration as one of this program",
          .options = {{.name = "FORMAT",
                       .target = &arguments->format,
                       .text = "whose configuration it is",
                       .choices = {"booksim"},
                       .required = true},
                      {.name = "FILE", .target = &arguments->file, .text = "the configuration", .required = true},
                      {.name = "--out",
                       .target = &arguments->out,
                       .text = "write to a file instead of standard output",
                       .value = "FILE|-"}},
          .action = [arguments](Verbosity) { return import_file(*arguments); }};
}

} // namespace wormcast
