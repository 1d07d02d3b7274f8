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

/** A client mends a body once when it is told everything at once; nobody reads more than this. */
export const mostErrors = 200

/** Of a value that is judged as a whole, this many parts are looked at. */
const mostParts = 2_000
const longestKey = 200

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/** Compiled once for each schema. */
export function compileCheck(schema: TSchema): ReturnType<typeof Compile> {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = Compile(lengthFirst(schema))
  compiled.set(schema, made)
  return made
}

/**
 * The same schema, worded so that a list is counted before its items are read: TypeBox reads the items first, and a list
 * that is much too long has millions.
 */
function lengthFirst<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(lengthFirst) as Part // of the same length
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, lengthFirst(value)]))
  if (inner.type !== 'array' || inner.maxItems === undefined || inner.allOf !== undefined) return inner as Part // the same fields
  const { items, ...head } = inner
  return { ...head, allOf: [{ type: 'array', items }] } as Part // says the same of a value
}

/**
 * What is wrong with a value; nothing where it is right. TypeBox finds all errors by walking the whole value with an
 * interpreter, also where it is 10 MB. Here the compiled check passes over the items that are right, and the search ends
 * when there are enough errors.
 */
export function findSchemaErrors(schema: TSchema, value: unknown): SchemaError[] {
  const errors: SchemaError[] = []
  visit({ schema, value, instancePath: '', schemaPath: '#' }, errors)
  return errors.slice(0, mostErrors)
}

interface Place {
  schema: TSchema
  value: unknown
  instancePath: string
  schemaPath: string
}

/** Judges what is wrong or may be: of an object and of a list every part is asked in any case. */
function visit(place: Place, errors: SchemaError[]): void {
  const { schema, value } = place
  if (errors.length >= mostErrors) return
  const { properties, items, ...head } = schema as Shape
  const only = alternativeToNull(head.anyOf)
  if (only) {
    if (value !== null) visit({ ...place, schema: only }, errors)
  } else if (items && Array.isArray(value)) {
    judge({ ...place, schema: head as TSchema }, errors)
    visitItems(place, value, { items, most: head.maxItems }, errors)
  } else if (properties && !hasOtherFields(head)) {
    judge({ ...place, schema: head as TSchema }, errors)
    visitFields(place, properties, errors)
  } else if (!isRight(schema, value)) judgeExcerpt(place, errors)
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

/** Passes over the items that are right, as most are. Of a list that is too long, those are judged that it might have. */
function visitItems(
  { instancePath, schemaPath }: Place,
  list: unknown[],
  { items, most }: { items: TSchema; most: number | undefined },
  errors: SchemaError[],
): void {
  const check = compileCheck(items)
  const end = Math.min(list.length, most ?? list.length)
  for (let index = 0; index < end && errors.length < mostErrors; index += 1) {
    const value = list[index]
    if (check.Check(value)) continue
    visit({ schema: items, value, instancePath: `${instancePath}/${index}`, schemaPath: `${schemaPath}/items` }, errors)
  }
}

/** Asks TypeBox, and notes its errors as those of this place. */
function judge({ schema, value, instancePath, schemaPath }: Place, errors: SchemaError[]): void {
  for (const error of Errors(schema, value) as SchemaError[]) {
    errors.push({
      ...error,
      instancePath: instancePath + error.instancePath,
      schemaPath: schemaPath + error.schemaPath.slice(1),
    })
  }
}

/** Judges a value as a whole, such as one of several alternatives: as much of it as can be judged in no time. */
function judgeExcerpt(place: Place, errors: SchemaError[]): void {
  const { schema, value, instancePath, schemaPath } = place
  const { maxLength } = schema as Shape
  // Nothing else is worth knowing of a text that is too long, and a format would read it all.
  const isTooLong = typeof value === 'string' && maxLength !== undefined && value.length > 2 * maxLength
  const before = errors.length
  if (isTooLong) judge({ ...place, schema: { type: 'string', maxLength } as TSchema }, errors)
  else judge({ ...place, schema, value: excerptOf(value, { left: mostParts }) }, errors)
  if (errors.length === before) {
    errors.push({ keyword: 'excerpt', instancePath, schemaPath, params: {}, message: 'has parts that are not allowed' })
  }
}

/** The same value with fewer parts. What it has too many of, it still has too many of. */
function excerptOf(value: unknown, parts: { left: number }): unknown {
  parts.left -= 1
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, Math.max(0, parts.left)).map((item) => excerptOf(item, parts))
  const shown: Record<string, unknown> = {}
  for (const name in value) {
    if (parts.left <= 0) break
    const field = (value as Record<string, unknown>)[name]
    Object.defineProperty(shown, name.slice(0, longestKey), { value: excerptOf(field, parts), enumerable: true })
  }
  return shown
}

/** The schema of what may be null, which real clients send for nearly everything. */
function alternativeToNull(anyOf: TSchema[] | undefined): TSchema | undefined {
  const others = anyOf?.filter((schema) => (schema as Shape).type !== 'null') ?? []
  return others.length === 1 && anyOf?.length === 2 ? others[0] : undefined
}

function hasOtherFields({ patternProperties, additionalProperties }: Shape): boolean {
  return patternProperties !== undefined || typeof additionalProperties === 'object'
}

/** Compiled where it pays: what has parts may have many of them. */
function isRight(schema: TSchema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Check(schema, value)
  return compileCheck(schema).Check(value)
}

/** As in a JSON pointer. */
function encode(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
