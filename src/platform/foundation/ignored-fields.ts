import type { Warnings } from './lenient.ts'
import { nearest } from './nearest.ts'
import type { TSchema } from './schema.ts'
import { cutText } from './storable-text.ts'

/** The fields that one place of a request may have, and what they may contain. */
interface Shape {
  /** The field that leads to it, lists aside; undefined at the top. */
  under: string | undefined
  /** A field without a shape of its own has nothing to check. Undefined: any name is a field. */
  fields: Map<string, Shape | undefined> | undefined
  /** Of a list, or of a map with names of the caller's own. */
  each: Shape | undefined
}

/** A place of a request, and the names of the fields that it may have. */
export type Place = Pick<Shape, 'under'> & { names: readonly string[] }

/** The search ends after this many names: a list of products may have a million that are unknown. */
const maxNamed = 20

const maxNameLength = 64

interface Node {
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  additionalProperties?: Node | boolean
  items?: Node
  anyOf?: Node[]
  'x-open'?: boolean
}

/** The fields that a part of an operation's requests may have. Without a schema, every name is unknown. */
export class KnownFields {
  readonly part: 'body' | 'query'
  readonly #schema: TSchema | undefined
  readonly #expectedAt: (place: Place) => ReadonlySet<string>
  readonly #expected = new Map<Shape, ReadonlySet<string>>()
  #shape: Shape | undefined | 'not known yet' = 'not known yet'

  /** `expectedAt` has the names that are ignored on purpose. It is only called for places that have unknown names. */
  constructor(part: 'body' | 'query', schema: TSchema | undefined, expectedAt: (place: Place) => ReadonlySet<string>) {
    this.part = part
    this.#schema = schema
    this.#expectedAt = expectedAt
  }

  /** Found out at the first request: most operations get none. */
  get shape(): Shape | undefined {
    if (this.#shape === 'not known yet') {
      this.#shape = this.#schema === undefined ? nothing : shapeOf(this.#schema as Node, undefined)
    }
    return this.#shape
  }

  isExpected(place: Shape, name: string): boolean {
    const known = this.#expected.get(place) ?? this.#expectedAt({ under: place.under, names: namesOf(place) })
    this.#expected.set(place, known)
    return known.has(name)
  }
}

const nothing: Shape = { under: undefined, fields: new Map(), each: undefined }

/**
 * Warns of the fields of one request that nothing reads. The same name at the same place of many items is named once.
 */
export class IgnoredFields {
  readonly #warnings: Warnings
  readonly #named = new Map<Shape, Set<string>>()
  #remaining = maxNamed

  constructor(warnings: Warnings) {
    this.#warnings = warnings
  }

  find(known: KnownFields, value: unknown): void {
    if (known.shape) this.#visit(known.shape, value, [known.part], known)
  }

  /** `loc` is one list that is changed in place. */
  #visit(shape: Shape, value: unknown, loc: (string | number)[], known: KnownFields): void {
    if (typeof value !== 'object' || value === null) return
    const { fields, each } = shape
    if (Array.isArray(value)) {
      if (each === undefined || fields !== undefined) return
      for (let index = 0; index < value.length && this.#remaining > 0; index += 1) {
        loc.push(index)
        this.#visit(each, value[index], loc, known)
        loc.pop()
      }
      return
    }
    // A parsed object inherits no names, and a list of them would need memory for each object.
    for (const name in value) {
      if (this.#remaining === 0) return
      const inner = fields === undefined ? each : fields.get(name)
      if (inner !== undefined) {
        loc.push(name)
        this.#visit(inner, (value as Record<string, unknown>)[name], loc, known)
        loc.pop()
      } else if (fields !== undefined && !fields.has(name)) this.#add(shape, name, loc, known)
    }
  }

  #add(place: Shape, name: string, loc: (string | number)[], known: KnownFields): void {
    const named = this.#named.get(place) ?? new Set()
    if (named.has(name) || known.isExpected(place, name)) return
    this.#named.set(place, named.add(name))
    this.#remaining -= 1
    this.#warnings.add([...loc, name].map(cut), () => {
      const meant = nearest(name, namesOf(place))
      return meant === undefined ? 'ignored: unknown field' : `ignored: unknown field; did you mean ${meant}?`
    })
  }
}

function namesOf({ fields }: Shape): string[] {
  return [...(fields?.keys() ?? [])]
}

/** A name of the caller's may be megabytes long. */
function cut(step: string | number): string | number {
  return typeof step === 'string' ? cutText(step, maxNameLength) : step
}

/** Undefined: nothing in it is a name that could be unknown. */
function shapeOf(node: Node, under: string | undefined): Shape | undefined {
  if (node.anyOf) return merged(node.anyOf.map((option) => shapeOf(option, under)))
  if (node['x-open']) return undefined
  if (node.items) return shapeOfEach(node.items, under)
  if (node.properties) {
    const fields = Object.entries(node.properties).map(([name, field]) => [name, shapeOf(field, name)] as const)
    return { under, fields: new Map(fields), each: undefined }
  }
  const { additionalProperties: others } = node
  const [values = typeof others === 'object' ? others : undefined] = Object.values(node.patternProperties ?? {})
  return values && shapeOfEach(values, under)
}

function shapeOfEach(node: Node, under: string | undefined): Shape | undefined {
  const each = shapeOf(node, under)
  return each && { under, fields: undefined, each }
}

/** The fields of all alternatives together. */
function merged(alternatives: (Shape | undefined)[]): Shape | undefined {
  const [first, ...others] = alternatives.filter((shape) => shape !== undefined)
  if (first === undefined || others.length === 0) return first
  const fields = [first, ...others].flatMap((shape) => [...(shape.fields ?? [])])
  return { ...first, fields: fields.length > 0 ? new Map(fields) : undefined }
}
