import type { Problem } from '../platform/foundation/errors.ts'
import { isStorableText } from '../platform/foundation/storable-text.ts'

/** The search for the location ends after this many values; then the error has none. */
const maxSearched = 100_000

const unstorableText = 'must not contain U+0000 or half a surrogate pair'

/**
 * Finds text with U+0000 or half a surrogate pair, which is valid JSON that PostgreSQL cannot store. How deep a value is
 * nested was limited before it was parsed.
 */
export function findUnstorable(value: unknown, part: string): Problem | undefined {
  // Nearly every value is storable. The location is only searched for, in a second pass, if one is not.
  if (isStorable(value)) return undefined
  const search = { remaining: maxSearched }
  return findProblem(value, [part], search) ?? { loc: [part], msg: unstorableText, type: 'value_error' }
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  for (const key in value) {
    if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key])) return false
  }
  return true
}

/** `loc` is one list that is changed in place: a copy per value would take longer than parsing. */
function findProblem(value: unknown, loc: (string | number)[], search: { remaining: number }): Problem | undefined {
  search.remaining -= 1
  if (typeof value === 'string') {
    return isStorableText(value) ? undefined : { loc: [...loc], msg: unstorableText, type: 'value_error' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  const end = isList ? value.length : 0
  for (let index = 0; index < end && search.remaining > 0; index += 1) {
    const problem = findInside((value as unknown[])[index], index, loc, search) // a list, as it has a length
    if (problem) return problem
  }
  if (isList) return undefined
  for (const key in value) {
    if (search.remaining <= 0) return undefined
    const found = findInside((value as Record<string, unknown>)[key], key, loc, search) ?? findProblem(key, loc, search)
    if (found) return found
  }
  return undefined
}

function findInside(inner: unknown, step: string | number, loc: (string | number)[], search: { remaining: number }) {
  loc.push(step)
  const problem = findProblem(inner, loc, search)
  loc.pop()
  return problem
}
