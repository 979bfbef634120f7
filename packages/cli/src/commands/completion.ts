import type { Command } from '../context.ts';
import { WrongUse } from '../wrong-use.ts';

/**
 * Each script asks the CLI for the completions, so that they match the installed version. If the CLI offers
 * none, the shell completes file names.
 */
const scripts: Record<string, string> = {
  bash: `_plataforma() {
  local IFS=$'\\n'
  COMPREPLY=($(plataforma complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _plataforma plataforma`,
  zsh: `#compdef plataforma
_plataforma() {
  local -a candidates
  candidates=("\${(@f)$(plataforma complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $candidates ]]; then compadd -a candidates; else _files; fi
}
compdef _plataforma plataforma`,
  fish: `function _plataforma
  plataforma complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null
end
complete -c plataforma -f -a '(_plataforma)'
complete -c plataforma -F -n 'not _plataforma | string length -q'`,
};

export const completion: Command = {
  takes: 'bash|zsh|fish',
  candidates: Object.keys(scripts),
  async run({ operands, words, terminal }) {
    const script = scripts[operands[0] ?? ''];
    if (script === undefined) throw new WrongUse(words.usage(`completion ${completion.takes}`));
    terminal.print(script);
  },
};
