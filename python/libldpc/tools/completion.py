# SPDX-License-Identifier: BSD-3-Clause
"""Writes shell completion scripts for bash, zsh and fish, which complete options, choices, names of codes and files. The scripts
call the program itself, and click prints the completions.

usage: python3 -m libldpc.tools.completion FOLDER PROGRAM...
"""
import pathlib
import sys

# readline splits words at colons, so the script passes only the part after the last colon.
BASH = r"""# SPDX-License-Identifier: BSD-3-Clause
# bash completion for {program}
{function}() {{
    local line="${{COMP_LINE:0:COMP_POINT}}" current words cword answer
    current="${{line##*[[:space:]]}}"
    read -ra words <<<"$line"
    cword=${{#words[@]}}
    if [[ -n $current ]]; then
        cword=$((cword - 1))
    fi
    COMPREPLY=()
    while IFS= read -r answer; do
        case $answer in
        plain,*)
            answer="${{answer#plain,}}"
            if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
                answer="${{answer#"${{current%:*}}:"}}"
            fi
            COMPREPLY+=("$answer") ;;
        file,*) compopt -o default ;;
        dir,*) compopt -o dirnames ;;
        esac
    done < <(COMP_WORDS="$line" COMP_CWORD=$cword {variable}=bash_complete "$1" 2>/dev/null)
}}
complete -o nosort -F {function} {program}
"""

ZSH = r"""#compdef {program}
# SPDX-License-Identifier: BSD-3-Clause
# zsh completion for {program}
local -a answers values
local kind value description
answers=("${{(@f)$(COMP_WORDS="${{words[*]}}" COMP_CWORD=$((CURRENT - 1)) {variable}=zsh_complete {program} 2>/dev/null)}}")
for kind value description in "${{answers[@]}}"; do
    case $kind in
    plain) values+=("$value") ;;
    file) _path_files -f ;;
    dir) _path_files -/ ;;
    esac
done
(( $#values )) && compadd -V {program} -a values
"""

FISH = r"""# SPDX-License-Identifier: BSD-3-Clause
# fish completion for {program}
function {function}
    for answer in (env {variable}=fish_complete COMP_WORDS=(commandline -cp) COMP_CWORD=(commandline -t) {program} 2>/dev/null)
        set -l parts (string split -m 1 "," -- $answer)
        switch $parts[1]
            case file
                __fish_complete_path (commandline -t)
            case dir
                __fish_complete_directories (commandline -t)
            case plain
                echo $parts[2]
        end
    end
end
complete --no-files --command {program} --arguments "({function})"
"""

FILES = (("bash-completion/completions/{program}", BASH), ("zsh/site-functions/_{program}", ZSH),
         ("fish/vendor_completions.d/{program}.fish", FISH))


def main(folder, *programs):
    for program in programs:
        name = program.replace("-", "_")
        for path, text in FILES:
            file = pathlib.Path(folder, path.format(program=program))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.format(program=program, function=f"_{name}_completion", variable=f"_{name.upper()}_COMPLETE"),
                            encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
