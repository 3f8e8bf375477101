#pragma once

#include "wormcast/values/names.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wormcast {

/// What the program's exit code says.
namespace exit_code {
enum ExitCode : int {
  done = 0,
  other = 1,          ///< anything else: an output that cannot be written, a broken invariant
  bad_input = 2,      ///< bad usage or bad input
  failed_check = 3,   ///< a check or reproduction failed
  deadlock = 4,       ///< the simulated network came to a stop
  missing_results = 5 ///< --no-run, or ranks of which some ended early: results are missing, nothing was written
};
} // namespace exit_code

/// How much the program says on stderr.
enum class Verbosity {
  quiet,  ///< errors only
  normal, ///< and what a user should know, progress included
  verbose ///< and how it is done
};

/// Texts of one value that commas separate: "a,b,c".
struct CommaSeparated {
  std::vector<std::string>* texts = nullptr;
};

/// A flag that may be given with one of CommandOption::choices behind "=": "--explain", "--explain=all".
struct FlagChoice {
  std::string* text = nullptr; ///< the choice, or `bare`
  std::string bare = {};       ///< its text where the flag stands alone
};

/// Where the value of an option goes. Its type determines what the option takes; its value before is the default.
using OptionTarget = std::variant<bool*,                        ///< nothing: a flag
                                  std::string*,                 ///< one text
                                  std::optional<std::int64_t>*, ///< one whole number
                                  std::vector<std::string>*,    ///< one text each time; an argument: any number
                                  FlagChoice,                   ///< nothing, or a text behind "="
                                  CommaSeparated,               ///< one text each time, cut at commas
                                  std::optional<std::pair<std::string, std::string>>*> ///< two texts
    ;

/// One option or argument of a command.
struct CommandOption {
  std::string name; ///< "--json"; an argument, which is found by its position, has no dashes: "CONFIG"
  OptionTarget target;
  std::string text;                      ///< one sentence for people
  std::string value = {};                ///< what a value is, for people: "FILE|-"
  std::vector<std::string> choices = {}; ///< the texts accepted; none: all
  bool required = false;
  std::function<std::vector<std::string>()> names = {}; ///< of what a shell may offer, where other texts are taken, too
  /// Names that it had in the version before. They are accepted with a note on stderr, and no help shows them.
  std::vector<std::string> old_names = {};
};

/// Whether it is an argument: found by its position, without dashes.
bool is_argument(const CommandOption& option);

/// What its value is, for people: "FILE|-", "N"; empty: it takes none.
std::string value_text(const CommandOption& option);

/// What a shell may offer for its value.
enum class ValueKind {
  none,   ///< it takes no value
  choice, ///< one of CommandOption::choices
  file,   ///< a file or folder
  key,    ///< a key of the configuration
  other   ///< nothing that can be known
};
ValueKind value_kind(const CommandOption& option);

/// The headings under which help, manual and completion show the commands.
enum class CommandGroup {
  simulate,
  compare,
  look,
  schedules,
  papers,
  help,
  hidden ///< for packages and scripts, or an old name: --help-all and the manual alone show it
};
inline constexpr auto command_group_names =
    names<CommandGroup>({{CommandGroup::simulate, "Simulate"},
                         {CommandGroup::compare, "Compare algorithms"},
                         {CommandGroup::look, "Look at networks and results"},
                         {CommandGroup::schedules, "Schedules without simulation"},
                         {CommandGroup::papers, "Papers"},
                         {CommandGroup::help, "Begin and help"},
                         {CommandGroup::hidden, "For packages and scripts"}});

/// One command of the program, as data: command line, help and error messages are made from it.
struct Command {
  std::string name;
  std::string summary; ///< one sentence for people
  std::vector<CommandOption> options;
  /// Does the work once the targets have their values (and keeps them alive); returns an exit code. Throws what goes
  /// wrong; main turns exceptions into one line of text and an exit code (InputError: bad_input; OutputError and all
  /// others: other).
  std::function<int(Verbosity)> action;
  /// Whether several ranks (this_launch) share its work; of other commands rank 0 does all.
  bool for_ranks = false;
  /// The program that executes it (installed_program), with the same texts but for the command's name, once they are
  /// known to be right. Empty: `action` does the work, as it does in that program.
  std::string program = {};
  CommandGroup group = CommandGroup::hidden; ///< set by all_commands()
  /// Of a name that the version before had: what does the same now, such as "wormcast init --from". It is accepted with
  /// a note on stderr.
  std::string replaced_by = {};
};

} // namespace wormcast
