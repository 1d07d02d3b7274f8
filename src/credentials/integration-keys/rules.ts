import type { CredentialForm } from '../../adapters/credentials.ts'
import type { TSchema } from '../../platform/foundation/schema.ts'
import { listedSystems, type MaskedKeys } from './schema.ts'

/** Shows the end of a secret so that its owner recognises it: four characters, but never more than a quarter. */
export function mask(secret: string): string {
  // By code point: half a surrogate pair cannot be stored.
  const characters = [...secret]
  const shown = Math.min(4, Math.floor(characters.length / 4))
  return `****${characters.slice(characters.length - shown).join('')}`
}

/** Masks the fields of the credentials, except for those that the form shows; one without a value is null. */
export function maskAll({ shown = {} }: CredentialForm, credentials: object): Record<string, string | null> {
  const fields = Object.entries(credentials).map(([name, value]) => {
    if (shown[name] !== undefined) return [name, value === null ? null : String(value)]
    return [name, typeof value === 'string' ? mask(value) : null]
  })
  return Object.fromEntries(fields)
}

type MaskedFields = Record<string, string | null> | undefined

/** The listing of all systems, from what maskAll has made of those that are set. */
export function toMaskedKeys(masked: ReadonlyMap<string, MaskedFields>): MaskedKeys {
  const keys: MaskedKeys = {}
  for (const { name, isListedUnset, form } of listedSystems) {
    if (isListedUnset || masked.has(name)) keys[name] = toMaskedKey(form, masked.get(name) ?? {})
  }
  return keys
}

function toMaskedKey({ schema, shown = {} }: CredentialForm, fields: Record<string, string | null>) {
  const names = Object.keys(schema.properties)
  const [only] = names
  if (names.length === 1 && only !== undefined) return fields[only] ?? null
  return Object.fromEntries(names.map((name) => [name, toShown(shown[name], fields[name] ?? null)]))
}

/** A shown field has the type of its schema again. */
function toShown(schema: TSchema | undefined, text: string | null): string | number | null {
  const { type } = (schema ?? {}) as { type?: string } // JSON Schema
  if (type === 'integer') return Number(text)
  return type === 'string' ? (text ?? '') : text
}
