import type { Problem } from '../foundation/errors.ts'
import { isStorableText } from '../foundation/storable-text.ts'

/** Deeper than any real body. Code that reads it recursively, PostgreSQL included, must not overflow the stack. */
const maxDepth = 100

/** The search for the location ends after this many values; then the error has none. */
const maxSearched = 100_000

const unstorableText = 'must not contain U+0000 or half a surrogate pair'
const tooDeep = `must not be nested more than ${maxDepth} deep`

/** Finds text with U+0000 or half a surrogate pair, which is valid JSON that PostgreSQL cannot store. */
export function findUnstorable(value: unknown, part: string, hasStorableTexts: boolean): Problem | undefined {
  // Nearly every value is storable. The location is only searched for, in a second pass, if one is not.
  if (hasStorableTexts ? isShallow(value, 1) : isStorable(value, 1)) return undefined
  const search = { remaining: maxSearched }
  const problem = findProblem(value, [part], search)
  return problem ?? { loc: [part], msg: `${unstorableText}, and ${tooDeep}`, type: 'value_error' }
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > maxDepth) return false
  if (Array.isArray(value)) return value.every((inner) => isStorable(inner, depth + 1))
  for (const key in value) {
    if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

/** The same if the texts are known to be storable. It visits only lists and objects, in a quarter of the time. */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth > maxDepth) return false
  if (Array.isArray(value)) return value.every((inner) => typeof inner !== 'object' || isShallow(inner, depth + 1))
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && !isShallow(inner, depth + 1)) return false
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
  if (loc.length > maxDepth) return { loc: loc.slice(0, 2), msg: tooDeep, type: 'value_error' }
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
