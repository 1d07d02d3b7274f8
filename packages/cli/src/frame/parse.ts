import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Command, Positional } from './command.ts'
import { commonOptions, connectionOptions, globalOptions, shopOption } from './common-options.ts'
import { UsageError } from './errors.ts'
import type { Option, Options, Value } from './option.ts'
import { didYouMean, suggest } from './suggest.ts'

export interface Parsed {
  options: Record<string, Value>
  arguments: Record<string, string | string[] | undefined>
}

/** The words before the first option that is not common: the command's name, and maybe arguments. */
export function leadingWords(argv: readonly string[]): string[] {
  return wordsOf(argv, commonOptions)
}

/** The arguments that are neither an option nor the value of one. */
export function wordsOf(argv: readonly string[], options: Options): string[] {
  const { tokens } = tokensOf(argv, options)
  return tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
}

/** Whether the option stands anywhere in the arguments; for options that are needed before the arguments are parsed. */
export function hasFlag(argv: readonly string[], name: keyof typeof globalOptions): boolean {
  const { tokens } = tokensOf(argv, commonOptions)
  return tokens.some((token) => token.kind === 'option' && token.name === name)
}

/** The longest name of a command that the words begin with. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands
    .filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
    .sort((left, right) => right.name.length - left.name.length)[0]
}

export function optionsOf(command: Pick<Command, 'needs' | 'options'>): Options {
  return {
    ...command.options,
    ...(command.needs === 'shop' ? shopOption : {}),
    ...(command.needs === 'nothing' ? {} : connectionOptions),
    ...globalOptions,
  }
}

/** Reads the arguments of a command, and rejects undeclared ones. */
export function parseArguments(command: Command, argv: readonly string[]): Parsed {
  const declared = optionsOf(command)
  const { tokens } = tokensOf(argv, declared)
  const options: Record<string, Value> = Object.fromEntries(
    Object.entries(declared).map(([name, option]) => [name, initialValue(option)]),
  )
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(declared, token.name) ? declared[token.name] : undefined
    if (!option) throw unknownOption(token.rawName, declared, command)
    const value = readValue(token.rawName, option, token.value)
    const earlier = options[token.name]
    options[token.name] = Array.isArray(earlier) && Array.isArray(value) ? [...earlier, ...value] : value
  }
  if (options.help !== true) requireOptions(command, declared, options)
  const given = words.slice(command.name.split(' ').length)
  return { options, arguments: options.help === true ? {} : nameArguments(command, given) }
}

function tokensOf(argv: readonly string[], options: Options) {
  const known: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [
      name,
      { type: type === 'boolean' ? ('boolean' as const) : ('string' as const), ...(short ? { short } : {}) },
    ]),
  )
  return parseArgs({ args: [...argv], options: known, strict: false, allowPositionals: true, tokens: true })
}

function initialValue(option: Option): Value {
  if (option.type === 'boolean') return false
  return option.isRepeatable ? [] : option.default
}

function readValue(name: string, option: Option, text: string | undefined): Value {
  if (option.type === 'boolean') {
    if (text !== undefined) throw new UsageError(`${name} takes no value.`)
    return true
  }
  if (text === undefined || text === '')
    throw new UsageError(`${name} needs a value: ${name} ${option.value ?? 'VALUE'}`)
  if (option.isRepeatable) return text.split(',').map((part) => readOne(name, option, part.trim()))
  return readOne(name, option, text)
}

function readOne(name: string, option: Option, text: string): string | number {
  if (option.type === 'number') {
    if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name} must be a whole number, not "${text}".`)
    return Number(text)
  }
  checkChoice(name, text, option.choices)
  return text
}

function checkChoice(name: string, text: string, choices: readonly string[] | undefined): void {
  if (!choices || choices.includes(text)) return
  throw new UsageError(`${name} must be one of ${choices.join(', ')}, not "${text}".`, didYouMean(text, choices))
}

function requireOptions(command: Command, declared: Options, values: Record<string, Value>): void {
  for (const [name, { isRequired, value }] of Object.entries(declared)) {
    const given = values[name]
    if (!isRequired || (Array.isArray(given) ? given.length > 0 : given !== undefined)) continue
    throw new UsageError(`--${name} ${value ?? 'VALUE'} is missing.`, helpHint(command))
  }
}

function unknownOption(rawName: string, declared: Options, command: Command): UsageError {
  const known = Object.keys(declared).map((name) => `--${name}`)
  return new UsageError(
    `"doorstep ${command.name}" has no option ${rawName}.`,
    didYouMean(rawName, known) ?? helpHint(command),
  )
}

function nameArguments(command: Command, given: readonly string[]): Parsed['arguments'] {
  const left = [...given]
  const named = (command.arguments ?? []).map((positional): [string, string | string[] | undefined] => {
    const values = positional.isRepeatable ? left.splice(0) : left.splice(0, 1)
    if (values.length === 0 && !positional.isOptional) throw missingArgument(command, positional)
    for (const value of values) checkChoice(`<${positional.name}>`, value, positional.choices)
    return [positional.name, positional.isRepeatable ? values : values[0]]
  })
  const [extra] = left
  if (extra !== undefined) {
    throw new UsageError(`"${extra}" is one argument too many for "doorstep ${command.name}".`, helpHint(command))
  }
  return Object.fromEntries(named)
}

function missingArgument(command: Command, { name, summary }: Positional): UsageError {
  return new UsageError(`<${name}> is missing: ${summary}.`, helpHint(command))
}

function helpHint({ name }: Command): string {
  return `"doorstep ${name} --help" shows how it is used.`
}

/** The error for words that no command begins with. */
export function unknownCommand(commands: readonly Command[], words: readonly string[]): UsageError {
  const given = words.slice(0, 2).join(' ')
  const [first = '', second = ''] = words
  const names = commands.map(({ name }) => name)
  const groups = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))]
  const inGroup = names.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1))
  const meant = inGroup.length > 0 ? suggest(second, inGroup) : (suggest(given, names) ?? suggest(first, groups))
  const prefix = inGroup.length > 0 ? `doorstep ${first} ` : 'doorstep '
  return new UsageError(
    `"doorstep ${inGroup.length > 0 ? given : first}" is not a command.`,
    meant === undefined
      ? `"doorstep help${inGroup.length > 0 ? ` ${first}` : ''}" lists the commands.`
      : `Did you mean "${prefix}${meant}"?`,
  )
}
