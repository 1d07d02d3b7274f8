import type { Operation } from '../platform/foundation/operation.ts'
import { runAtOnce, type Steps } from '../platform/foundation/steps.ts'
import { errorSchema } from './openapi/errors.ts'
import { describeOperation } from './openapi/operation.ts'
import type { Json } from './openapi/refer.ts'
import { describeWebhooks } from './openapi/webhooks.ts'

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
export function describeApi(operations: readonly Operation[], options: DescribedApi): ApiDescription {
  return runAtOnce(describeApiInSteps(operations, options))
}

interface DescribedApi {
  brand: string
  url: string
}

export function* describeApiInSteps(operations: readonly Operation[], options: DescribedApi): Steps<ApiDescription> {
  const schemas: Record<string, Json> = { Error: errorSchema }
  const paths: ApiDescription['paths'] = {}
  for (const operation of operations) {
    for (const [index, path] of [operation.path, operation.aliasPath].entries()) {
      if (path === undefined) continue
      const shown = Object.keys(paths).find((other) => shapeOf(other) === shapeOf(path)) ?? path
      const described = describeOperation(operation, schemas, shown, {
        brand: options.brand,
        isAlias: index === 1,
      })
      paths[shown] = { ...paths[shown], [operation.method.toLowerCase()]: described }
    }
    yield
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
    security: [{ basic: [] }, { session: [] }],
    tags: areas.map((name) => ({ name, description: `Operations on ${name.toLowerCase()}` })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([left], [right]) => left.localeCompare(right))),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'User name and API key of a key of the shop.' },
        publicKey: {
          type: 'apiKey',
          in: 'query',
          name: 'key',
          description:
            'The public key of the shop, `pk_…`: for what its own site embeds. Pages of its domains may call these operations.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'doorstep_session',
          description:
            'The session of a browser that signed in with `POST /v1/session`. Counts only for requests of our own pages; over HTTPS its name begins with `__Host-`.',
        },
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
          description: 'A request with the same key and body within 24 hours gets the first response again.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      headers: {
        link: { description: 'RFC 8288 links: first, prev, next', schema: { type: 'string' } },
        total: { description: 'All items, if there are at most 10,000', schema: { type: 'integer' } },
        location: { description: 'The path of the new record', schema: { type: 'string' } },
        warnings: {
          description: 'How much was left out of the request or is ignored. Absent if there is nothing',
          schema: { type: 'integer' },
        },
      },
    },
  }
}

function introduction(brand: string): string {
  return [
    'Every operation is authenticated by HTTP Basic with the user name and API key of a key of the shop.',
    'Requests and responses are JSON in UTF-8; times are ISO 8601.',
    'Collections are paged with `page` and `per_page`. Errors carry `key`, `message`, `type` and `errors`.',
    'Unknown fields of a body or query are ignored. If a part of an order, a product or a tracking is unusable, only that part is left out.',
    `Both are named in \`warnings\` of a response that is an object, and counted in the header \`${brand}-Warnings\` of any other.`,
    'Of unknown fields, the first 20 names count. Fields of our own responses may be sent back, and `order_analytics` may have any field.',
    `\`Accept-Language\` chooses the language of texts, \`${brand}-Version\` a dated version of this API.`,
  ].join('\n')
}

/** To OpenAPI, paths that differ only in the names of their parameters are one path: the first names are used. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}
