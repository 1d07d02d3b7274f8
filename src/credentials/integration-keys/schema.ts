import { providerNames } from '../../adapters/carriers/registry.ts'
import { type FormOf, type KeyedSystem, type KeyedSystemName, keyedSystems } from '../../adapters/systems.ts'
import { Named, Nullable, type Static, type TSchema, Type } from '../../platform/foundation/schema.ts'

/** A system whose credentials a shop sets. */
export type Provider = KeyedSystemName
export type CredentialsOf<Name extends Provider> = Static<FormOf<Name>['schema']>

/** For how long what others have signed with before is accepted. */
export const FormerSecret = Type.Object({
  former_valid_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      default: 24,
      description: 'How long messages signed with the former secret are accepted. 0 after a leak: not at all.',
    }),
  ),
})
export type FormerSecret = Static<typeof FormerSecret>

/** In the order of the API: those that are listed while nothing is set come first, by their forms, and providers after the others. */
export const listedSystems: readonly KeyedSystem[] = inListedOrder(keyedSystems)

function inListedOrder(systems: readonly KeyedSystem[]): KeyedSystem[] {
  const isProvider = ({ name }: KeyedSystem) => providerNames.some((known) => known === name)
  const listed = systems.filter(({ isListedUnset }) => isListedUnset)
  const others = listed.filter((system) => !isProvider(system))
  const schemas = [...new Set(others.map(({ form }) => form.schema))]
  return [
    ...schemas.flatMap((schema) => others.filter(({ form }) => form.schema === schema)),
    ...listed.filter(isProvider),
    ...systems.filter(({ isListedUnset }) => !isListedUnset),
  ]
}

const MaskedText = Nullable(Type.String({ examples: ['****cdef'] }))

/** One key is listed as its masked text, and several fields by their names. */
function maskedSchema({ isListedUnset, form }: KeyedSystem): TSchema {
  const { schema, shown = {} } = form
  const names = Object.keys(schema.properties)
  if (names.length === 1) return isListedUnset ? MaskedText : Type.Optional(MaskedText)
  const fields = Object.fromEntries(names.map((name) => [name, shown[name] ?? MaskedText]))
  if (isListedUnset) return Type.Object(fields)
  const masked = names.filter((name) => shown[name] === undefined).map((name) => `the ${name}`)
  const exception = form.shown ? `; only ${masked.join(' and ')} are masked` : ''
  return Type.Optional(Type.Object(fields, { description: `Only if it is set${exception}` }))
}

/** By the name of the system. */
export type MaskedKeys = Partial<Record<Provider, string | null | Record<string, string | number | null>>>

export const MaskedKeys = Named(
  'MaskedIntegrationKeys',
  Type.Unsafe<MaskedKeys>(
    Type.Object(Object.fromEntries(listedSystems.map((system) => [system.name, maskedSchema(system)]))),
  ),
)
