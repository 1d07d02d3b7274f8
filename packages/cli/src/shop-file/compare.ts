import { alternativeFor, type Schema } from './schema.ts'
import { instantOf } from './validate.ts'

export type Json = Record<string, unknown>

/** One field that has to change. */
export interface FieldChange {
  /** `quiet_hours.from` */
  field: string
  from: unknown
  to: unknown
}

/** The fields in which a shop differs from what a file says. Fields that the file leaves out are not compared. */
export function differences(
  schema: Schema,
  desired: unknown,
  current: unknown,
  path: readonly string[] = [],
): FieldChange[] {
  if (isObject(desired) && (isObject(current) || current === undefined || current === null)) {
    return Object.entries(desired).flatMap(([name, value]) =>
      differences(fieldOf(schema, desired, name), value, (current as Json | undefined)?.[name], [...path, name]),
    )
  }
  const [from, to] = [canonical(schema, current), canonical(schema, desired)]
  return isSame(from, to) ? [] : [{ field: path.join('.'), from: from ?? null, to: to ?? null }]
}

/** The current value with the file's on top: maps field by field, anything else as a whole. */
export function overlay(schema: Schema, current: unknown, desired: unknown): unknown {
  if (!isObject(desired)) return desired === undefined ? current : desired
  const known = isObject(current) ? pick(schema, current) : {}
  const names = [...new Set([...Object.keys(known as Json), ...Object.keys(desired)])]
  return Object.fromEntries(
    names.map((name) => [name, overlay(fieldOf(schema, desired, name), (known as Json)[name], desired[name])]),
  )
}

/** The part of a reply that the schema of the file has. */
export function pick(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(schema.items ?? {}, item))
  if (!isObject(value)) return value
  const chosen = alternativeFor(schema, value, value.type)
  if (!chosen.properties) return value
  const names = Object.keys(chosen.properties).filter((name) => value[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, pick(fieldOf(schema, value, name), value[name])]))
}

/** In one spelling: without fields that the file cannot have or that are null, and with times in UTC. */
function canonical(schema: Schema, value: unknown): unknown {
  const chosen = alternativeFor(schema, value, isObject(value) ? value.type : undefined)
  if (Array.isArray(value)) return value.map((item) => canonical(chosen.items ?? {}, item))
  if (isObject(value)) {
    const fields = Object.entries(pick(chosen, value) as Json)
      .filter(([, each]) => each !== null && each !== undefined)
      .map(([name, each]) => [name, canonical(fieldOf(chosen, value, name), each)])
    return Object.fromEntries(fields)
  }
  return typeof value === 'string' && chosen.format === 'date-time' ? (instantOf(value) ?? value) : value
}

function fieldOf(schema: Schema, owner: Json, name: string): Schema {
  return alternativeFor(schema, owner, owner.type).properties?.[name] ?? {}
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if ((one ?? null) === null || (other ?? null) === null) return (one ?? null) === (other ?? null)
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSame(one[name], other[name]))
}
