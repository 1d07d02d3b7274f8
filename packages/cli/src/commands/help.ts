import { type Command, command } from '../frame/command.ts'
import { commandHelp, groupHelp, groupOf, overview } from '../frame/help.ts'
import { findCommand, unknownCommand } from '../frame/parse.ts'

/** The help of everything, of a group of commands, or of one. */
export function help(commands: () => readonly Command[]): Command {
  return command({
    name: 'help',
    summary: 'Explain a command',
    needs: 'nothing',
    arguments: [{ name: 'command', summary: 'its name, such as "keys create"', isOptional: true, isRepeatable: true }],
    examples: [
      { line: 'help', says: 'Every command in one line, the exit codes and the first steps' },
      { line: 'help listen', says: 'Everything about one of them' },
    ],
    async run({ arguments: { command: words }, output }) {
      const all = commands()
      const [group] = words
      const found = findCommand(all, words)
      if (output.isJson) {
        const described = all.filter(({ name }) => `${name} `.startsWith([...words, ''].join(' ')))
        output.result(
          described.map(({ run: _run, ...declaration }) => declaration),
          '',
        )
      } else if (group === undefined) output.raw(`${overview(all, output.paint)}\n`)
      else if (found) output.raw(`${commandHelp(found, output.paint)}\n`)
      else if (words.length === 1 && all.some((each) => groupOf(each) === group)) {
        output.raw(`${groupHelp(all, group, output.paint)}\n`)
      } else throw unknownCommand(all, words)
    },
  })
}
