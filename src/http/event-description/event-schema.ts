import { ClaimEventData, ShipmentEventData } from '../../webhooks/payloads/event-data-schema.ts'
import { type EventKind, eventKinds } from '../../webhooks/payloads/event-kinds.ts'
import { WebhookPayload } from '../../webhooks/payloads/payload-schema.ts'
import { exampleOf } from '../example.ts'
import { type Json, refer } from '../openapi/refer.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** The address at which the schema of an event is served. */
export function schemaUrl(url: string, { name }: EventKind): string {
  return `${url}/schemas/events/${name}.json`
}

/** The JSON Schema of an event's payload: a document of its own, with everything it refers to. */
export function describeEventSchema(kind: EventKind, url: string): Json {
  const definitions: Record<string, Json> = {}
  const schema = payloadSchema(kind, definitions)
  return inDefinitions({
    $schema: dialect,
    $id: schemaUrl(url, kind),
    title: kind.name,
    description: kind.text,
    ...schema,
    examples: [examplePayload(kind)],
    $defs: definitions,
  })
}

/** The JSON Schema that the payload of every event fits. */
export function describeAnyEvent(url: string): Json {
  return {
    $schema: dialect,
    $id: `${url}/schemas/events.json`,
    title: 'Event',
    description: 'The payload of any webhook.',
    oneOf: eventKinds.map((kind) => ({ $ref: schemaUrl(url, kind) })),
  }
}

/** The payload of every event, narrowed to what this one has; what it refers to is added to the schemas. */
export function payloadSchema({ name, source, ref, phase, groups }: EventKind, schemas: Record<string, Json>): Json {
  const event_group = { enum: groups }
  const data = refer(source === 'claims' ? ClaimEventData : ShipmentEventData, schemas)
  const event_name = { const: source === 'claims' ? ref.split('/')[1] : name }
  const narrowed = { event_name, event_group, ...(phase ? { phase: { const: phase } } : {}) }
  return {
    allOf: [
      refer(WebhookPayload, schemas),
      {
        type: 'object',
        properties: {
          source: { const: source },
          ref: { const: ref },
          event_group,
          event_data: { allOf: [data, { type: 'object', properties: narrowed }] },
        },
      },
    ],
  }
}

/** A payload as an endpoint could receive it. */
function examplePayload({ name, source, ref, phase, groups: [event_group] }: EventKind): Json {
  const whole = exampleOf(WebhookPayload) as { context: { shipments: Json[]; claims: Json[] } } // as its schema says
  const { context } = whole
  if (source === 'claims') {
    const data = exampleOf(ClaimEventData) as Json // an object, too
    return { ...whole, source, ref, event_group, event_data: { ...data, event_group, event_name: ref.split('/')[1] } }
  }
  const data = exampleOf(ShipmentEventData) as Json // an object, too
  const shipments = phase ? context.shipments.map((shipment) => ({ ...shipment, phase })) : context.shipments
  return {
    ...whole,
    source,
    ref,
    event_group,
    event_data: { ...data, event_group, event_name: name, ...(phase ? { phase } : {}) },
    context: { ...context, shipments, claims: [] },
  }
}

/** The API description has named schemas as components, a JSON Schema as definitions. */
function inDefinitions(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/')) as Json
}
