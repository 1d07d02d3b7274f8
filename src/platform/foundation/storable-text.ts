import { parseBounded } from './json-limits.ts'

/*
 * PostgreSQL stores neither U+0000 nor half a surrogate pair. JSON may contain both, and cutting a text may split a pair.
 * One such text makes a whole statement fail, with everything that others have in it. Requests with one are rejected;
 * data of another system are stored without it.
 */

export function isStorableText(text: string): boolean {
  return !text.includes('\0') && (text as WellFormed).isWellFormed()
}

/** The text as it can be stored: without U+0000, with U+FFFD for half a pair, cut to a length without splitting a pair. */
export function toStorableText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  return (cutText(text.replaceAll('\0', ''), maxLength) as WellFormed).toWellFormed()
}

/** The beginning of a text, at most so long. A pair that would be split is left out. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const isSplit = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff
  return text.slice(0, isSplit ? maxLength - 1 : maxLength)
}

/** U+0000, a high surrogate without a low one after it, or a low one without a high one before it. */
const unstorableEscape = /\\u(?:0000|[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])|[c-fC-F](?<!\\u[dD][89abAB]..\\u[dD].)))/

/**
 * Whether all texts in a JSON text can be stored. False: not known. JSON can contain what cannot only as an escape.
 * Searching 10 MB for it takes 5 ms; visiting all values takes 37 to 107 ms. After an escaped backslash, `u` does not begin
 * an escape, so a text with `\\u` counts as not known.
 */
export function hasStorableTexts(json: string): boolean {
  return !json.includes('\\\\u') && !unstorableEscape.test(json)
}

/** Parses JSON of another system, so that its texts can be stored. Throws if it is no JSON, or exceeds a limit. */
export function parseStorable(json: string): unknown {
  const value = parseBounded(json)
  return hasStorableTexts(json) ? value : toStorable(value)
}

/** JSON of a value, as it can be stored. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value)
  return hasStorableTexts(json) ? json : JSON.stringify(toStorable(JSON.parse(json)))
}

function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toStorable)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorableText(key), toStorable(inner)]))
}

/** In Node since 20, in the types since ES2024. */
type WellFormed = string & { isWellFormed(): boolean; toWellFormed(): string }
