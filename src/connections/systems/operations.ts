import type { CredentialForm } from '../../adapters/credentials.ts'
import { systems } from '../../adapters/systems.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { Type } from '../../platform/foundation/schema.ts'
import { System } from './schema.ts'

export const listSystems = operation({
  name: 'listSystems',
  summary: 'List the systems that a shop can be connected to',
  description:
    'Returns every carrier, aggregator, marketing system and shop system that there is an adapter for, in one response: what it can do, and what its credentials are made of. The same for every shop.',
  area: 'Connections',
  route: 'GET /v1/systems',
  needs: 'viewer',
  reply: Type.Array(System),
  handle: async () => listed,
})

const listed: System[] = systems.map(({ name, label, kind, capabilities, carriers, form }) => ({
  name,
  label,
  kind,
  capabilities,
  carriers: [...carriers],
  credential_schema: form ? plainSchema(form) : null,
}))

/** JSON Schema without the parts that only this API description needs. Fields never shown again are `writeOnly`. */
function plainSchema({ schema, secrets }: CredentialForm): Record<string, unknown> {
  const text = JSON.stringify(schema, (key, value) => (/^(title$|examples$|x-|~)/.test(key) ? undefined : value))
  const plain = JSON.parse(text) as { properties: Record<string, object> } // the schema of an object
  const fields = Object.entries(plain.properties).map(([name, field]) => {
    return [name, secrets.includes(name) ? { ...field, writeOnly: true } : field]
  })
  return { ...plain, properties: Object.fromEntries(fields) }
}
