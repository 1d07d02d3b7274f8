import { parseInstant, type TSchema } from './schema.ts'

interface Node {
  type?: string
  format?: string
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  /** Fields that the schema does not name are copied too. */
  'x-open'?: boolean
}

/**
 * Creates a function that copies a valid value with only the fields its schema knows, and without nulls: clients send
 * null for what they do not know. Times are copied as ISO 8601 in UTC.
 */
export function createKnownFields<Value>(schema: TSchema): (value: Value) => Value {
  return copier(schema as Node) as (value: Value) => Value
}

type Copy = (value: unknown) => unknown

function copier(node: Node): Copy {
  if (node.anyOf) {
    const inner = node.anyOf.find((option) => option.properties !== undefined || option.items !== undefined)
    if (inner === undefined) return node.anyOf.some(isTime) ? copyTime : (value) => value
    const copy = copier(inner)
    return (value) => (typeof value === 'object' && value !== null ? copy(value) : value)
  }
  if (node.items) {
    const copy = copier(node.items)
    return (value) => (value as unknown[]).map(copy) // valid, so an array
  }
  if (!node.properties) return isTime(node) ? copyTime : (value) => value
  const fields = Object.entries(node.properties).map(([name, field]): [string, Copy] => [name, copier(field)])
  return (value) => {
    const known: Record<string, unknown> = node['x-open'] ? withoutNulls(value as Record<string, unknown>) : {} // valid, so an object
    for (const [name, copy] of fields) {
      const given = (value as Record<string, unknown>)[name]
      if (given !== undefined && given !== null) known[name] = copy(given)
    }
    return known
  }
}

function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  // Not by assignment: a field may be called __proto__.
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
}

function isTime({ format }: Node): boolean {
  return format === 'date-time'
}

function copyTime(value: unknown): unknown {
  return typeof value === 'string' ? (parseInstant(value)?.toISOString() ?? value) : value
}
