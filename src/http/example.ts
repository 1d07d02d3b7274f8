import type { TSchema } from '../platform/foundation/schema.ts'

interface SchemaNode {
  type?: string
  format?: string
  examples?: unknown[]
  default?: unknown
  enum?: unknown[]
  const?: unknown
  anyOf?: SchemaNode[]
  oneOf?: SchemaNode[]
  allOf?: SchemaNode[]
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  minLength?: number
  maxLength?: number
}

/** An example that fits the schema, put together from the examples, defaults and enumerations inside it. */
export function exampleOf(schema: TSchema): unknown {
  return exampleOfNode(schema as SchemaNode)
}

function exampleOfNode(node: SchemaNode): unknown {
  if (node.examples?.length) return node.examples[0]
  if (node.default !== undefined) return node.default
  if (node.const !== undefined) return node.const
  if (node.enum?.length) return node.enum[0]
  const alternatives = node.anyOf ?? node.oneOf
  if (alternatives) return exampleOfNode(alternatives.find((option) => option.type !== 'null') ?? { type: 'null' })
  if (node.allOf) return Object.assign({}, ...node.allOf.map(exampleOfNode), exampleOfFields(node))
  switch (node.type) {
    case 'object':
      return exampleOfFields(node)
    case 'array':
      return exampleOfItems(node)
    case 'integer':
    case 'number':
      return exampleOfNumber(node)
    case 'boolean':
      return true
    case 'string':
      return exampleOfText(node)
    default:
      return null
  }
}

function exampleOfFields(node: SchemaNode): Record<string, unknown> {
  const fields = Object.entries(node.properties ?? {})
  // A field that declares no examples is not part of the usual case.
  const usual = fields.filter(([, field]) => field.examples?.length !== 0)
  return Object.fromEntries(usual.map(([name, field]) => [name, exampleOfNode(field)]))
}

function exampleOfItems(node: SchemaNode): unknown[] {
  const { items } = node
  if (items === undefined) return []
  return Array.from({ length: Math.max(1, node.minItems ?? 1) }, () => exampleOfNode(items))
}

function exampleOfNumber(node: SchemaNode): number {
  const least = node.minimum ?? (node.exclusiveMinimum === undefined ? undefined : node.exclusiveMinimum + 1)
  return least ?? Math.min(1, node.maximum ?? 1)
}

const textOfFormat: Record<string, string> = {
  uuid: '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d',
  'date-time': '2026-11-01T09:30:00.000Z',
  date: '2026-11-01',
  uri: 'https://shop.example',
  email: 'ada@customer.example',
}

/** No example can be derived from a pattern: a schema that has one must have its own. */
function exampleOfText(node: SchemaNode): string {
  const text = textOfFormat[node.format ?? ''] ?? 'text'
  return text.padEnd(node.minLength ?? 0, 'x').slice(0, node.maxLength)
}
