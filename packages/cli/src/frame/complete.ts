import type { Command } from './command.ts'
import { globalOptions } from './common-options.ts'
import type { Options } from './option.ts'
import { findCommand, leadingWords, optionsOf, wordsOf } from './parse.ts'

/** A word that can follow, and what it means. */
export interface Completion {
  word: string
  summary: string
}

/** The completions of the last word, which may be empty or the beginning of something. */
export function complete(commands: readonly Command[], typed: readonly string[]): Completion[] {
  const current = typed.at(-1) ?? ''
  const before = typed.slice(0, -1)
  return candidates(commands, before, current).filter(({ word }) => word.startsWith(current))
}

function candidates(commands: readonly Command[], before: readonly string[], current: string): Completion[] {
  const words = leadingWords(before)
  const command = findCommand(commands, words)
  const options: Options = command ? optionsOf(command) : globalOptions
  const expecting = before.at(-1)?.startsWith('--') ? options[before.at(-1)?.slice(2) ?? ''] : undefined
  if (expecting && expecting.type !== 'boolean') return choices(expecting.choices)
  if (current.startsWith('-')) {
    return Object.entries(options).map(([name, { summary }]) => ({ word: `--${name}`, summary }))
  }
  if (!command) return nextWords(commands, words)
  const position = wordsOf(before, options).length - command.name.split(' ').length
  const positionals = command.arguments ?? []
  const positional = positionals[position] ?? (positionals.at(-1)?.isRepeatable ? positionals.at(-1) : undefined)
  return choices(positional?.choices)
}

/** The next word of every command whose name begins with these. */
function nextWords(commands: readonly Command[], words: readonly string[]): Completion[] {
  const found = new Map<string, string>()
  for (const { name, summary, isHidden } of commands) {
    if (isHidden) continue
    const parts = name.split(' ')
    const next = parts[words.length]
    if (next === undefined || !words.every((word, index) => parts[index] === word)) continue
    const isGroup = parts.length > words.length + 1
    found.set(next, isGroup ? `Commands for ${next}` : summary)
  }
  return [...found].map(([word, summary]) => ({ word, summary }))
}

function choices(words: readonly string[] | undefined): Completion[] {
  return (words ?? []).map((word) => ({ word, summary: '' }))
}
