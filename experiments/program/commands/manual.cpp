#include "wormcast/experiments/program/commands/manual.hpp"

#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/manual_examples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

struct ExitText {
  exit_code::ExitCode code;
  std::string_view text;
};

constexpr std::array exit_texts = {
    ExitText{exit_code::done, "done"},
    ExitText{exit_code::other, "anything else: an output that cannot be written, a broken invariant"},
    ExitText{exit_code::bad_input, "bad usage or bad input"},
    ExitText{exit_code::failed_check, "a check or reproduction failed"},
    ExitText{exit_code::deadlock, "the simulated network came to a stop"},
    ExitText{exit_code::missing_results, "results of shards are missing: nothing was put together"},
};

/// `text` as roff prints it: no letter of it means anything to roff.
std::string roff(std::string_view text)
{
  std::string escaped;
  for (const char letter : text) {
    if ((letter == '.' || letter == '\'') && escaped.empty()) {
      escaped += "\\&";
    }
    if (letter == '\\') {
      escaped += "\\e";
    } else if (letter == '-') {
      escaped += "\\-";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

std::string bold(std::string_view text)
{
  return fmt::format("\\fB{}\\fP", roff(text));
}

std::string italic(std::string_view text)
{
  return fmt::format("\\fI{}\\fP", roff(text));
}

std::string heading(std::string_view page, std::string_view summary)
{
  return fmt::format(".\\\" Written by `wormcast reference --man` from the program's declarations.\n"
                     ".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     roff(page), roff(program_version()), roff(page), roff(summary));
}

std::string item(const CommandOption& option)
{
  std::string text = ".TP\n" + (is_argument(option) ? italic(option.name) : bold(option.name));
  if (const std::string value = value_text(option); !value.empty() && !is_argument(option)) {
    text += " " + italic(value);
  }
  text += "\n" + roff(option.text);
  if (!option.choices.empty()) {
    text += fmt::format(": {}", roff(fmt::format("{}", fmt::join(option.choices, ", "))));
  }
  if (option.required && !is_argument(option)) {
    text += " (required)";
  }
  return text + "\n";
}

std::string items(const std::vector<CommandOption>& options, bool arguments)
{
  std::string text;
  for (const CommandOption& option : options) {
    if (is_argument(option) == arguments) {
      text += item(option);
    }
  }
  return text;
}

std::string common_items()
{
  CommonArguments ignored;
  std::string text = items(common_options(ignored), false);
  for (const StandardOption& option : standard_options) {
    text += fmt::format(".TP\n{}\n{}\n", bold(option.name), roff(option.text));
  }
  return text;
}

std::string exit_section()
{
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitText& exit : exit_texts) {
    text += fmt::format(".TP\n{}\n{}\n", bold(fmt::format("{}", static_cast<int>(exit.code))), roff(exit.text));
  }
  return text;
}

std::string examples_section(std::string_view command)
{
  std::string text;
  for (const ManualExample& example : manual_examples(command)) {
    text += fmt::format("{}{}\n.PP\n.nf\n.RS 4\n", text.empty() ? ".SH EXAMPLES\n" : ".PP\n", roff(example.text));
    for (const std::string_view line : example.lines) {
      text += roff(line) + "\n";
    }
    text += ".RE\n.fi\n";
  }
  return text;
}

std::string synopsis(const Command& command)
{
  std::string text = fmt::format(".SH SYNOPSIS\n{}", bold("wormcast " + command.name));
  for (const CommandOption& option : command.options) {
    if (is_argument(option)) {
      const bool many = std::holds_alternative<std::vector<std::string>*>(option.target);
      const std::string name = italic(option.name) + (many ? "..." : "");
      text += option.required ? " " + name : fmt::format(" [{}]", name);
    } else if (option.required) {
      text += fmt::format(" {} {}", bold(option.name), italic(value_text(option)));
    }
  }
  return text + " [" + italic("OPTION") + "]...\n";
}

ReferencePage command_page(const Command& command)
{
  const std::string name = "wormcast-" + command.name;
  std::string text = heading(name, command.summary) + synopsis(command);
  if (const std::string arguments = items(command.options, true); !arguments.empty()) {
    text += ".SH ARGUMENTS\n" + arguments;
  }
  if (const std::string options = items(command.options, false); !options.empty()) {
    text += ".SH OPTIONS\n" + options;
  }
  text += ".SH COMMON OPTIONS\n" + common_items() + exit_section() + examples_section(command.name);
  text += ".SH SEE ALSO\n" + bold("wormcast") + "(1)\n";
  return {.name = name + ".1", .text = std::move(text)};
}

ReferencePage program_page(const std::vector<Command>& commands)
{
  std::string text = heading("wormcast", program_summary);
  text += fmt::format(".SH SYNOPSIS\n{} {} [{}]...\n.SH COMMANDS\n", bold("wormcast"), italic("COMMAND"),
                      italic("ARGUMENT"));
  const CommandGroup* group = nullptr;
  for (const Command& command : commands) {
    if (group == nullptr || *group != command.group) {
      text += fmt::format(".SS {}\n", roff(command_group_names.text(command.group)));
      group = &command.group;
    }
    text += fmt::format(".TP\n{}(1)\n{}\n", bold("wormcast-" + command.name), roff(command.summary));
  }
  text += ".SH OPTIONS\n" + common_items() + exit_section() + examples_section("");
  text += ".SH SEE ALSO\nThe keys of configurations are what " + bold("wormcast reference") +
          " prints, those of one kind of topology or algorithm " + bold("wormcast list") + ".\n";
  return {.name = "wormcast.1", .text = std::move(text)};
}

} // namespace

std::vector<ReferencePage> manual_pages()
{
  const std::vector<Command> commands = all_commands();
  std::vector<ReferencePage> pages = {program_page(commands)};
  for (const Command& command : commands) {
    pages.push_back(command_page(command));
  }
  return pages;
}

} // namespace wormcast
