import { type Command, command } from '../frame/command.ts'
import { complete } from '../frame/complete.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** The script that each shell has to load. All of them call "doorstep completion words" with what was typed. */
const scripts: Record<(typeof shells)[number], string> = {
  bash: `_doorstep() {
  local IFS=$'\\n'
  COMPREPLY=($(doorstep completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _doorstep doorstep
`,
  zsh: `#compdef doorstep
_doorstep() {
  local -a found
  local word summary
  while IFS=$'\\t' read -r word summary; do
    found+=("\${word//:/\\\\:}\${summary:+:$summary}")
  done < <(doorstep completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe 'doorstep' found; else _files; fi
}
compdef _doorstep doorstep
`,
  fish: `function __doorstep_complete
  set -l typed (commandline -opc) (commandline -ct)
  doorstep completion words -- $typed[2..-1] 2>/dev/null
end
complete -c doorstep -f -a '(__doorstep_complete)'
`,
}

export const completion = command({
  name: 'completion',
  summary: 'Print the completion of a shell',
  details:
    'Load it when your shell starts:\n' +
    "  bash   echo 'source <(doorstep completion bash)' >> ~/.bashrc\n" +
    "  zsh    echo 'source <(doorstep completion zsh)' >> ~/.zshrc, after compinit\n" +
    '  fish   doorstep completion fish > ~/.config/fish/completions/doorstep.fish',
  needs: 'nothing',
  arguments: [{ name: 'shell', summary: 'the shell', choices: shells }],
  examples: [{ line: 'completion bash', says: 'A script for bash' }],
  async run({ arguments: { shell }, output }) {
    if (output.isJson) output.result({ shell, script: scripts[shell] }, '')
    else output.raw(scripts[shell])
  },
})

/** Called by the scripts: the words that can follow, one per line. */
export function completionWords(commands: () => readonly Command[]): Command {
  return command({
    name: 'completion words',
    isHidden: true,
    summary: 'List the words that can follow what is typed; for scripts of shells',
    needs: 'nothing',
    arguments: [
      { name: 'typed', summary: 'the words so far, the last one incomplete', isOptional: true, isRepeatable: true },
    ],
    examples: [{ line: 'completion words -- keys cr', says: 'Prints "create" and what it does' }],
    async run({ arguments: { typed }, output }) {
      const found = complete(commands(), typed)
      output.result(found, () =>
        found.map(({ word, summary }) => (summary === '' ? word : `${word}\t${summary}`)).join('\n'),
      )
    },
  })
}
