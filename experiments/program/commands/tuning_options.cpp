#include "wormcast/experiments/program/commands/tuning_options.hpp"

#include "wormcast/algorithms/imported/msccl_writer.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/tuning_files/mpich_rules.hpp"
#include "wormcast/experiments/tuning_files/openmpi_rules.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <utility>

namespace wormcast {

std::vector<CommandOption> tuning_options(TuningArguments& arguments, std::vector<std::string> formats)
{
  const bool has_msccl = formats.back() == msccl_format;
  return {{.name = "--format",
           .target = &arguments.format,
           .text = has_msccl ? "write the choice as rules for a library of MPI, or as schedules for MSCCL"
                             : "write the fastest of SMPI's as rules for a library of MPI",
           .choices = std::move(formats)},
          {.name = "--rules",
           .target = &arguments.rules,
           .text = fmt::format("the file of --format{} (default: -, standard output, instead of the table)",
                               has_msccl ? ", of msccl a new folder" : ""),
           .value = "FILE|-"},
          {.name = "--base",
           .target = &arguments.base,
           .text = "of --format mpich: the rules to change, generic.json of MPICH's sources, or libmpich.so",
           .value = "FILE"}};
}

std::optional<TunedLibrary> tuned_library(const TuningArguments& arguments)
{
  if (!arguments.wanted() || arguments.format == msccl_format) {
    return std::nullopt;
  }
  return tuned_library_names.read(arguments.format);
}

void check_tuning(const TuningArguments& arguments, const ListingFiles& files)
{
  if (!arguments.wanted() && !arguments.rules.empty()) {
    throw InputError("--rules: found no --format, expected one: the library for which the rules are");
  }
  const bool is_mpich = tuned_library(arguments) == TunedLibrary::mpich;
  if (!arguments.base.empty() && !is_mpich) {
    throw InputError("--base: expected only with --format mpich");
  }
  if (is_mpich && arguments.base.empty()) {
    throw InputError("--format mpich: found no --base FILE, expected the rules of the same version of MPICH, all of "
                     "which the file replaces: generic.json of its sources, or libmpich.so");
  }
  if (arguments.format == msccl_format && arguments.on_standard_output()) {
    throw InputError("--format msccl: found no --rules, expected a folder for the schedules");
  }
  if (arguments.on_standard_output() && (files.json == "-" || files.csv == "-")) {
    throw InputError(fmt::format("--format {}: found - for {}, too, expected --rules FILE, or only one of them on "
                                 "standard output",
                                 arguments.format, files.json == "-" ? "--json" : "--csv"));
  }
  if (is_mpich) {
    read_mpich_base(arguments.base);
  }
  if (tuned_library(arguments) && !arguments.on_standard_output()) {
    const OutputFile can_be_written(arguments.rules);
  }
}

std::string rules_text(const TuningArguments& arguments, const TuningRules& rules)
{
  return rules.library == TunedLibrary::openmpi ? openmpi_rules_text(rules)
                                                : mpich_rules_text(rules, read_mpich_base(arguments.base));
}

void write_rules(const TuningArguments& arguments, const TuningRules& rules, Listing& listing)
{
  std::string text = rules_text(arguments, rules);
  if (!arguments.on_standard_output()) {
    write_output(arguments.rules, text);
    say_written(arguments.rules);
    listing.table = [rules, before = std::move(listing.table)] { return before() + "\n" + tuning_text(rules); };
    return;
  }
  for (const std::string& lost : lost_texts(rules)) {
    spdlog::warn("{}", lost);
  }
  listing.table = [text = std::move(text)] { return text; };
}

void write_schedules(const TuningArguments& arguments, const MscclChoice& choice, Listing& listing)
{
  const std::filesystem::path folder = arguments.rules;
  make_folder(folder);
  for (const MscclSchedule& one : choice.schedules) {
    for (const std::string& warning : one.proved.warnings) {
      spdlog::warn("{}: {}", one.file, warning);
    }
    OutputFile file(folder / one.file);
    write_msccl(one.proved.algorithm, file.stream());
    file.commit();
    say_written(folder / one.file);
  }
  for (const std::string& note : choice.notes) {
    spdlog::warn("{}", note);
  }
  listing.table = [text = msccl_choice_text(choice), before = std::move(listing.table)] {
    return before() + "\n" + text;
  };
}

} // namespace wormcast
