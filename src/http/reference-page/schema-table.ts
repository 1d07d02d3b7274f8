import { type Html, html } from '../../platform/foundation/html.ts'
import type { ApiDescription } from '../openapi.ts'
import { inline } from './prose.ts'

/** A schema of the API description. */
export interface SchemaNode {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  anyOf?: SchemaNode[]
  oneOf?: SchemaNode[]
  allOf?: SchemaNode[]
  properties?: Record<string, SchemaNode>
  patternProperties?: Record<string, SchemaNode>
  additionalProperties?: SchemaNode | boolean
  required?: string[]
  items?: SchemaNode
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

type Schemas = ApiDescription['components']['schemas']

interface Field {
  path: string
  name: string
  node: SchemaNode
  isRequired: boolean
}

/** Past this depth a field is shown by the name of its type alone. */
const maxDepth = 6

/** In a request, required fields are marked; in a response, optional ones. */
type Side = 'request' | 'response'

/** The fields of a schema, nested ones by their path: one table that reads from top to bottom. */
export function schemaTable(schema: SchemaNode, schemas: Schemas, side: Side): Html {
  const fields = fieldsOf(schema, schemas)
  if (fields.length === 0) {
    return html`<p class="whole">${describeValue(schema, schemas)}</p>`
  }
  const rows = fields.map(({ path, name, node, isRequired }) =>
    fieldRow(
      html`${path ? html`<span class="path">${breakable(path)}</span>` : undefined}${breakable(name)}`,
      node,
      schemas,
      side === 'request' ? requiredMark(isRequired) : isRequired ? [] : [html`may be absent`],
    ),
  )
  const caption = side === 'request' ? 'Fields of the body' : 'Fields of the response'
  if (side === 'response' || rows.length <= longTable) return fieldTable(caption, rows)
  const outermost = fields[0]?.path
  const isInner = (_row: Html, index: number) => fields[index]?.path !== outermost
  const inner = rows.filter(isInner)
  return html`${fieldTable(
    caption,
    rows.filter((row, index) => !isInner(row, index)),
  )}
<details><summary>Fields inside these <span class="hint">${inner.length}</span></summary>${fieldTable(caption, inner)}</details>`
}

/** Rows; a longer body shows its outermost fields first and folds the rest. */
const longTable = 20

export function requiredMark(isRequired: boolean): Html[] {
  return isRequired ? [html`<span class="required">required</span>`] : []
}

export function fieldTable(caption: string, rows: readonly Html[]): Html {
  return html`<table><caption class="unseen">${caption}</caption>
<thead class="unseen"><tr><th scope="col">Name and type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

export function fieldRow(name: Html, given: SchemaNode, schemas: Schemas, marks: readonly Html[]): Html {
  const node = withoutNull(resolve(given, schemas), schemas)
  const description = given.description ?? node.description
  return html`<tr><th scope="row"><code>${name}</code><span class="type">${typeName(given, schemas)}${marks.map(
    (mark) => html` · ${mark}`,
  )}</span></th><td>${description ? html`<p>${inline(description)}</p>` : undefined}${details(node, schemas)}</td></tr>
`
}

/** A path may break after its dots, so that a deep one fits a narrow column. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=[._])/).map((part) => html`${part}<wbr>`)}`
}

function describeValue(schema: SchemaNode, schemas: Schemas): Html {
  const node = withoutNull(resolve(schema, schemas), schemas)
  return html`<span class="type">${typeName(schema, schemas)}</span> ${
    node.description ? inline(node.description) : undefined
  }`
}

function fieldsOf(
  schema: SchemaNode,
  schemas: Schemas,
  path = '',
  around: readonly (string | undefined)[] = [],
): Field[] {
  // A schema that contains itself is shown once.
  if (around.length > maxDepth || (schema.$ref !== undefined && around.includes(schema.$ref))) return []
  const node = resolve(schema, schemas)
  const inner = (next: SchemaNode, nextPath: string) => fieldsOf(next, schemas, nextPath, [...around, schema.$ref])
  const alternatives = (node.anyOf ?? node.oneOf ?? []).filter((option) => option.type !== 'null')
  const fields = [...alternatives, ...(node.allOf ?? [])].flatMap((option) => inner(option, path))
  if (node.items) fields.push(...inner(node.items, `${path === '' ? '' : path.slice(0, -1)}[].`))
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    fields.push({ path, name, node: field, isRequired: node.required?.includes(name) ?? false })
    fields.push(...inner(field, `${path}${name}.`))
  }
  const named = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
  for (const field of [...Object.values(node.patternProperties ?? {}), ...(named ? [named] : [])]) {
    fields.push({ path, name: '<name>', node: field, isRequired: false })
    fields.push(...inner(field, `${path}<name>.`))
  }
  return uniqueByPath(fields)
}

/** Alternatives share fields; each is shown where it comes first. */
function uniqueByPath(fields: Field[]): Field[] {
  const seen = new Map<string, Field>()
  for (const field of fields) {
    const key = `${field.path}${field.name}`
    if (!seen.has(key)) seen.set(key, field)
  }
  return [...seen.values()]
}

export function resolve(node: SchemaNode, schemas: Schemas): SchemaNode {
  const name = node.$ref?.split('/').at(-1)
  return name === undefined ? node : resolve((schemas[name] ?? {}) as SchemaNode, schemas)
}

/** Of "this or null", this: that it may be null is part of its type's name. */
function withoutNull(node: SchemaNode, schemas: Schemas): SchemaNode {
  const [only, ...others] = (node.anyOf ?? []).filter((option) => option.type !== 'null')
  if (only === undefined || others.length > 0) return node
  const { anyOf: _alternatives, ...own } = node
  return { ...withoutNull(resolve(only, schemas), schemas), ...own }
}

function typeName(given: SchemaNode, schemas: Schemas): string {
  const node = resolve(given, schemas)
  const alternatives = node.anyOf ?? node.oneOf
  if (alternatives) return [...new Set(alternatives.map((option) => typeName(option, schemas)))].join(' or ')
  if (node.items) return `array of ${typeName(node.items, schemas)}`
  if (node.const !== undefined) return JSON.stringify(node.const)
  const type = Array.isArray(node.type) ? node.type.join(' or ') : (node.type ?? (node.properties ? 'object' : 'any'))
  return node.format ? `${type}, ${node.format}` : type
}

function details(node: SchemaNode, schemas: Schemas): Html {
  const item = node.items ? withoutNull(resolve(node.items, schemas), schemas) : undefined
  const values = node.enum ?? item?.enum
  const limits = limitsOf(node)
  return html`${
    values
      ? html`<p class="values"><span>One of</span> ${values.map((value) => html`<code>${String(value)}</code> `)}</p>`
      : undefined
  }${limits.length > 0 ? html`<p class="limits">${inline(limits.join(' · '))}</p>` : undefined}`
}

function limitsOf(node: SchemaNode): string[] {
  const limits = [
    range(node.minLength, node.maxLength, 'characters'),
    range(node.minItems, node.maxItems, 'items'),
    range(node.minimum, node.maximum, ''),
    node.exclusiveMinimum === undefined ? undefined : `more than ${number(node.exclusiveMinimum)}`,
    node.exclusiveMaximum === undefined ? undefined : `less than ${number(node.exclusiveMaximum)}`,
    node.pattern === undefined ? undefined : `fits \`${node.pattern}\``,
    node.default === undefined ? undefined : `default \`${JSON.stringify(node.default)}\``,
  ]
  return limits.filter((limit) => limit !== undefined)
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined
  const words =
    most === undefined
      ? `at least ${number(least ?? 0)}`
      : least === undefined
        ? `at most ${number(most)}`
        : least === most
          ? number(least)
          : `${number(least)} to ${number(most)}`
  return unit === '' ? words : `${words} ${unit}`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
