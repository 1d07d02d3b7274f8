import { exampleOf } from './example.ts'
import type { Json } from './openapi/refer.ts'
import type { ApiDescription } from './openapi.ts'
import type { DescribedOperation } from './reference-page/operation-section.ts'
import { resolve } from './reference-page/schema-table.ts'

/** A collection for Postman and what imports its format, v2.1: the operations by area, ready to be sent. */
export function describePostman(description: ApiDescription): Json {
  const { info, servers, tags } = description
  const entries = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: (operation.tags as string[])[0], // describeApi writes one
      item: itemOf(method.toUpperCase(), path, operation as unknown as DescribedOperation, description), // nothing else is there
    })),
  )
  return {
    info: {
      name: `${info.title} API`,
      description: `${info.description}\n\nSet the variables \`username\`, \`api_key\` and \`slug\` of this collection first.`,
      version: info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: '{{username}}', type: 'string' },
        { key: 'password', value: '{{api_key}}', type: 'string' },
      ],
    },
    variable: [
      { key: 'base_url', value: servers[0]?.url, type: 'string' },
      { key: 'username', value: '', type: 'string', description: 'The user name of an API key' },
      { key: 'api_key', value: '', type: 'string', description: 'The API key itself' },
      { key: 'slug', value: 'river-and-pine', type: 'string', description: 'The slug of the shop' },
    ],
    item: tags.map(({ name, description: text }) => ({
      name,
      description: text,
      item: entries.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  }
}

function itemOf(method: string, path: string, operation: DescribedOperation, description: ApiDescription): Json {
  const [[mediaType, content] = []] = Object.entries(operation.requestBody?.content ?? {})
  const request = {
    method,
    ...(operation['x-role'] === 'nobody' ? { auth: { type: 'noauth' } } : {}),
    header: mediaType === 'application/json' ? [{ key: 'Content-Type', value: mediaType }] : [],
    url: urlOf(path, operation, description),
    ...(mediaType === undefined ? {} : { body: bodyOf(mediaType, content ?? {}, description) }),
    description: operation.description,
  }
  return { name: operation.summary, request, response: responsesOf(operation, request) }
}

/** Required parameters are filled in; optional ones are there to be switched on. */
function urlOf(path: string, { parameters = [] }: DescribedOperation, description: ApiDescription): Json {
  const given = parameters.map((parameter) => ({
    ...parameter,
    value: parameter.$ref ? '' : exampleText(parameter.schema, description),
  }))
  const steps = path
    .slice(1)
    .split('/')
    .map((step) => step.replace(/^\{(\w+)\}$/, ':$1'))
  const query = given
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, value, description: text, required }) => ({
      key: name,
      value,
      ...(text ? { description: text } : {}),
      ...(required ? {} : { disabled: true }),
    }))
  const sent = query.filter((parameter) => !('disabled' in parameter)).map(({ key, value }) => `${key}=${value}`)
  return {
    raw: `{{base_url}}/${steps.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{base_url}}'],
    path: steps,
    query,
    variable: given
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, value, description: text }) => ({
        key: name,
        value: name === 'slug' ? '{{slug}}' : value,
        ...(text ? { description: text } : {}),
      })),
  }
}

function bodyOf(mediaType: string, content: Content, description: ApiDescription): Json {
  if (mediaType !== 'multipart/form-data') {
    return {
      mode: 'raw',
      raw: JSON.stringify(content.example ?? {}, null, 2),
      options: { raw: { language: 'json' } },
    }
  }
  const fields = Object.entries(content.schema?.properties ?? {})
  return {
    mode: 'formdata',
    formdata: fields.map(([key, field]) =>
      'contentMediaType' in field
        ? { key, type: 'file', src: [] }
        : { key, type: 'text', value: exampleText(field, description) },
    ),
  }
}

type Content = NonNullable<DescribedOperation['requestBody']>['content'][string]

/** The example of a success, as a response that was saved. */
function responsesOf({ responses = {} }: DescribedOperation, request: Json): Json[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description: name, content = {} }]) => {
      const [[mediaType, { example } = {}] = []] = Object.entries(content)
      return {
        name,
        originalRequest: request,
        code: Number(status),
        status: status === '204' ? 'No Content' : 'OK',
        header: mediaType ? [{ key: 'Content-Type', value: mediaType }] : [],
        body: typeof example === 'string' ? example : example === undefined ? '' : JSON.stringify(example, null, 2),
      }
    })
}

function exampleText(schema: Parameters<typeof resolve>[0], description: ApiDescription): string {
  const example = exampleOf(resolve(schema, description.components.schemas))
  return Array.isArray(example) ? example.join(',') : String(example ?? '')
}
