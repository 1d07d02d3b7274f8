import { type ErrorKey, errorStatus } from '../foundation/errors.ts'
import type { Operation } from '../foundation/operation.ts'
import { isBytesReply, isEmptyReply, isStreamReply, type TSchema } from '../foundation/schema.ts'
import { WebhookPayload } from '../resources/payloads/payload-schema.ts'
import { exampleOf } from './example.ts'
import { pathSchema } from './read-input.ts'

type Json = Record<string, unknown>

export interface ApiDescription {
  openapi: string
  info: Json
  servers: Json[]
  security: Json[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Json>>
  webhooks: Json
  components: { schemas: Record<string, Json>; securitySchemes: Json; parameters: Json; headers: Json }
}

/** The API description, from nothing but the list of operations. */
export function describeApi(operations: readonly Operation[], options: { brand: string; url: string }): ApiDescription {
  const schemas: Record<string, Json> = { Error: errorSchema }
  const paths: ApiDescription['paths'] = {}
  for (const operation of operations) {
    for (const [index, path] of [operation.path, operation.aliasPath].entries()) {
      if (path === undefined) continue
      const shown = Object.keys(paths).find((other) => shapeOf(other) === shapeOf(path)) ?? path
      const described = describeOperation(operation, schemas, shown, index === 1)
      paths[shown] = { ...paths[shown], [operation.method.toLowerCase()]: described }
    }
  }
  const webhooks = describeWebhooks(options.brand, schemas)
  const areas = [...new Set(operations.map(({ area }) => area))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Doorstep',
      version: '1.0.0',
      summary: 'Post-purchase delivery tracking for online shops',
      description: introduction(options.brand),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.url }],
    security: [{ basic: [] }],
    tags: areas.map((name) => ({ name, description: `Operations on ${name.toLowerCase()}` })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([left], [right]) => left.localeCompare(right))),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'User name and API key of a key of the shop.' },
      },
      parameters: {
        version: {
          name: `${options.brand}-Version`,
          in: 'header',
          description: 'A dated version of the API; the latest stable one when absent or unknown.',
          schema: { type: 'string', examples: ['2026-11-01'] },
        },
        idempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'The same key and body within 24 hours answers the first answer again.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      headers: {
        link: { description: 'RFC 8288 links: first, prev, next', schema: { type: 'string' } },
        total: { description: 'Items in all, where there are at most 10,000', schema: { type: 'integer' } },
        location: { description: 'The path of the new record', schema: { type: 'string' } },
      },
    },
  }
}

/** What endpoints are sent. The receiver's side of the contract: headers that prove the sender, and any 2xx in time. */
function describeWebhooks(brand: string, schemas: Record<string, Json>): Json {
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

function introduction(brand: string): string {
  return [
    'Every operation is authenticated by HTTP Basic with the user name and API key of a key of the shop.',
    'Requests and answers are JSON in UTF-8; times are ISO 8601. Unknown fields of a body are ignored.',
    'Collections are paged with `page` and `per_page`. Errors carry `key`, `message`, `type` and `errors`.',
    'Where a part of an order, a product or a tracking is unusable and the rest is not, the part is left out:',
    `it is named in \`warnings\` of an answer that is an object, and counted in the header \`${brand}-Warnings\` of any other.`,
    `\`Accept-Language\` chooses the language of texts, \`${brand}-Version\` a dated version of this API.`,
  ].join('\n')
}

/** OpenAPI takes paths that differ in nothing but the names of parameters for one: the first one's names stand. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}

function describeOperation(operation: Operation, schemas: Record<string, Json>, path: string, isAlias: boolean): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const parameters = [
    ...parametersOf(pathSchema(operation), 'path', schemas).map((parameter, index) =>
      names[index] === parameter.name
        ? parameter
        : { ...parameter, name: names[index], description: `Here: ${String(parameter.name).replaceAll('_', ' ')}` },
    ),
    ...(operation.query ? parametersOf(operation.query, 'query', schemas) : []),
    { $ref: '#/components/parameters/version' },
    // Only what a key was sent with is kept for a repetition.
    ...(operation.method === 'POST' && operation.needs !== 'nobody'
      ? [{ $ref: '#/components/parameters/idempotencyKey' }]
      : []),
  ]
  return {
    operationId: isAlias ? `${operation.name}Alias` : operation.name,
    summary: operation.summary,
    description: [operation.description, roleSentence(operation.needs)].filter(Boolean).join('\n\n'),
    tags: [operation.area],
    'x-role': operation.needs,
    ...(operation.needs === 'nobody' ? { security: [] } : {}),
    parameters,
    ...(operation.body || operation.file || (operation.isSigned && operation.method !== 'GET')
      ? { requestBody: describeBody(operation, schemas) }
      : {}),
    responses: describeResponses(operation, schemas),
  }
}

export function roleSentence(needs: string): string {
  return needs === 'nobody' ? 'Needs no API key.' : `Needs the role ${needs}.`
}

function describeBody(operation: Operation, schemas: Record<string, Json>): Json {
  if (operation.isSigned) {
    const schema = { type: 'object', description: "As the sender's own documentation has it." }
    return { required: true, content: { 'application/json': { schema } } }
  }
  if (operation.file === undefined) {
    const schema = operation.body as TSchema // called where there is one or the other
    return {
      required: !operation.isBodyOptional,
      content: { 'application/json': { schema: refer(schema, schemas), example: exampleOf(schema) } },
    }
  }
  const fields = operation.body
    ? (refer(operation.body, schemas, true) as { properties?: Json; required?: string[] })
    : {}
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: [...(fields.required ?? []), operation.file],
          properties: {
            ...fields.properties,
            [operation.file]: { type: 'string', contentMediaType: 'application/octet-stream' },
          },
        },
      },
    },
  }
}

function describeResponses(operation: Operation, schemas: Record<string, Json>): Json {
  const success: Json = { description: 'Success' }
  if (isStreamReply(operation.reply)) {
    success.content = { 'text/csv': { schema: { type: 'string' } } }
  } else if (isBytesReply(operation.reply)) {
    success.content = { 'application/octet-stream': {} }
  } else if (operation.successStatus === 200 && !isEmptyReply(operation.reply)) {
    success.content = {
      'application/json': { schema: refer(operation.reply, schemas), example: exampleOf(operation.reply) },
    }
  } else success.description = 'Success, with no body'
  if (operation.isPaged) {
    success.headers = {
      Link: { $ref: '#/components/headers/link' },
      'X-Total-Count': { $ref: '#/components/headers/total' },
    }
  } else if (operation.method === 'POST') success.headers = { Location: { $ref: '#/components/headers/location' } }
  const byStatus = new Map<number, ErrorKey[]>()
  for (const [status, key] of errorsOf(operation)) {
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), key])])
  }
  const responses: Json = { [operation.successStatus]: success }
  for (const [status, keys] of [...byStatus].sort(([left], [right]) => left - right)) {
    responses[status] = {
      description: keys.join(', '),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: {
            key: keys[0],
            message: 'A sentence that says what to do.',
            type: status < 500 ? 'invalid_request_error' : 'api_error',
            errors: status === 422 ? [{ loc: ['body', 'name'], msg: 'field required', type: 'missing' }] : [],
          },
        },
      },
    }
  }
  return responses
}

/** Every refusal an operation can answer: its own, and those that follow from what it is. */
export function errorsOf(operation: Operation): [number, ErrorKey][] {
  const refusals: [number, ErrorKey][] = operation.errors.map((key) => [errorStatus[key], key])
  if (operation.needs !== 'nobody') {
    refusals.push([403, 'insufficient_rights'])
  }
  // Credentials that are sent are checked everywhere.
  refusals.push([400, 'invalid_merchant_or_key'], [401, 'invalid_merchant_or_key'], [429, 'rate_limited'])
  if (operation.method === 'POST' && operation.callsOut) refusals.push([409, 'invalid_payload'])
  if (operation.isShopScoped) refusals.push([404, 'shop_not_found'])
  // A body is read wherever one may be sent, also where none is asked for.
  if (operation.method !== 'GET') refusals.push([413, 'invalid_payload'], [415, 'invalid_payload'])
  if (operation.method !== 'GET' || operation.query || /\{(?!slug\})/.test(operation.path)) {
    refusals.push([422, 'invalid_payload'])
  }
  // An Idempotency-Key whose first request is still calling out.
  if (operation.callsOut && operation.method === 'POST') refusals.push([409, 'invalid_payload'])
  refusals.push([500, 'unexpected'], [503, 'store_unavailable'])
  return refusals
}

function parametersOf(schema: TSchema, place: 'path' | 'query', schemas: Record<string, Json>): Json[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] }
  return Object.entries(properties).map(([name, field]) => {
    const isShop = name === 'slug' && place === 'path'
    const { description = isShop ? 'The slug of the shop' : undefined, ...rest } = refer(field, schemas) as {
      description?: string
    }
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema: isShop ? { type: 'string', examples: ['river-and-pine'] } : rest,
    }
  })
}

/** A schema as the description shows it: named ones become components that are referred to. */
function refer(schema: TSchema, schemas: Record<string, Json>, isInline = false): Json {
  const plain = JSON.parse(JSON.stringify(schema)) as Json
  return referPlain(plain, schemas, isInline)
}

function referPlain(schema: Json, schemas: Record<string, Json>, isInline: boolean): Json {
  const {
    title,
    'x-page': _page,
    'x-empty': _empty,
    'x-bytes': _bytes,
    'x-stream': _stream,
    'x-droppable': _droppable,
    'x-spelling': _spelling,
    ...rest
  } = schema
  const inner: Json = {}
  // "Anything or null" is anything.
  if (Array.isArray(rest.anyOf) && rest.anyOf.some((option: Json) => Object.keys(option).length === 0))
    delete rest.anyOf
  for (const [key, value] of Object.entries(rest)) inner[key] = referInside(key, value, schemas)
  if (typeof title !== 'string' || isInline) return inner
  schemas[title] ??= inner
  return { $ref: `#/components/schemas/${title}` }
}

function referInside(key: string, value: unknown, schemas: Record<string, Json>): unknown {
  if (key === 'properties' || key === 'patternProperties') {
    const fields = Object.entries(value as Record<string, Json>)
    return Object.fromEntries(fields.map(([name, field]) => [name, referPlain(field, schemas, false)]))
  }
  if (key === 'anyOf' || key === 'allOf' || key === 'oneOf') {
    return (value as Json[]).map((option) => referPlain(option, schemas, false))
  }
  if ((key === 'items' || key === 'additionalProperties') && typeof value === 'object' && value !== null) {
    return referPlain(value as Json, schemas, false)
  }
  return value
}

const errorSchema: Json = {
  type: 'object',
  required: ['key', 'message', 'type', 'errors'],
  properties: {
    key: { type: 'string', enum: Object.keys(errorStatus) },
    message: { type: 'string' },
    type: { type: 'string', enum: ['api_error', 'invalid_request_error'] },
    errors: {
      type: 'array',
      description: 'Empty but for validation errors',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          msg: { type: 'string' },
          type: { type: 'string', enum: ['missing', 'value_error', 'type_error'] },
        },
      },
    },
  },
}
