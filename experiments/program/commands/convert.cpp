#include "wormcast/experiments/program/commands/convert.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/trace/convert.hpp"
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

} // namespace

void write_perfetto_events(const std::string& trace, const std::string& target)
{
  if (!target.ends_with(".perfetto.json")) {
    throw InputError(fmt::format("{}: expected a file whose name ends in .perfetto.json", target));
  }
  OutputFile file(target);
  convert_trace(trace, file.stream());
  file.commit();
}

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
          .action =
              [arguments](Verbosity) {
                write_perfetto_events(arguments->trace, arguments->target);
                return int{exit_code::done};
              },
          .replaced_by = "wormcast contention TRACE --perfetto TARGET"};
}

} // namespace wormcast
