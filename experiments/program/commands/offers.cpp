#include "wormcast/experiments/program/commands/offers.hpp"

#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/offered_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace wormcast {

namespace {

/// The meaning of the words before the last one.
struct TypedLine {
  CommonArguments arguments;
  std::vector<Command> commands = all_commands();
  std::vector<CommandOption> options = common_options(arguments); ///< then those of the command, too
  const Command* command = nullptr;
  bool wants_command = true; ///< the last word is to be a command
  std::size_t given = 0;     ///< arguments
  bool arguments_alone = false;
  const CommandOption* open = nullptr; ///< the last word is its value
  ConfigSource source;
};

bool begins_option(const TypedLine& line, std::string_view word)
{
  return !line.arguments_alone && word.starts_with('-');
}

const CommandOption* find_option(const TypedLine& line, std::string_view name)
{
  const auto found = std::ranges::find(line.options, name, &CommandOption::name);
  return found == line.options.end() ? nullptr : &*found;
}

/// The argument of the command with an index; null: it has fewer.
const CommandOption* argument_at(const TypedLine& line, std::size_t index)
{
  for (const CommandOption& option : line.options) {
    if (is_argument(option)) {
      if (index == 0 || std::holds_alternative<std::vector<std::string>*>(option.target)) {
        return &option;
      }
      --index;
    }
  }
  return nullptr;
}

/// Stores the value of an option that determines which configuration it is.
void take_value(TypedLine& line, const CommandOption& option, const std::string& value)
{
  if (option.name == "--set") {
    line.source.overrides.push_back(value);
  } else if (option.name == "--unset") {
    line.source.removals.push_back(value);
  } else if (value_text(option).ends_with("CONFIG")) {
    line.source.file = value;
  }
}

void take_argument(TypedLine& line, const std::string& word)
{
  if (line.command != nullptr) {
    if (const CommandOption* argument = argument_at(line, line.given++)) {
      take_value(line, *argument, word);
    }
    return;
  }
  const auto found = std::ranges::find(line.commands, word, &Command::name);
  line.wants_command = word == "help";
  if (found != line.commands.end()) {
    line.command = &*found;
    line.options.insert(line.options.begin(), found->options.begin(), found->options.end());
  }
}

TypedLine read_line(std::span<const std::string> words)
{
  TypedLine line;
  std::size_t values = 0; // that `open` still needs
  for (const std::string& word : words) {
    if (values > 0) {
      take_value(line, *line.open, word);
      --values;
    } else if (word == "--") {
      line.arguments_alone = true;
    } else if (begins_option(line, word)) {
      const std::size_t equals = word.find('=');
      line.open = find_option(line, std::string_view(word).substr(0, equals));
      if (line.open != nullptr && value_kind(*line.open) != ValueKind::none) {
        values = std::holds_alternative<std::optional<std::pair<std::string, std::string>>*>(line.open->target) ? 2 : 1;
        if (equals != std::string::npos) {
          take_value(line, *line.open, word.substr(equals + 1));
          --values;
        }
      }
    } else {
      take_argument(line, word);
    }
  }
  line.open = values > 0 ? line.open : nullptr;
  return line;
}

Offers offered_values(const TypedLine& line, const CommandOption& option, std::string_view typed)
{
  if (value_kind(option) == ValueKind::key) {
    const auto config = configuration_so_far(line.source);
    return value_text(option) == "KEY" ? offered_removals(config, typed) : offered_settings(config, typed);
  }
  Offers offers;
  const std::size_t comma =
      std::holds_alternative<CommaSeparated>(option.target) ? typed.rfind(',') : std::string::npos;
  const std::string before(typed.substr(0, comma == std::string::npos ? 0 : comma + 1));
  for (const std::string& name : option.names ? option.names() : option.choices) {
    add_offer(offers, typed, before + name);
  }
  offers.files = value_kind(option) == ValueKind::file;
  return offers;
}

Offers offered_options(const TypedLine& line, std::string_view typed)
{
  Offers offers;
  for (const CommandOption& option : line.options) {
    if (!is_argument(option)) {
      add_offer(offers, typed, option.name, option.text);
    }
  }
  for (const StandardOption& option : standard_options) {
    add_offer(offers, typed, std::string(option.name), option.text);
  }
  return offers;
}

Offers offered_commands(const TypedLine& line, std::string_view typed)
{
  Offers offers;
  for (const Command& command : line.commands) {
    if (command.group != CommandGroup::hidden) {
      add_offer(offers, typed, command.name,
                fmt::format("{}: {}", command_group_names.text(command.group), command.summary));
    } else if (!typed.empty() && command.replaced_by.empty()) {
      add_offer(offers, typed, command.name, command.summary);
    }
  }
  return offers;
}

/// Without the quotes and backslashes of a shell, and with the home folder instead of "~".
std::string unquoted(std::string_view word)
{
  std::string text;
  char quote = '\0';
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char letter = word[i];
    if (letter == '\\' && quote != '\'' && i + 1 < word.size()) {
      text += word[++i];
    } else if (quote == '\0' && (letter == '\'' || letter == '"')) {
      quote = letter;
    } else if (letter == quote) {
      quote = '\0';
    } else {
      text += letter;
    }
  }
  return text;
}

constexpr std::string_view bash_separators = "=:"; // of COMP_WORDBREAKS: those that words of ours can hold

bool is_separator(std::string_view word)
{
  return !word.empty() && word.find_first_not_of(bash_separators) == std::string_view::npos;
}

/// A text that ends at ':' where zsh reads it.
std::string zsh_escaped(std::string_view text)
{
  std::string escaped;
  for (const char letter : text) {
    escaped += letter == ':' || letter == '\\' ? "\\" : "";
    escaped += letter;
  }
  return escaped;
}

} // namespace

void add_offer(Offers& offers, std::string_view typed, std::string text, std::string_view explanation)
{
  if (text.starts_with(typed)) {
    offers.texts.push_back({std::move(text), std::string(explanation)});
  }
}

Offers offers_for(std::span<const std::string> words)
{
  const std::string typed = words.empty() ? std::string() : words.back();
  const TypedLine line = read_line(words.first(words.empty() ? 0 : words.size() - 1));
  if (line.open != nullptr) {
    return offered_values(line, *line.open, typed);
  }
  if (begins_option(line, typed)) {
    const std::size_t equals = typed.find('=');
    const CommandOption* option = find_option(line, std::string_view(typed).substr(0, equals));
    if (equals == std::string::npos || option == nullptr) {
      return offered_options(line, typed);
    }
    Offers offers = offered_values(line, *option, std::string_view(typed).substr(equals + 1));
    for (Offer& offer : offers.texts) {
      offer.text.insert(0, typed, 0, equals + 1);
    }
    return offers;
  }
  if (line.command == nullptr) {
    return line.wants_command ? offered_commands(line, typed) : Offers();
  }
  const CommandOption* argument = argument_at(line, line.given);
  Offers offers = argument == nullptr ? Offers() : offered_values(line, *argument, typed);
  return offers.texts.empty() && !offers.files && typed.empty() ? offered_options(line, typed) : offers;
}

std::vector<std::string> words_of_shell(std::string_view shell, std::span<const std::string> words)
{
  std::vector<std::string> whole;
  bool joins = false;
  for (const std::string& word : words) {
    const bool separates = shell == "bash" && is_separator(word);
    if (!whole.empty() && (joins || separates)) {
      whole.back() += word;
    } else {
      whole.push_back(word);
    }
    joins = separates;
  }
  for (std::string& word : whole) {
    const char* home = std::getenv("HOME");
    if (home != nullptr && (word == "~" || word.starts_with("~/"))) {
      word.replace(0, 1, home);
    }
    word = shell == "fish" ? word : unquoted(word);
  }
  return whole;
}

std::string offers_text(std::string_view shell, std::span<const std::string> words, const Offers& offers)
{
  // bash replaces the text after the last separator.
  const std::string_view typed = shell == "bash" && !words.empty() ? std::string_view(words.back()) : "";
  const std::size_t separator = typed.find_last_of(bash_separators);
  const std::size_t cut = separator == std::string_view::npos ? 0 : separator + 1;
  std::string text;
  for (const Offer& offer : offers.texts) {
    std::string explanation = offer.explanation;
    std::ranges::replace_if(explanation, [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
    text += shell == "zsh"    ? fmt::format("{}:{}\n", zsh_escaped(offer.text), explanation)
            : shell == "fish" ? fmt::format("{}\t{}\n", offer.text, explanation)
                              : offer.text.substr(cut) + "\n";
  }
  return text + (offers.files ? ":files\n" : "");
}

} // namespace wormcast
