#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/output/file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

/// What all three scripts are made from.
struct ProgramWords {
  std::vector<Command> commands;
  CommonArguments arguments;
  std::vector<CommandOption> common; ///< point into `arguments`
  std::vector<std::string> keys;     ///< of configurations: "network.startup"
};

std::vector<std::string> configuration_keys()
{
  std::vector<std::string> keys;
  for (const std::string& section : config_sections()) {
    for (const std::string& name : key_names(section)) {
      keys.push_back(fmt::format("{}.{}", section, name));
    }
  }
  return keys;
}

std::vector<CommandOption> options_of(const Command& command, const std::vector<CommandOption>& common)
{
  std::vector<CommandOption> options = command.options;
  options.insert(options.end(), common.begin(), common.end());
  return options;
}

/// What bash offers as the value of an option or for an argument.
std::string bash_values(const CommandOption& option)
{
  switch (value_kind(option)) {
  case ValueKind::choice:
    return fmt::format("words=\"{}\"", fmt::join(option.choices, " "));
  case ValueKind::key:
    return option.value == "KEY" ? "words=$keys" : "words=$keys suffix==";
  case ValueKind::file:
    return "files=yes";
  default:
    return "words=";
  }
}

std::string bash_command(const Command& command, const std::vector<CommandOption>& common)
{
  std::string values;
  std::vector<std::string> names;
  std::string arguments;
  for (const CommandOption& option : options_of(command, common)) {
    if (is_argument(option)) {
      arguments += " " + bash_values(option);
      continue;
    }
    names.push_back(option.name);
    if (value_kind(option) != ValueKind::none) {
      values += fmt::format("        {},{}) {} ;;\n", command.name, option.name, bash_values(option));
    }
  }
  for (const StandardOption& option : standard_options) {
    names.emplace_back(option.name);
  }
  return fmt::format("{}        {},*) options=\"{}\"{} ;;\n", values, command.name, fmt::join(names, " "), arguments);
}

std::string bash_script(const ProgramWords& program)
{
  std::vector<std::string> names;
  std::string cases;
  for (const Command& command : program.commands) {
    names.push_back(command.name);
    cases += bash_command(command, program.common);
  }
  std::string common;
  for (const CommandOption& option : program.common) {
    common += " " + option.name;
  }
  for (const StandardOption& option : standard_options) {
    common += fmt::format(" {}", option.name);
  }
  return fmt::format(R"(# Completion of wormcast for bash, written by `wormcast completion bash`.

_wormcast()
{{
    local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= i
    local words= options= files= suffix=
    local keys="{2}"
    if [[ $word == = ]]; then
        word=
    elif [[ $previous == = ]]; then
        previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${{COMP_WORDS[i]}} in
        {0})
            command=${{COMP_WORDS[i]}}
            break
            ;;
        esac
    done
    case $command,$previous in
{1}        *) words="{3}" options="{4}" ;;
    esac
    [[ $word == -* || -z $words$files ]] && words+=" $options"
    mapfile -t COMPREPLY < <(compgen -S "$suffix" -W "$words" -- "$word")
    if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$word")
    elif [[ -n $suffix ]]; then
        compopt -o nospace 2>/dev/null
    fi
}}
complete -F _wormcast wormcast
)",
                     fmt::join(names, "|"), cases, fmt::join(program.keys, " "), fmt::join(names, " "), common);
}

/// A text within '...[...]' of zsh's _arguments.
std::string zsh_text(std::string_view text)
{
  std::string escaped;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') {
      escaped += '\\';
    }
    escaped += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return escaped;
}

std::string zsh_values(const CommandOption& option)
{
  switch (value_kind(option)) {
  case ValueKind::choice:
    return fmt::format("({})", fmt::join(option.choices, " "));
  case ValueKind::key:
    return option.value == "KEY" ? "->key" : "->setting";
  case ValueKind::file:
    return "_files";
  default:
    return " ";
  }
}

std::string zsh_argument(const CommandOption& option)
{
  const bool many = std::holds_alternative<std::vector<std::string>*>(option.target);
  if (is_argument(option)) {
    return fmt::format("'{}{}:{}:{}'", many ? "*" : "", option.required || many ? "" : ":", zsh_text(option.name),
                       zsh_values(option));
  }
  const std::string value = value_text(option);
  return fmt::format("'{}{}[{}]{}'", many ? "*" : "", option.name, zsh_text(option.text),
                     value.empty() ? "" : fmt::format(":{}:{}", zsh_text(value), zsh_values(option)));
}

std::string zsh_script(const ProgramWords& program)
{
  std::string commands;
  std::string cases;
  std::string common;
  for (const CommandOption& option : program.common) {
    common += fmt::format("    {}\n", zsh_argument(option));
  }
  for (const StandardOption& option : standard_options) {
    common += fmt::format("    '(- *){}[{}]'\n", option.name, zsh_text(option.text));
  }
  for (const Command& command : program.commands) {
    commands += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
    cases += fmt::format("    {})\n      _arguments $common", command.name);
    for (const CommandOption& option : command.options) {
      cases += fmt::format(" \\\n        {}", zsh_argument(option));
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef wormcast
# Completion of wormcast for zsh, written by `wormcast completion zsh`.

_wormcast() {{
  local state line
  local -a commands common keys
  commands=(
{0}  )
  common=(
{1}  )
  keys=({2})
  _arguments -C $common '1: :->command' '*:: :->argument' && return
  if [[ $state == command ]]; then
    _describe command commands
    return
  fi
  case $words[1] in
{3}  esac
  case $state in
    key) compadd -a keys ;;
    setting) compadd -S = -a keys ;;
  esac
}}

if [[ $funcstack[1] == _wormcast ]]; then
  _wormcast "$@"
else
  compdef _wormcast wormcast
fi
)",
                     commands, common, fmt::join(program.keys, " "), cases);
}

std::string fish_quoted(std::string_view text)
{
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') {
      quoted += '\\';
    }
    quoted += letter;
  }
  return quoted + "'";
}

std::string fish_values(const CommandOption& option)
{
  switch (value_kind(option)) {
  case ValueKind::choice:
    return fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
  case ValueKind::key:
    return option.value == "KEY" ? " -x -a '$__wormcast_keys'" : " -x -a '$__wormcast_keys='";
  case ValueKind::file:
    return " -r -F";
  case ValueKind::other:
    return " -x";
  case ValueKind::none:
    break;
  }
  return "";
}

std::string fish_option(const CommandOption& option, const std::string& condition)
{
  const std::string start = "complete -c wormcast" + condition;
  if (is_argument(option)) {
    const ValueKind kind = value_kind(option);
    return kind == ValueKind::choice ? fmt::format("{} -a '{}'\n", start, fmt::join(option.choices, " "))
           : kind == ValueKind::file ? fmt::format("{} -F\n", start)
                                     : std::string();
  }
  return fmt::format("{} -l {}{} -d {}\n", start, option.name.substr(2), fish_values(option), fish_quoted(option.text));
}

std::string fish_script(const ProgramWords& program)
{
  std::string text = fmt::format("# Completion of wormcast for fish, written by `wormcast completion fish`.\n\n"
                                 "set -g __wormcast_keys {}\n\ncomplete -c wormcast -f\n",
                                 fmt::join(program.keys, " "));
  for (const CommandOption& option : program.common) {
    text += fish_option(option, "");
  }
  for (const StandardOption& option : standard_options) {
    text += fmt::format("complete -c wormcast -l {} -d {}\n", option.name.substr(2), fish_quoted(option.text));
  }
  for (const Command& command : program.commands) {
    text += fmt::format("\ncomplete -c wormcast -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.summary));
    for (const CommandOption& option : command.options) {
      text += fish_option(option, fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name));
    }
  }
  return text;
}

struct CompletionArguments {
  std::string shell;
  std::string out = "-";
};

int complete(const CompletionArguments& arguments)
{
  const std::string& shell = arguments.shell;
  ProgramWords program;
  program.commands = all_commands();
  program.common = common_options(program.arguments);
  program.keys = configuration_keys();
  write_output(arguments.out, shell == "bash"  ? bash_script(program)
                              : shell == "zsh" ? zsh_script(program)
                                               : fish_script(program));
  return exit_code::done;
}

} // namespace

Command completion_command()
{
  auto arguments = std::make_shared<CompletionArguments>();
  return {.name = "completion",
          .summary = "a script that makes a shell complete commands, options, keys and files",
          .options = {{.name = "SHELL",
                       .target = &arguments->shell,
                       .text = "the shell that is to read it",
                       .choices = {"bash", "zsh", "fish"},
                       .required = true},
                      {.name = "--out",
                       .target = &arguments->out,
                       .text = "write it to a file instead of standard output",
                       .value = "FILE|-"}},
          .action = [arguments](Verbosity) { return complete(*arguments); }};
}

} // namespace wormcast
