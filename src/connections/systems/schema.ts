import { capabilities, systemKinds } from '../../adapters/systems.ts'
import { Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

export const System = Named(
  'System',
  Type.Object({
    name: Type.String({ description: 'As paths and settings name it', examples: ['dhl'] }),
    label: Type.String({ description: 'As its makers write it', examples: ['DHL'] }),
    kind: OneOf(systemKinds, {
      description:
        "carrier: its own system, which knows its parcels sooner and better than an aggregator of many; sandbox: simulated parcels; mail: a mail server of the shop's own",
      examples: ['carrier'],
    }),
    capabilities: Type.Array(OneOf(capabilities, { examples: ['tracking'] }), {
      description:
        'tracking: it is queried for parcels; registration: parcels are registered with it before; orders: orders come from it; webhooks: it reports what is new; events: it receives our events; segments: customers’ segments are fetched from it; check: its credentials can be checked without changing anything',
    }),
    carriers: Type.Array(Type.String({ examples: ['dhl'] }), {
      description: 'References of the carriers whose parcels it tracks',
    }),
    credential_schema: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The JSON Schema of the body of PUT /keys/{name}; secrets are `writeOnly`. Null if it needs no credentials',
        examples: [
          {
            type: 'object',
            required: ['api_key'],
            properties: { api_key: { type: 'string', minLength: 16, maxLength: 128, writeOnly: true } },
          },
        ],
      }),
    ),
  }),
)
export type System = Static<typeof System>
