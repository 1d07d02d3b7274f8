import { Compile } from 'typebox/compile'
import { Check, Errors } from 'typebox/value'
import type { TSchema } from './schema.ts'

export interface SchemaError {
  keyword: string
  instancePath: string
  schemaPath: string
  params: object
  message: string
}

interface Shape {
  type?: string
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  maxItems?: number
  maxLength?: number
  anyOf?: TSchema[]
  patternProperties?: unknown
  additionalProperties?: unknown
}

/** Enough to correct a body in one go; more would not be read. */
export const maxErrors = 200

/** How many parts of a value are checked if it is checked as a whole. */
const maxParts = 2_000
const maxKeyLength = 200

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/** Compiled once for each schema. */
export function compileCheck(schema: TSchema): ReturnType<typeof Compile> {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const check = Compile(lengthFirst(schema))
  compiled.set(schema, check)
  return check
}

/**
 * The same schema, rewritten so that the length of a list is checked before its items: TypeBox checks the items first,
 * and a list that is much too long may have millions.
 */
function lengthFirst<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(lengthFirst) as Part // of the same length
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, lengthFirst(value)]))
  if (inner.type !== 'array' || inner.maxItems === undefined || inner.allOf !== undefined) return inner as Part // the same fields
  const { items, ...head } = inner
  return { ...head, allOf: [{ type: 'array', items }] } as Part // an equivalent schema
}

/**
 * The errors of a value; empty if it is valid. TypeBox interprets the schema over the whole value, even one of 10 MB. Here
 * the compiled check skips valid items, and the search ends when there are enough errors.
 */
export function findSchemaErrors(schema: TSchema, value: unknown): SchemaError[] {
  const errors: SchemaError[] = []
  visit({ schema, value, instancePath: '', schemaPath: '#' }, errors)
  return errors.slice(0, maxErrors)
}

interface Place {
  schema: TSchema
  value: unknown
  instancePath: string
  schemaPath: string
}

/** Adds the errors of a place: of an object or a list part by part, of anything else as a whole. */
function visit(place: Place, errors: SchemaError[]): void {
  const { schema, value } = place
  if (errors.length >= maxErrors) return
  const { properties, items, ...head } = schema as Shape
  const only = alternativeToNull(head.anyOf)
  if (only) {
    if (value !== null) visit({ ...place, schema: only }, errors)
  } else if (items && Array.isArray(value)) {
    addErrors({ ...place, schema: head as TSchema }, errors)
    visitItems(place, value, { items, most: head.maxItems }, errors)
  } else if (properties && !hasOtherFields(head)) {
    addErrors({ ...place, schema: head as TSchema }, errors)
    visitFields(place, properties, errors)
  } else if (!isValid(schema, value)) addExcerptErrors(place, errors)
}

function visitFields(place: Place, properties: Record<string, TSchema>, errors: SchemaError[]): void {
  const { value, instancePath, schemaPath } = place
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, schema] of Object.entries(properties)) {
    const field = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    if (field === undefined) continue
    const step = encode(name)
    const path = `${schemaPath}/properties/${step}`
    visit({ schema, value: field, instancePath: `${instancePath}/${step}`, schemaPath: path }, errors)
  }
}

/** Skips valid items, as most are. Of a list that is too long, only as many as are allowed are checked. */
function visitItems(
  { instancePath, schemaPath }: Place,
  list: unknown[],
  { items, most }: { items: TSchema; most: number | undefined },
  errors: SchemaError[],
): void {
  const check = compileCheck(items)
  const end = Math.min(list.length, most ?? list.length)
  for (let index = 0; index < end && errors.length < maxErrors; index += 1) {
    const value = list[index]
    if (check.Check(value)) continue
    visit({ schema: items, value, instancePath: `${instancePath}/${index}`, schemaPath: `${schemaPath}/items` }, errors)
  }
}

/** Adds the errors that TypeBox finds, with paths from the root. */
function addErrors({ schema, value, instancePath, schemaPath }: Place, errors: SchemaError[]): void {
  for (const error of Errors(schema, value) as SchemaError[]) {
    errors.push({
      ...error,
      instancePath: instancePath + error.instancePath,
      schemaPath: schemaPath + error.schemaPath.slice(1),
    })
  }
}

/** Checks a value as a whole, such as one of several alternatives; of a large one only an excerpt. */
function addExcerptErrors(place: Place, errors: SchemaError[]): void {
  const { schema, value, instancePath, schemaPath } = place
  const { maxLength } = schema as Shape
  // For a text that is much too long the length is enough; a format check would read all of it.
  const isTooLong = typeof value === 'string' && maxLength !== undefined && value.length > 2 * maxLength
  const before = errors.length
  if (isTooLong) addErrors({ ...place, schema: { type: 'string', maxLength } as TSchema }, errors)
  else addErrors({ ...place, schema, value: excerptOf(value, { remaining: maxParts }) }, errors)
  if (errors.length === before) {
    errors.push({ keyword: 'excerpt', instancePath, schemaPath, params: {}, message: 'has parts that are not allowed' })
  }
}

/** The same value with fewer parts, but still too many where it had too many. */
function excerptOf(value: unknown, parts: { remaining: number }): unknown {
  parts.remaining -= 1
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, Math.max(0, parts.remaining)).map((item) => excerptOf(item, parts))
  const shown: Record<string, unknown> = {}
  for (const name in value) {
    if (parts.remaining <= 0) break
    const field = (value as Record<string, unknown>)[name]
    Object.defineProperty(shown, name.slice(0, maxKeyLength), { value: excerptOf(field, parts), enumerable: true })
  }
  return shown
}

/** The other schema of a nullable one. Real clients send null for nearly everything. */
function alternativeToNull(anyOf: TSchema[] | undefined): TSchema | undefined {
  const others = anyOf?.filter((schema) => (schema as Shape).type !== 'null') ?? []
  return others.length === 1 && anyOf?.length === 2 ? others[0] : undefined
}

function hasOtherFields({ patternProperties, additionalProperties }: Shape): boolean {
  return patternProperties !== undefined || typeof additionalProperties === 'object'
}

/** Compiled only for objects and lists, which may have many parts. */
function isValid(schema: TSchema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Check(schema, value)
  return compileCheck(schema).Check(value)
}

/** As in a JSON pointer. */
function encode(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
