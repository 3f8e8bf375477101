#include "wormcast/experiments/program/reference/reference.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/import.hpp"
#include "wormcast/experiments/program/commands/manual.hpp"
#include "wormcast/experiments/program/reference/config_template.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace wormcast {

namespace {

struct ReferenceArguments {
  std::string out;
  std::string manual;
};

/// Writes the pages into a folder, which is made, and returns their names, one a line.
std::string write_pages(const std::vector<ReferencePage>& pages, const std::filesystem::path& folder)
{
  make_folder(folder);
  std::string names;
  for (const ReferencePage& page : pages) {
    const std::filesystem::path file = folder / page.name;
    write_output(file, page.text);
    names += file.string() + "\n";
  }
  return names;
}

int write_reference(const ReferenceArguments& arguments)
{
  std::string said;
  if (!arguments.manual.empty()) {
    said += write_pages(manual_pages(), arguments.manual);
  }
  if (!arguments.out.empty()) {
    said += write_pages(reference_pages(), arguments.out);
  } else if (arguments.manual.empty()) {
    for (const ReferencePage& page : reference_pages()) {
      said += (said.empty() ? "" : "\n") + page.text;
    }
  }
  write_standard_output(said);
  return exit_code::done;
}

struct InitArguments {
  std::string kind;
  std::string out;
  std::optional<std::pair<std::string, std::string>> from;
};

std::string initial_text(const InitArguments& arguments)
{
  if (!arguments.from) {
    return config_template(arguments.kind.empty() ? "mesh" : arguments.kind);
  }
  const auto& [format, file] = *arguments.from;
  if (!arguments.kind.empty()) {
    throw InputError(fmt::format("--from: found with the kind \"{}\", expected one of them", arguments.kind));
  }
  const std::vector<std::string> known = imported_formats();
  if (std::ranges::find(known, format) == known.end()) {
    throw InputError(fmt::format("--from: found \"{}\", expected the format {}, then the file{}", format,
                                 fmt::join(known, " or "), suggestion(format, known)));
  }
  return imported_config(file);
}

int init(const InitArguments& arguments)
{
  const std::string text = initial_text(arguments);
  if (arguments.out.empty()) {
    write_standard_output(text);
    return exit_code::done;
  }
  if (std::error_code ignored; std::filesystem::exists(arguments.out, ignored)) {
    throw InputError(fmt::format("{}: is there already, expected a new file", arguments.out));
  }
  write_output(arguments.out, text);
  return exit_code::done;
}

std::vector<std::string> kind_names()
{
  std::vector<std::string> names;
  for (const TopologyKind& kind : topology_kinds()) {
    names.push_back(kind.name);
  }
  names.emplace_back(load_template_name);
  return names;
}

} // namespace

Command reference_command()
{
  auto arguments = std::make_shared<ReferenceArguments>();
  return {.name = "reference",
          .summary = "the reference of all keys and quantities, manual pages, a JSON schema",
          .options = {{.name = "--out",
                       .target = &arguments->out,
                       .text = "write the pages and the schema into this folder (default: all to standard output)",
                       .value = "DIR"},
                      {.name = "--man",
                       .target = &arguments->manual,
                       .text = "write the manual pages of all commands, for man, into this folder",
                       .value = "DIR"}},
          .action = [arguments](Verbosity) { return write_reference(*arguments); }};
}

Command init_command()
{
  auto arguments = std::make_shared<InitArguments>();
  return {.name = "init",
          .summary = "a configuration to begin with, with a comment on every key",
          .options = {{.name = "KIND",
                       .target = &arguments->kind,
                       .text = "kind of topology, or \"load\" for traffic without end (default: mesh)",
                       .choices = kind_names()},
                      {.name = "--from",
                       .target = &arguments->from,
                       .text = "the network of another simulator's configuration instead: booksim FILE",
                       .value = "FORMAT FILE"},
                      {.name = "--out",
                       .target = &arguments->out,
                       .text = "write it into this new file (default: standard output)",
                       .value = "FILE"}},
          .action = [arguments](Verbosity) { return init(*arguments); }};
}

} // namespace wormcast
