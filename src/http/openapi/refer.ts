import type { TSchema } from '../../platform/foundation/schema.ts'

export type Json = Record<string, unknown>

/** A schema as the description shows it: each named schema becomes a component and a reference to it. */
export function refer(schema: TSchema, schemas: Record<string, Json>, isInline = false): Json {
  const { title } = schema as { title?: string }
  // Known with all that it contains: the schema of all payloads takes 5 ms, for each of 160 events.
  if (title !== undefined && title in schemas && !isInline) return referTo(title)
  const plain = JSON.parse(JSON.stringify(schema)) as Json
  return referPlain(plain, schemas, isInline)
}

function referPlain(schema: Json, schemas: Record<string, Json>, isInline: boolean): Json {
  const {
    title,
    'x-page': _page,
    'x-empty': _empty,
    'x-bytes': _bytes,
    'x-stream': _stream,
    'x-droppable': _droppable,
    'x-spelling': _spelling,
    ...rest
  } = schema
  const inner: Json = {}
  // "Anything or null" is anything.
  if (Array.isArray(rest.anyOf) && rest.anyOf.some((option: Json) => Object.keys(option).length === 0))
    delete rest.anyOf
  for (const [key, value] of Object.entries(rest)) inner[key] = referInside(key, value, schemas)
  if (typeof title !== 'string' || isInline) return inner
  schemas[title] ??= inner
  return referTo(title)
}

function referTo(title: string): Json {
  return { $ref: `#/components/schemas/${title}` }
}

function referInside(key: string, value: unknown, schemas: Record<string, Json>): unknown {
  if (key === 'properties' || key === 'patternProperties') {
    const fields = Object.entries(value as Record<string, Json>)
    return Object.fromEntries(fields.map(([name, field]) => [name, referPlain(field, schemas, false)]))
  }
  if (key === 'anyOf' || key === 'allOf' || key === 'oneOf') {
    return (value as Json[]).map((option) => referPlain(option, schemas, false))
  }
  if ((key === 'items' || key === 'additionalProperties') && typeof value === 'object' && value !== null) {
    return referPlain(value as Json, schemas, false)
  }
  return value
}
