import { type EventKind, eventKinds } from '../../webhooks/payloads/event-kinds.ts'
import type { Json } from '../openapi/refer.ts'
import { payloadSchema, schemaUrl } from './event-schema.ts'

/** The description of all events for programs: AsyncAPI, from the catalogue and the schemas that payloads are built by. */
export function describeEvents({ brand, url }: { brand: string; url: string }): Json {
  const schemas: Record<string, Json> = { WebhookHeaders: headersSchema(brand) }
  const messages = Object.fromEntries(eventKinds.map((kind) => [kind.name, messageOf(kind, url, schemas)]))
  const names = Object.keys(messages)
  return {
    asyncapi: '3.0.0',
    id: `${url}/asyncapi.json`,
    info: {
      title: 'Doorstep events',
      version: '1.0.0',
      description: introduction(url),
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      externalDocs: { description: 'The API reference', url: `${url}/docs` },
    },
    defaultContentType: 'application/json',
    channels: {
      webhook: {
        address: null,
        title: 'Webhook endpoints',
        description: "The URL of each of the shop's webhook endpoints whose filters the event passes.",
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      sendEvent: {
        action: 'send',
        title: 'Send an event',
        summary: 'Sends what happened to a parcel or a claim, with the whole order as it is now.',
        description:
          'Success is any 2xx response within 10 seconds. Anything else is tried again, up to 15 times, with growing pauses.',
        channel: { $ref: '#/channels/webhook' },
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
        messages: names.map((name) => ({ $ref: `#/channels/webhook/messages/${name}` })),
      },
    },
    components: { messages, schemas },
  }
}

function messageOf(kind: EventKind, url: string, schemas: Record<string, Json>): Json {
  const { name, text, ref, source, phase, groups } = kind
  return {
    name,
    title: text,
    summary: `\`${ref}\`, published with the event group ${groups.map((group) => `\`${group}\``).join(' or ')}.`,
    tags: [source, ...(phase ? [phase] : [])].map((tag) => ({ name: tag })),
    externalDocs: { description: 'JSON Schema of the payload, with an example', url: schemaUrl(url, kind) },
    headers: { $ref: '#/components/schemas/WebhookHeaders' },
    payload: payloadSchema(kind, schemas),
  }
}

function headersSchema(brand: string): Json {
  const text = (description: string) => ({ type: 'string', description })
  return {
    type: 'object',
    required: ['webhook-id', 'webhook-timestamp', 'webhook-signature', `${brand}-Signature`],
    properties: {
      'webhook-id': text('The same over all attempts'),
      'webhook-timestamp': text('When this attempt was signed, in seconds since 1970'),
      'webhook-signature': text(
        'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two of them, separated by a blank, for a day after a rotation',
      ),
      [`${brand}-Signature`]: text(
        '`t=<seconds>,v1=<hex HMAC-SHA256 of "t.body">`; a second v1 for a day after a rotation',
      ),
    },
  }
}

function introduction(url: string): string {
  return `What ${url} sends to webhook endpoints. Each message is signed with the secret of its endpoint. The same events can be read in order from the event feed, \`GET /v1/shops/{slug}/events\` of the API: ${url}/openapi.json describes it. The JSON Schema of each payload is at ${url}/schemas/events/{name}.json, and ${url}/schemas/events.json fits them all.`
}
