import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Operation } from '../foundation/operation.ts'
import { eventKinds } from '../resources/payloads/event-kinds.ts'
import { describeEvents } from './event-description/asyncapi.ts'
import { describeAnyEvent, describeEventSchema } from './event-description/event-schema.ts'
import { describeApi } from './openapi.ts'
import { describePostman } from './postman.ts'
import { renderReference } from './reference-page.ts'

/** The description of the API and its events: documents for programs, and a page for people at /docs. */
export function mountDescription(
  app: FastifyInstance,
  operations: readonly Operation[],
  brand: string,
  publicUrl: () => string,
): void {
  const made = new Map<string, string>()
  let madeFor: string | undefined
  // Each is built once, at its first request: by then the address is known.
  const document = (path: string, build: (url: string) => string): string => {
    const url = publicUrl()
    if (url !== madeFor) made.clear()
    madeFor = url
    const text = made.get(path) ?? build(url)
    made.set(path, text)
    return text
  }
  const describe = (url: string) => describeApi(operations, { brand, url })
  const documents: Record<string, (url: string) => object> = {
    '/openapi.json': describe,
    '/asyncapi.json': (url) => describeEvents({ brand, url }),
    '/postman.json': (url) => describePostman(describe(url)),
    '/schemas/events.json': describeAnyEvent,
  }
  for (const [path, build] of Object.entries(documents)) {
    app.get(path, async (_request, reply) =>
      sendJson(
        reply,
        document(path, (url) => JSON.stringify(build(url))),
      ),
    )
  }
  const kinds = new Map(eventKinds.map((kind) => [`${kind.name}.json`, kind]))
  app.get<{ Params: { file: string } }>('/schemas/events/:file', async ({ params: { file } }, reply) => {
    const kind = kinds.get(file)
    if (kind === undefined) return reply.callNotFound()
    return sendJson(
      reply,
      document(file, (url) => JSON.stringify(describeEventSchema(kind, url))),
    )
  })
  app.get('/docs', async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(document('/docs', (url) => renderReference(describe(url)))),
  )
}

/** Tools of other origins may read it. */
function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cache-control', 'no-cache')
    .type('application/json; charset=utf-8')
    .send(text)
}
