#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

namespace wormcast {

namespace {

// The program itself determines what is offered (offers.hpp): the scripts pass it the words and read its lines.

constexpr std::string_view bash_script = R"script(_wormcast()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]/#\~\//$HOME/}" __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [[ ${COMPREPLY[*]: -1} == :files ]]; then
        unset 'COMPREPLY[-1]'
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${word#=}")
    elif [[ ${COMPREPLY[*]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _wormcast wormcast
)script";

constexpr std::string_view zsh_script = R"script(_wormcast() {
  local -a offers=("${(@f)$(${(Q)words[1]/#\~\//$HOME/} __complete zsh "${(@)words[2,CURRENT]}" 2>/dev/null)}") space
  if [[ $offers[-1] == :files ]]; then
    offers[-1]=()
    [[ $PREFIX == *=* ]] && compset -P '*='
    _files
  fi
  [[ ${offers[1]%%:*} == *= ]] && space=(-S '')
  [[ -n $offers[1] ]] && _describe wormcast offers "${space[@]}"
}

if [[ $funcstack[1] == _wormcast ]]; then
  _wormcast "$@"
else
  compdef _wormcast wormcast
fi
)script";

constexpr std::string_view fish_script = R"script(function __wormcast_offers
    set -l words (commandline -opc)
    set -l word "$(commandline -ct)"
    for offer in (command $words[1] __complete fish $words[2..] $word 2>/dev/null)
        if test "$offer" = :files
            set -l before "$(string match -r '^.*=' -- $word)"
            __fish_complete_path (string replace -r '^.*=' '' -- $word) | string replace -r -- '^' "$before"
        else
            echo $offer
        end
    end
end
complete -c wormcast -f -a '(__wormcast_offers)'
)script";

struct CompletionArguments {
  std::string shell;
  std::string out = "-";
};

int write_script(const CompletionArguments& arguments)
{
  const std::string& shell = arguments.shell;
  write_output(arguments.out,
               fmt::format("{}# Completion of wormcast for {}, written by `wormcast completion {}`.\n\n{}",
                           shell == "zsh" ? "#compdef wormcast\n" : "", shell, shell,
                           shell == "bash"  ? bash_script
                           : shell == "zsh" ? zsh_script
                                            : fish_script));
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
          .action = [arguments](Verbosity) { return write_script(*arguments); }};
}

} // namespace wormcast
