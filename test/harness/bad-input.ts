import fc from 'fast-check'
import { exampleOf } from '../../src/http/example.ts'
import type { TSchema } from '../../src/platform/foundation/schema.ts'

interface Node {
  type?: string
  format?: string
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

/**
 * Values that are close to a schema. Half of them are valid, so that they get past validation. In the others, most
 * parts are valid, and any part may be missing, null or of another type.
 */
export function nearly(schema: TSchema): fc.Arbitrary<unknown> {
  const node = schema as Node
  return fc.boolean().chain((isClean) => nearlyNode(node, 0, isClean))
}

/** The same for a query, whose values are text. */
export function nearlyQuery(schema: TSchema): fc.Arbitrary<Record<string, string>> {
  const { properties = {}, required = [] } = schema as Node
  return fc.boolean().chain((isClean) => {
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, nearlyNode(field, 1, isClean).map(asText)] as const,
    )
    return fc.record(Object.fromEntries(fields), { requiredKeys: isClean ? required : [] })
  }) as fc.Arbitrary<Record<string, string>> // asText converts every value to text
}

/** Text for a path parameter, valid or arbitrary. Never empty, because that is another route. */
export function nearlyPathText(schema: TSchema): fc.Arbitrary<string> {
  const { format, enum: values, examples } = schema as Node
  const fitting = values ?? examples ?? ['text']
  return fc
    .oneof(
      { weight: 4, arbitrary: format === 'uuid' ? fc.uuid() : fc.constantFrom(...fitting.map(String)) },
      { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }) },
    )
    .filter((text) => text !== '' && text !== '.' && text !== '..')
}

const awkwardTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'null',
  '0',
  '-1',
  '%',
  "'; drop table shops; --",
  '../../etc/passwd',
  '💥'.repeat(50),
  'x'.repeat(5_000),
  '2026-02-30',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00+14:00',
  'https://',
  'a@b',
]
const awkwardNumbers = [0, -0, -1, 0.1, 1e15, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324]

const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: { b: null } }),
  fc.constantFrom(...awkwardTexts),
  fc.constantFrom(...awkwardNumbers),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 2 }),
)

function nearlyNode(node: Node, depth: number, isClean: boolean): fc.Arbitrary<unknown> {
  if (isClean) return fitting(node, depth, isClean)
  return fc.oneof(
    { weight: depth === 0 ? 15 : 9, arbitrary: fitting(node, depth, isClean) },
    { weight: 1, arbitrary: garbage },
  )
}

function fitting(node: Node, depth: number, isClean: boolean): fc.Arbitrary<unknown> {
  if (node.const !== undefined) return fc.constant(node.const)
  if (node.enum) return fc.constantFrom(...node.enum)
  const alternatives = node.anyOf ?? node.oneOf
  if (alternatives) return fc.oneof(...alternatives.map((option) => nearlyNode(option, depth, isClean)))
  if (node.allOf)
    return fc
      .tuple(...node.allOf.map((part) => fitting(part, depth, isClean)))
      .map((parts) => Object.assign({}, ...parts))
  switch (node.type) {
    case 'object':
      return fields(node, depth, isClean)
    case 'array':
      return items(node, depth, isClean)
    case 'integer':
      return fc.integer({ min: whole(node.minimum, -1_000), max: whole(node.maximum, 100_000) })
    case 'number':
      return fc.double({ min: node.minimum ?? -1_000, max: node.maximum ?? 100_000, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'string':
      return text(node, isClean)
    case 'null':
      return fc.constant(null)
    default:
      return garbage
  }
}

function whole(limit: number | undefined, otherwise: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.ceil(limit ?? otherwise)))
}

function fields(node: Node, depth: number, isClean: boolean): fc.Arbitrary<unknown> {
  const known = Object.entries(node.properties ?? {}).map(
    ([name, field]) => [name, nearlyNode(field, depth + 1, isClean)] as const,
  )
  const record = fc.record(Object.fromEntries(known), { requiredKeys: node.required ?? [] })
  if (isClean) return record.map((value) => ({ ...value, unknown_field: 'is ignored' }))
  const missing = sometimes(fc.constantFrom(...(node.required ?? ['none'])))
  const extra = sometimes(fc.dictionary(fc.string({ unit: 'binary', maxLength: 8 }), garbage, { maxKeys: 2 }))
  return fc.tuple(record, missing, extra).map(([value, absent, more]) => {
    const made: Record<string, unknown> = { ...more, ...value }
    if (absent !== undefined) delete made[absent]
    return made
  })
}

function sometimes<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
}

function items(node: Node, depth: number, isClean: boolean): fc.Arbitrary<unknown> {
  return fc.array(node.items ? nearlyNode(node.items, depth + 1, isClean) : garbage, {
    minLength: node.minItems ?? 0,
    maxLength: Math.max(node.minItems ?? 0, Math.min(depth > 3 ? 2 : 4, node.maxItems ?? 4)),
  })
}

function text(node: Node, isClean: boolean): fc.Arbitrary<unknown> {
  const examples = node.examples ?? []
  if (node.format === 'uuid') return fc.uuid()
  if (node.format === 'date-time') {
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString())
  }
  // A value for a pattern or a format cannot be generated: the schema's own example is used.
  if (isClean && (node.pattern !== undefined || node.format !== undefined))
    return fc.constant(exampleOf(node as TSchema))
  const any = fc.string({
    unit: 'grapheme',
    minLength: node.minLength ?? 0,
    maxLength: Math.max(node.minLength ?? 0, Math.min(node.maxLength ?? 20, 20)),
  })
  return fc.oneof({ weight: 1, arbitrary: any }, { weight: 1, arbitrary: fc.constantFrom(...examples, 'text') })
}

function asText(value: unknown): string {
  return typeof value === 'string' ? wellFormed(value) : JSON.stringify(value)
}

/** Halves of surrogate pairs cannot be written in an address. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}
