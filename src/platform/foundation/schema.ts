import { domainToASCII } from 'node:url'
import Type, { type Static, type TObject, type TSchema, type TString } from 'typebox'
import { Format } from 'typebox/format'
import { languages } from './languages.ts'

export type { Static, TObject, TSchema, TString }
export { Type }

/** Or null. Real clients send nulls for what they do not know. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** May be absent or null. */
export function Maybe<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

export function OneOf<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })
}

/** Several of these values, separated by commas. */
export function SeveralOf(values: readonly string[]) {
  const one = `(?:${values.join('|')})`
  return Type.String({
    pattern: `^${one}(?:,${one})*$`,
    maxLength: 300,
    description: `One or several, separated by commas: ${values.join(', ')}`,
    examples: [values.slice(0, 2).join(',')],
  })
}

/**
 * An invalid part of a request is dropped with a warning, and the request continues without it. With `beside others`, items
 * of a list are only dropped if at least one of them is valid.
 */
export function Droppable<Schema extends TSchema>(schema: Schema, rule: 'always' | 'beside others' = 'always'): Schema {
  return { ...schema, 'x-droppable': rule }
}

/** A schema with a name of its own: a component of the API description, referenced everywhere. */
export function Named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return { ...schema, title: name }
}

export const Uuid = Type.String({ format: 'uuid', maxLength: 36, examples: ['0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'] })
export const DateTime = Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-01T09:30:00.000Z'] })
export const Url = Type.String({ format: 'uri', minLength: 1, maxLength: 2048, examples: ['https://shop.example'] })
export const WebAddress = Type.String({ format: 'uri', minLength: 1, maxLength: 4_096, 'x-spelling': 'web-address' })
/** An optional address of an order or a product: an invalid one is dropped. */
export const Link = Droppable(WebAddress)
export const LanguageCode = OneOf(languages, { examples: ['en'], 'x-spelling': 'language' })
export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  examples: ['EUR'],
  description: 'ISO 4217',
  'x-spelling': 'currency',
})

/** The reply of an operation that returns JSON `null`. */
export const NullReply = Type.Null()

/** The reply of an operation that returns 200 without a body. */
export const EmptyReply = Type.Unsafe<undefined>({ 'x-empty': true })

export function isEmptyReply(schema: TSchema): boolean {
  return (schema as { 'x-empty'?: boolean })['x-empty'] === true
}

/** The reply of an operation that returns bytes; the handler sets their exact media type in the headers. */
export function BytesReply(mediaType: string, example?: string) {
  return Type.Unsafe<Uint8Array>({ 'x-bytes': mediaType, ...(example ? { examples: [example] } : {}) })
}

/** The reply of an operation that streams text or bytes of any length; its headers name the type. */
export function StreamReply(mediaType: string, example: string) {
  return Type.Unsafe<AsyncIterable<string | Uint8Array>>({
    'x-bytes': mediaType,
    'x-stream': true,
    examples: [example],
  })
}

export function isStreamReply(schema: TSchema): boolean {
  return (schema as { 'x-stream'?: boolean })['x-stream'] === true
}

export function isBytesReply(schema: TSchema): boolean {
  return mediaTypeOf(schema) !== undefined
}

/** Of a reply that is not JSON. */
export function mediaTypeOf(schema: TSchema): string | undefined {
  return (schema as { 'x-bytes'?: string })['x-bytes']
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?([Zz]|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?$/

/**
 * Reads an ISO 8601 date or date-time; without an offset it counts as UTC. Undefined if it is invalid:
 * the 30th of February, hour 25, or a year PostgreSQL and JavaScript would disagree about.
 */
export function parseInstant(text: string): Date | undefined {
  const match = isoPattern.exec(text)
  if (!match) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', offset = 'Z'] = match
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(year) < 1 || Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > daysInMonth) {
    return undefined
  }
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined
  const fraction = /[.,](\d{1,9})/.exec(text)?.[1]?.slice(0, 3).padEnd(3, '0') ?? '000'
  const leap = second === '60' ? '59' : second
  const digits = offset.replace(':', '').toUpperCase()
  const zone = digits === 'Z' ? 'Z' : `${digits.slice(0, 3)}:${digits.slice(3, 5).padEnd(2, '0')}`
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:${leap}.${fraction}${zone}`)
  // The offset may move a time out of the years that both can read.
  const isReadable = instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999
  return isReadable ? instant : undefined
}

/** The instant of a text that a schema has accepted as a date-time. */
export function instant(text: string): Date {
  const parsed = parseInstant(text)
  if (parsed === undefined) throw new Error(`not a date-time: ${text}`)
  return parsed
}

/** An address in any script: one `@` between a name without blanks and a host name that has an ASCII form. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [name, host] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || Buffer.byteLength(name) > 64 || name.includes('@') || /[\s\p{Cc}]/u.test(text)) return false
  const ascii = domainToASCII(host)
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(ascii) && !ascii.split('.').some(isBadLabel)
}

function isBadLabel(label: string): boolean {
  return label.length > 63 || label.startsWith('-') || label.endsWith('-')
}

/** The usual form of a time, on a day that every month has: valid without creating a Date. */
const plainInstant =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/

/** The usual form of an address, without IP, port or other scripts: recognised in a third of the time. */
const plainAddress = /^https?:\/\/(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.)+[a-z]+(?:\/[\w!$%&'()*+,./:;=?@~-]*)?$/

const webAddress = /^https?:\/\/[^\s/?#]\S*$/i

// Clients send dates and offset-less times as well; both are ISO 8601, so both are accepted.
Format.Set('date-time', (text) => plainInstant.test(text) || parseInstant(text) !== undefined)
Format.Set('email', isEmail)
Format.Set('uri', (text) => plainAddress.test(text) || (webAddress.test(text) && URL.canParse(text)))
