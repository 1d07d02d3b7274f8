import type { TSchema } from '../foundation/schema.ts'

interface SchemaNode {
  type?: string
  examples?: unknown[]
  default?: unknown
  enum?: unknown[]
  const?: unknown
  anyOf?: SchemaNode[]
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  minimum?: number
  minItems?: number
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
  if (node.anyOf) return exampleOfNode(node.anyOf[0] ?? {})
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([name, field]) => [name, exampleOfNode(field)]),
      )
    case 'array':
      return node.items ? [exampleOfNode(node.items)] : []
    case 'integer':
    case 'number':
      return node.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return 'text'
    default:
      return null
  }
}
