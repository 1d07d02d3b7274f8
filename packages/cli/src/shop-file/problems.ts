import { CliError } from '../frame/errors.ts'
import { exitCodes } from '../frame/exit-codes.ts'
import type { Place } from './located.ts'

/** A mistake in a file, and its place. */
export interface Problem {
  place: Place
  message: string
}

/** Files that cannot be used. Nothing was changed. */
export class ShopFileError extends CliError {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    const errors = problems.map(({ place, message }) => ({ path: shown(place), message }))
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    super(`The shop file has ${count}. Nothing was changed.`, { exitCode: exitCodes.rejected, errors })
    this.name = 'ShopFileError'
    this.problems = problems
  }
}

/** `shop.yaml:12:3`, which editors and terminals make a link of. */
export function shown({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`
}
