import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Adds the formats of strings. The types of the package are those of an ES module, but it is CommonJS. */
export const addFormatsTo = addFormats as unknown as (ajv: object) => void

/**
 * A validator of JSON Schemas that refer to named ones, as `#/$defs/Order`. Each of these is a schema of its own here: of what
 * is only part of another schema, Ajv would compile a copy for every schema that refers to it.
 */
export class NamedSchemas {
  // Each validates a few values: better code would take longer to make than it saves.
  readonly ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } })
  readonly #place: string
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(place: '#/$defs/' | '#/components/schemas/', named: Record<string, object>) {
    this.#place = place
    addFormatsTo(this.ajv)
    for (const [name, schema] of Object.entries(named))
      this.ajv.addSchema(JSON.parse(this.#pointed(schema)), urlOf(name))
  }

  compile(schema: object): ValidateFunction {
    const text = this.#pointed(schema)
    const validate = this.#compiled.get(text) ?? this.ajv.compile(JSON.parse(text))
    this.#compiled.set(text, validate)
    return validate
  }

  #pointed(schema: object): string {
    return JSON.stringify(schema).replaceAll(`"${this.#place}`, `"${urlOf('')}`)
  }
}

const urlOf = (name: string) => `https://schemas.example/${name}`
