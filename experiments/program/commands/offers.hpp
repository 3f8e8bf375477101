#pragma once

#include "wormcast/experiments/program/commands/command.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// One text that a shell may put instead of the last word of a command line.
struct Offer {
  std::string text;             ///< the whole word; with '=' at its end a value follows
  std::string explanation = {}; ///< one sentence for people, or nothing
};

/// What a shell may offer for the last word of a command line.
struct Offers {
  std::vector<Offer> texts; ///< those that begin as the word does
  bool files = false;       ///< and the files that do; behind the last '=' of the word if it has one
};

/// Adds `text` where it begins as what was typed.
void add_offer(Offers& offers, std::string_view typed, std::string text, std::string_view explanation = {});

/// What fits the last of `words`, which are the words after the program's name up to the cursor; the last one is empty
/// where a new word begins. Keys and their values are those of the configuration that the line names, with what
/// --set and --unset change in it; of all configurations where it names none that can be read. Never throws on what
/// users type.
Offers offers_for(std::span<const std::string> words);

/// The words as offers_for() takes them, from those of a shell ("bash", "zsh" or "fish"): without quotes, with a home
/// folder for "~", and with "--json" "=" "file" of bash as one word.
std::vector<std::string> words_of_shell(std::string_view shell, std::span<const std::string> words);

/// Offers for the last of `words` of words_of_shell() as the script of `wormcast completion SHELL` takes them: an offer
/// a line, and ":files" as the last line where files are to be offered, too.
std::string offers_text(std::string_view shell, std::span<const std::string> words, const Offers& offers);

} // namespace wormcast
