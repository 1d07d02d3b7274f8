/** An option of a command, as it is typed: `--forward-to URL`. */
export interface Option {
  type: 'string' | 'boolean' | 'number'
  /** One letter: `-f`. */
  short?: string
  /** The placeholder for its value in the help: `URL`. */
  value?: string
  summary: string
  /** The only values, which are completed, too. */
  choices?: readonly string[]
  isRequired?: true
  /** May be given several times, or as a list with commas. */
  isRepeatable?: true
  default?: string | number
}

export type Options = Readonly<Record<string, Option>>

/** The given value of an option, or its default. */
export type Value = string | number | boolean | (string | number)[] | undefined
