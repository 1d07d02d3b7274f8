import type { Problem } from '../foundation/errors.ts'

/** Deeper than anything meant: what reads the body recursively, PostgreSQL included, must not run out of stack. */
const maxDepth = 100

/** Where it takes longer to find, the caller is told what is wrong and not where. */
const mostSearched = 100_000

const unstorableText = 'must not contain U+0000 or half a surrogate pair'
const tooDeep = `must not be nested more than ${maxDepth} deep`

/** Text with U+0000 or half a surrogate pair is valid JSON that PostgreSQL cannot keep. */
export function findUnstorable(value: unknown, part: string, hasStorableTexts: boolean): Problem | undefined {
  // Nearly everything can be kept: where it lies is only noted on a second way, for what cannot.
  if (hasStorableTexts ? isShallow(value, 1) : isStorable(value, 1)) return undefined
  const search = { left: mostSearched }
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

/** The same where the texts are known to be right. Only lists and objects are read: a quarter of the time. */
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

/** Notes the way to it in `loc`, which is the same list all along: a copy for each value would take longer than parsing. */
function findProblem(value: unknown, loc: (string | number)[], search: { left: number }): Problem | undefined {
  search.left -= 1
  if (typeof value === 'string') {
    return isStorableText(value) ? undefined : { loc: [...loc], msg: unstorableText, type: 'value_error' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (loc.length > maxDepth) return { loc: loc.slice(0, 2), msg: tooDeep, type: 'value_error' }
  const isList = Array.isArray(value)
  const end = isList ? value.length : 0
  for (let index = 0; index < end && search.left > 0; index += 1) {
    const problem = findInside((value as unknown[])[index], index, loc, search) // a list, as it has a length
    if (problem) return problem
  }
  if (isList) return undefined
  for (const key in value) {
    if (search.left <= 0) return undefined
    const found = findInside((value as Record<string, unknown>)[key], key, loc, search) ?? findProblem(key, loc, search)
    if (found) return found
  }
  return undefined
}

function findInside(inner: unknown, step: string | number, loc: (string | number)[], search: { left: number }) {
  loc.push(step)
  const problem = findProblem(inner, loc, search)
  loc.pop()
  return problem
}

function isStorableText(text: string): boolean {
  return !text.includes('\0') && isWellFormed(text)
}

function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed() // in Node since 20, in the types since ES2024
}
