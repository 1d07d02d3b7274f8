import { readFileSync } from 'node:fs'

/** The part of JSON Schema that the generated schema uses. */
export interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string
  description?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  uniqueItems?: boolean
  /** Only a reference to the environment is allowed. */
  'x-secret'?: true
  /** Fields that a new one needs. An existing one keeps those that the file leaves out. */
  'x-needed-when-new'?: string[]
}

/** The schema of a shop file, generated from the API's operations: `npm run generate -w doorstep-cli`. */
export class ShopFileSchema {
  readonly text: string
  readonly root: Schema

  constructor(text: string) {
    this.text = text
    this.root = JSON.parse(text) as Schema // written by the generator
  }

  static load(): ShopFileSchema {
    return new ShopFileSchema(readFileSync(new URL('../../../../docs/shop-file.schema.json', import.meta.url), 'utf8'))
  }

  /** The schema with a reference replaced by what it refers to. */
  resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : (this.root.$defs?.[name] ?? {})
  }

  /** The schema of a section, of a group of settings or of an integration: `['settings', 'mail']`. */
  at(...path: string[]): Schema {
    return path.reduce((schema, name) => this.resolve(this.resolve(schema).properties?.[name] ?? {}), this.root)
  }

  /** The schema of an item of a list. */
  itemAt(...path: string[]): Schema {
    return this.resolve(this.at(...path).items ?? {})
  }

  namesAt(...path: string[]): string[] {
    return Object.keys(this.at(...path).properties ?? {})
  }
}

/** The alternative that a value is of, by its kind and by its field `type`; the first one if none fits. */
export function alternativeFor(schema: Schema, value: unknown, type: unknown): Schema {
  const { anyOf } = schema
  if (!anyOf) return schema
  const ofKind = anyOf.filter((each) => matchesKind(each, kindOf(value)))
  return ofKind.find((each) => each.properties?.type?.enum?.includes(type)) ?? ofKind[0] ?? anyOf[0] ?? {}
}

/** The values of the field `type` that tell alternatives apart; undefined if nothing does. */
export function typesOf({ anyOf = [] }: Schema): unknown[] | undefined {
  const types = anyOf.flatMap((each) => each.properties?.type?.enum ?? [])
  return types.length > 1 ? types : undefined
}

export function matchesKind(schema: Schema, kind: string): boolean {
  if (schema.anyOf) return schema.anyOf.some((each) => matchesKind(each, kind))
  if (schema.type === undefined) return true
  return schema.type === kind || (schema.type === 'number' && kind === 'integer')
}

export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
