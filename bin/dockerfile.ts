export interface Instruction {
  name: string
  /** Without its flags. */
  text: string
  words: string[]
  flags: Map<string, string>
}

export interface Stage {
  image: string
  name: string | undefined
  instructions: Instruction[]
}

/** The stages of a Dockerfile, as far as ours uses the language: no ARG, no heredocs, no variables. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Stage[] = []
  for (const instruction of lines.map(readInstruction)) {
    const { name, words } = instruction
    if (name === 'FROM') stages.push({ image: words[0] ?? '', name: words[2], instructions: [] })
    else if (stages.length === 0) throw new Error(`${name} comes before the first FROM.`)
    else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}

function readInstruction(line: string): Instruction {
  const [name = ''] = line.split(' ', 1)
  if (!/^[A-Z]+$/.test(name)) throw new Error(`This is not an instruction: ${line}`)
  let text = line.slice(name.length).trim()
  const flags: [string, string][] = []
  while (text.startsWith('--')) {
    const [flag = ''] = text.split(' ', 1)
    flags.push(flag.slice(2).split('=') as [string, string]) // every flag of ours has a value
    text = text.slice(flag.length).trimStart()
  }
  return { name, text, words: wordsOf(text), flags: new Map(flags) }
}

/** A JSON list, as commands without a shell are written, or words. */
function wordsOf(text: string): string[] {
  const list = /^(?:CMD\s+)?(\[.*\])$/.exec(text)?.[1]
  return list === undefined ? text.trim().split(/\s+/) : JSON.parse(list)
}
