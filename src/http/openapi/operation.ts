import type { ErrorKey } from '../../foundation/errors.ts'
import { isRepeatable, type Operation } from '../../foundation/operation.ts'
import { isEmptyReply, mediaTypeOf, type TSchema } from '../../foundation/schema.ts'
import { exampleOf } from '../example.ts'
import { pathSchema } from '../read-input.ts'
import { errorsOf } from './errors.ts'
import { type Json, refer } from './refer.ts'

export function describeOperation(
  operation: Operation,
  schemas: Record<string, Json>,
  path: string,
  isAlias: boolean,
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
    ...(operation.body || operation.file || (operation.isSigned && operation.method !== 'GET')
      ? { requestBody: describeBody(operation, schemas) }
      : {}),
    responses: describeResponses(operation, schemas),
  }
}

const publicKeySentence =
  "The shop's public key will do instead of credentials, as `key` in the address. Then requests are limited by address."

export function roleSentence(needs: string): string {
  if (needs === 'nobody') return 'Needs no API key.'
  return needs === 'credentials' ? 'Needs an API key or a session, with any role.' : `Needs the role ${needs}.`
}

function describeBody(operation: Operation, schemas: Record<string, Json>): Json {
  if (operation.isSigned) {
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

function describeResponses(operation: Operation, schemas: Record<string, Json>): Json {
  const success: Json = { description: 'Success' }
  const mediaType = mediaTypeOf(operation.reply)
  if (mediaType !== undefined) {
    const isText = 'examples' in operation.reply
    success.content = {
      [mediaType]: isText ? { schema: { type: 'string' }, example: exampleOf(operation.reply) } : {},
    }
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
