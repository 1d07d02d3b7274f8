import { WebhookPayload } from '../../webhooks/payloads/payload-schema.ts'
import { exampleOf } from '../example.ts'
import { type Json, refer } from './refer.ts'

/** Describes the requests to endpoints, with headers that prove the sender. Endpoints respond with any 2xx in time. */
export function describeWebhooks(brand: string, schemas: Record<string, Json>): Json {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  return {
    event: {
      post: {
        operationId: 'receiveEvent',
        summary: 'An event of a shipment or a claim',
        description: 'Sent to the webhook endpoints of the shop whose filters it passes.',
        security: [],
        tags: ['Webhooks'],
        parameters: [
          header(
            `${brand}-Signature`,
            '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`; a second v1 after a rotation',
          ),
          header('webhook-id', 'The same over all attempts'),
          header('webhook-timestamp', 'Unix seconds'),
          header('webhook-signature', 'As Standard Webhooks has it'),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: refer(WebhookPayload, schemas), example: exampleOf(WebhookPayload) },
          },
        },
        responses: {
          '2XX': { description: 'Received' },
          '4XX': { description: 'Tried again later, up to 15 times' },
          '5XX': { description: 'Tried again later, up to 15 times' },
        },
      },
    },
  }
}
