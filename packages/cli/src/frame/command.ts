import type { Client } from 'doorstep-client'
import type { Connection } from './connection.ts'
import type { Io } from './io.ts'
import type { Option, Options } from './option.ts'
import type { Output } from './output.ts'

/** An argument without a name: `doorstep shops show <slug>`. */
export interface Positional {
  name: string
  summary: string
  choices?: readonly string[]
  isOptional?: true
  /** Takes all arguments that are left; the last one only. */
  isRepeatable?: true
}

export interface Example {
  /** The text after `doorstep `. */
  line: string
  says: string
}

/** The connection that a command needs: to a shop of the service, to the service, or none. */
export type Needs = 'shop' | 'service' | 'nothing'

/** One command: its place in the help, its arguments, its completion and its tests follow from this. */
export interface Declaration<Given extends Options, Names extends readonly Positional[], Needed extends Needs> {
  /** As it is typed: `keys create`. */
  name: string
  /** One line for the list of commands: an imperative without a full stop. */
  summary: string
  /** Further help, as paragraphs. */
  details?: string
  /** Not for people: neither listed nor completed. */
  isHidden?: true
  needs: Needed
  arguments?: Names
  options?: Given
  examples: readonly [Example, ...Example[]]
  /** Returns the exit code if it is not 0. */
  run(call: Call<Given, Names, Needed>): Promise<number | undefined>
}

/** The input of a command, and the means it works with. */
export type Call<Given extends Options, Names extends readonly Positional[], Needed extends Needs> = {
  options: OptionValues<Given>
  arguments: ArgumentValues<Names>
  output: Output
  io: Io
  /** Aborted by Ctrl+C. */
  signal: AbortSignal
  /** Another connection than that of the options; errors name its address. */
  connectTo(connection: Connection): Client
} & (Needed extends 'nothing' ? unknown : { connection: Connection; client: Client }) &
  (Needed extends 'shop' ? { shop: string } : unknown)

/** A command whose types are no longer needed. */
export interface Command extends Omit<Declaration<Options, readonly Positional[], Needs>, 'run'> {
  run(call: never): Promise<number | undefined>
}

export function command<
  const Given extends Options = Record<never, Option>,
  const Names extends readonly Positional[] = readonly [],
  const Needed extends Needs = Needs,
>(declaration: Declaration<Given, Names, Needed>): Command {
  return declaration
}

type OptionValues<Given extends Options> = { [Name in keyof Given]: ValueOf<Given[Name]> }

type ValueOf<Given extends Option> = Given extends { type: 'boolean' }
  ? boolean
  : Given extends { isRepeatable: true }
    ? TextOf<Given>[]
    : Given extends { isRequired: true } | { default: string | number }
      ? TextOf<Given>
      : TextOf<Given> | undefined

type TextOf<Given extends Option> = Given extends { type: 'number' }
  ? number
  : Given extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string

type ArgumentValues<Names extends readonly Positional[]> = {
  [Each in Names[number] as Each['name']]: Each extends { isRepeatable: true }
    ? string[]
    : Each extends { isOptional: true }
      ? ChoiceOf<Each> | undefined
      : ChoiceOf<Each>
}

type ChoiceOf<Each extends Positional> = Each extends { choices: readonly (infer Choice)[] } ? Choice : string
