#include "wormcast/experiments/trace/convert.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace wormcast {

namespace {

struct ConvertArguments {
  std::string trace;
  std::string target;
};

int convert(const ConvertArguments& arguments)
{
  if (!arguments.target.ends_with(".perfetto.json")) {
    throw InputError(fmt::format("{}: expected a file whose name ends in .perfetto.json", arguments.target));
  }
  OutputFile file(arguments.target);
  convert_trace(arguments.trace, file.stream());
  file.commit();
  return exit_code::done;
}

} // namespace

Command convert_command()
{
  auto arguments = std::make_shared<ConvertArguments>();
  return {.name = "convert",
          .summary = "a trace as events that Perfetto and chrome://tracing show",
          .options = {{.name = "TRACE",
                       .target = &arguments->trace,
                       .text = "trace of wormcast run --trace",
                       .required = true},
                      {.name = "TARGET",
                       .target = &arguments->target,
                       .text = "the file to write; its name ends in .perfetto.json",
                       .required = true}},
          .action = [arguments](Verbosity) { return convert(*arguments); }};
}

} // namespace wormcast
