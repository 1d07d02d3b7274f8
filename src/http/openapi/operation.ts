import type { ErrorKey } from '../../platform/foundation/errors.ts'
import { WarningList } from '../../platform/foundation/lenient.ts'
import { isRepeatable, type Operation } from '../../platform/foundation/operation.ts'
import { isEmptyReply, mediaTypeOf, Named, type TSchema, Type } from '../../platform/foundation/schema.ts'
import { exampleOf } from '../example.ts'
import { pathSchema } from '../read-input.ts'
import { errorsOf } from './errors.ts'
import { type Json, refer } from './refer.ts'

export function describeOperation(
  operation: Operation,
  schemas: Record<string, Json>,
  path: string,
  { brand, isAlias }: { brand: string; isAlias: boolean },
): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const parameters = [
    ...parametersOf(pathSchema(operation), 'path', schemas).map((parameter, index) =>
      names[index] === parameter.name
        ? parameter
        : { ...parameter, name: names[index], description: `Here: ${String(parameter.name).replaceAll('_', ' ')}` },
    ),
    ...(operation.query ? parametersOf(operation.query, 'query', schemas) : []),
    { $ref: '#/components/parameters/version' },
    ...(isRepeatable(operation) ? [{ $ref: '#/components/parameters/idempotencyKey' }] : []),
  ]
  return {
    operationId: isAlias ? `${operation.name}Alias` : operation.name,
    summary: operation.summary,
    description: [operation.description, operation.takesPublicKey && publicKeySentence, roleSentence(operation.needs)]
      .filter(Boolean)
      .join('\n\n'),
    tags: [operation.area],
    'x-role': operation.needs,
    ...(operation.needs === 'nobody' ? { security: [] } : {}),
    ...(operation.takesPublicKey ? { security: [{ basic: [] }, { session: [] }, { publicKey: [] }] } : {}),
    parameters,
    ...(operation.body || operation.file || (operation.signed && operation.method !== 'GET')
      ? { requestBody: describeBody(operation, schemas) }
      : {}),
    responses: describeResponses(operation, schemas, brand),
  }
}

const publicKeySentence =
  "The shop's public key will do instead of credentials, as `key` in the address. Then requests are limited by address."

export function roleSentence(needs: string): string {
  if (needs === 'nobody') return 'Needs no API key.'
  return needs === 'credentials' ? 'Needs an API key or a session, with any role.' : `Needs the role ${needs}.`
}

function describeBody(operation: Operation, schemas: Record<string, Json>): Json {
  if (operation.signed) {
    const schema = { type: 'object', description: "As described in the sender's documentation." }
    return { required: true, content: { 'application/json': { schema, example: operation.messageExample } } }
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
        example: {
          ...(operation.body ? (exampleOf(operation.body) as Json) : {}), // the fields of a form are an object
          [operation.file]: '(the bytes of the file)',
        },
      },
    },
  }
}

function describeResponses(operation: Operation, schemas: Record<string, Json>, brand: string): Json {
  const success: Json = { description: 'Success' }
  const reply = withWarnings(operation)
  const mediaType = mediaTypeOf(operation.reply)
  if (mediaType !== undefined) {
    const isText = 'examples' in operation.reply
    success.content = {
      [mediaType]: isText ? { schema: { type: 'string' }, example: exampleOf(operation.reply) } : {},
    }
  } else if (operation.successStatus === 200 && !isEmptyReply(operation.reply)) {
    success.content = {
      'application/json': { schema: refer(reply, schemas), example: exampleOf(operation.reply) },
    }
  } else success.description = 'Success, with no body'
  const headers = {
    ...(operation.isPaged
      ? { Link: { $ref: '#/components/headers/link' }, 'X-Total-Count': { $ref: '#/components/headers/total' } }
      : operation.method === 'POST' && { Location: { $ref: '#/components/headers/location' } }),
    ...(reply === operation.reply && !operation.signed && !declaresWarnings(reply)
      ? { [`${brand}-Warnings`]: { $ref: '#/components/headers/warnings' } }
      : {}),
  }
  if (Object.keys(headers).length > 0) success.headers = headers
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

/** The reply with the warnings that the response may have. Of one that is no object, they are counted in a header. */
function withWarnings({ reply, signed }: Operation): TSchema {
  return signed || mediaTypeOf(reply) !== undefined ? reply : withWarningsInside(reply)
}

interface Shape {
  properties?: Record<string, unknown>
  anyOf?: TSchema[]
}

function withWarningsInside(schema: TSchema): TSchema {
  const { properties, anyOf } = schema as Shape
  if (anyOf) {
    const options = anyOf.map(withWarningsInside)
    return options.some((option, index) => option !== anyOf[index]) ? { ...schema, anyOf: options } : schema
  }
  if (properties === undefined || 'warnings' in properties) return schema
  return { allOf: [schema, Warned] }
}

const Warned = Named('Warned', Type.Object({ warnings: Type.Optional(WarningList) }))

/** Or one of its alternatives. */
function declaresWarnings(schema: TSchema): boolean {
  const { properties, anyOf } = schema as Shape
  return anyOf?.some(declaresWarnings) ?? 'warnings' in (properties ?? {})
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
