import type { CredentialForm } from './credentials.ts'

/** The common part of all descriptions of systems. Descriptions are data, and load no adapter code. */
export interface SystemDescription {
  /** As paths, settings, rows and metrics name it, in small letters: never changed. */
  name: string
  /** As its makers write it, for people and in the names of operations. */
  label: string
  /**
   * Whether listings of keys and settings have it while nothing is set. True only for systems of the first version of the API,
   * whose replies keep their shape.
   */
  isListedUnset: boolean
  /** Undefined: it needs none. */
  credentials: CredentialForm | undefined
}

/** A value for each of these descriptions, by its name. */
export function byName<Described extends { name: string }, Value>(
  descriptions: readonly Described[],
  toValue: (description: Described) => Value,
): Record<Described['name'], Value> {
  const entries = descriptions.map((description) => [description.name, toValue(description)])
  return Object.fromEntries(entries) as Record<Described['name'], Value> // every description has an entry
}
