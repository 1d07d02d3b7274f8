import { ApiError, type Problem } from '../../platform/foundation/errors.ts'
import { TooMuchJson } from '../../platform/foundation/json-limits.ts'
import { isRecord } from '../../platform/foundation/read-json.ts'
import { parseInstant } from '../../platform/foundation/schema.ts'
import { toStorableText } from '../../platform/foundation/storable-text.ts'
import { parseExactly } from './exact-json.ts'

export type Fields = Record<string, unknown>

/** The JSON object of a message; anything else is rejected. */
export function readObject(bytes: Buffer): Fields {
  try {
    const content = parseExactly(bytes.toString('utf8'))
    if (isFields(content)) return content
  } catch (error) {
    if (error instanceof TooMuchJson) throw rejection([{ loc: ['body'], msg: error.message, type: 'value_error' }])
    // Rejected below, like JSON that is not an object.
  }
  throw rejection([{ loc: ['body'], msg: 'must be a JSON object', type: 'type_error' }])
}

/** Rejects a message and lists every field that it lacks. */
export function requireFields(required: { loc: (string | number)[]; value: unknown }[]): void {
  const missing = required.filter(({ value }) => value === undefined)
  if (missing.length > 0) {
    throw rejection(
      missing.map(({ loc }) => ({ loc: ['body', ...loc], msg: 'field required', type: 'missing' as const })),
    )
  }
}

function rejection(problems: Problem[]): ApiError {
  const [first] = problems
  const where = first?.loc.slice(first.loc.length > 1 ? 1 : 0).join('.')
  return new ApiError('invalid_payload', `${where}: ${first?.msg}`, { problems })
}

export function isFields(value: unknown): value is Fields {
  return isRecord(value)
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The objects of a list. PHP serialises an array with gaps as an object, so the values of an object count too. */
export function listOf(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.filter(isFields)
  return isFields(value) ? Object.values(value).filter(isFields) : []
}

/** Text as it can be stored, cut to the maximum length; undefined if empty. */
export function textOf(value: unknown, maxLength = 1_000): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = toStorableText(String(value), maxLength).trim()
  return text === '' ? undefined : text
}

/** An id of the other system as text. Some systems write 0 for "none". */
export function idOf(value: unknown): string | undefined {
  return value === 0 || value === '0' ? undefined : textOf(value, 255)
}

/** An http(s) URL. A longer one is dropped, because a truncated URL leads nowhere. */
export function urlOf(value: unknown, maxLength = 4_096): string | undefined {
  if (typeof value !== 'string' || value.length > maxLength || !/^https?:\/\/[^\s/?#\0][^\s\0]*$/i.test(value)) {
    return undefined
  }
  return URL.canParse(value) ? textOf(value, maxLength) : undefined
}

/** An amount; most systems send it as text. */
export function amountOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined
  const amount = Number(value)
  return Number.isFinite(amount) && Math.abs(amount) <= 1e12 ? amount : undefined
}

export function quantityOf(value: unknown): number | undefined {
  const amount = amountOf(value)
  return amount === undefined ? undefined : Math.min(1_000_000, Math.max(0, Math.round(amount)))
}

export function instantOf(value: unknown): Date | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined
}

/** Seconds since 1970, as a number or as text. */
export function unixInstant(value: unknown): Date | undefined {
  const seconds = Number(textOf(value) ?? Number.NaN)
  return seconds > 0 && seconds < 4e9 ? new Date(Math.round(seconds * 1_000)) : undefined
}

export function isoOf(value: unknown): string | undefined {
  return instantOf(value)?.toISOString()
}

export function currencyOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.toUpperCase() : ''
  return /^[A-Z]{3}$/.test(text) ? text : undefined
}

/** The parts of a name, separated by spaces. */
export function joined(...parts: unknown[]): string | undefined {
  return textOf(
    parts
      .map((part) => textOf(part))
      .filter(Boolean)
      .join(' '),
  )
}

/** Drops fields without a value, so that they do not overwrite what is known. */
export function given<Value extends object>(
  fields: Value,
): { [Name in keyof Value]?: Exclude<Value[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Value]?: Exclude<Value[Name], undefined>
  } // the same fields, except those without a value
}

/** The scalar fields of the system's own order, as sources for mapping rules of the type `field`. */
export function plainFields(order: Fields): { type: string; key: string; value: string }[] {
  return Object.entries(order).flatMap(([key, value]) => {
    const text = textOf(value, 10_000)
    return text === undefined ? [] : [{ type: 'field', key, value: text }]
  })
}

export function header(headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
