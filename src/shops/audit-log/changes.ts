import { maskSecrets } from './mask.ts'

/** The fields that a change has changed. A nested field is named by its path: `address.city`. */
export type Changes = Record<string, { before: unknown; after: unknown }>

/** Shown instead of a value that may be a customer's data. */
const personalValue = '[personal data]'

const maxFields = 60
/** Characters of a text, or of another value as JSON. */
const maxValueLength = 500
const maxDepth = 4

/** Ids and times that say nothing about a change. */
const bookkeeping = new Set(['uuid', 'id', 'shop_id', 'shop_slug', 'created_at', 'updated_at'])

/**
 * The fields that differ between two states of a record: all of them if it is new or gone. Compared before they are
 * masked, so that a new secret shows as a change; bounded, so that no record makes an entry large.
 */
export function changesBetween(
  before: object | undefined,
  after: object | undefined,
  personal: readonly string[] = [],
): Changes {
  const [old, next] = [fieldsOf(before), fieldsOf(after)]
  const changes: Changes = {}
  for (const field of new Set([...old.keys(), ...next.keys()])) {
    const [was, is] = [old.get(field) ?? null, next.get(field) ?? null]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    if (Object.keys(changes).length === maxFields) {
      changes['…'] = { before: null, after: 'more fields have changed' }
      break
    }
    const show = isPersonal(field, personal) ? hidePersonal : (value: unknown) => shown(field, value)
    changes[field] = { before: show(was), after: show(is) }
  }
  return changes
}

/** The fields of a record by their paths, without those that are bookkeeping. */
function fieldsOf(record: object | undefined): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  if (record) flatten(record, '', 1, fields)
  return fields
}

function flatten(record: object, prefix: string, depth: number, fields: Map<string, unknown>): void {
  for (const [name, value] of Object.entries(record)) {
    if (depth === 1 && bookkeeping.has(name)) continue
    const path = `${prefix}${name}`
    if (isPlainObject(value) && depth < maxDepth) flatten(value, `${path}.`, depth + 1, fields)
    else if (value !== undefined) fields.set(path, Buffer.isBuffer(value) ? value.toString('base64') : value)
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function isPersonal(field: string, personal: readonly string[]): boolean {
  return personal.some((name) => field === name || field.startsWith(`${name}.`))
}

function hidePersonal(value: unknown): unknown {
  return value === null ? null : personalValue
}

/** A value without secrets, cut if it is long. */
function shown(field: string, value: unknown): unknown {
  const masked = maskSecrets(field, value)
  const text = typeof masked === 'string' ? masked : (JSON.stringify(masked) ?? 'null')
  if (text.length <= maxValueLength) return masked
  // By code point: half a surrogate pair cannot be stored.
  return `${[...text.slice(0, 2 * maxValueLength)].slice(0, maxValueLength).join('')}…`
}
