import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../platform/foundation/operation.ts'
import { MadeDocuments } from '../platform/foundation/public-document.ts'
import { inOneStep, type Steps } from '../platform/foundation/steps.ts'
import { eventKinds } from '../webhooks/payloads/event-kinds.ts'
import { describeEvents } from './event-description/asyncapi.ts'
import { describeAnyEvent, describeEventSchema } from './event-description/event-schema.ts'
import { describeApiInSteps } from './openapi.ts'
import { describePostman } from './postman.ts'
import { renderReference } from './reference-page.ts'
import { sendDocument } from './send-document.ts'

/** The description of the API and its events: documents for programs, and a page for people at /docs. */
export function mountDescription(
  app: FastifyInstance,
  operations: readonly Operation[],
  brand: string,
  publicUrl: () => string,
): void {
  const made = new MadeDocuments<string>()
  let madeFor: string | undefined
  // Each is built once, at its first request: by then the address is known.
  const document = (name: string, mediaType: string, build: (url: string) => Steps<string>) => {
    const url = publicUrl()
    if (url !== madeFor) made.clear()
    madeFor = url
    return made.get(name, mediaType, () => build(url))
  }
  const describe = (url: string) => describeApiInSteps(operations, { brand, url })
  const documents: Record<string, (url: string) => Steps<object>> = {
    '/openapi.json': describe,
    '/asyncapi.json': (url) => inOneStep(() => describeEvents({ brand, url })),
    *'/postman.json'(url) {
      return describePostman(yield* describe(url))
    },
    '/schemas/events.json': (url) => inOneStep(() => describeAnyEvent(url)),
  }
  const sendJson = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    build: (url: string) => Steps<object>,
  ) => {
    // Tools of other origins may read it.
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-cache')
    return sendDocument(request, reply, await document(name, jsonType, (url) => written(build(url))))
  }
  for (const [path, build] of Object.entries(documents)) {
    app.get(path, (request, reply) => sendJson(request, reply, path, build))
  }
  const kinds = new Map(eventKinds.map((kind) => [`${kind.name}.json`, kind]))
  app.get<{ Params: { file: string } }>('/schemas/events/:file', async (request, reply) => {
    const { file } = request.params
    const kind = kinds.get(file)
    if (kind === undefined) return reply.callNotFound()
    return sendJson(request, reply, file, (url) => inOneStep(() => describeEventSchema(kind, url)))
  })
  app.get('/docs', async (request, reply) => {
    reply.header('cache-control', 'no-cache').header('content-security-policy', pagePolicy)
    const page = await document('/docs', 'text/html; charset=utf-8', function* (url) {
      return yield* renderReference(yield* describe(url))
    })
    return sendDocument(request, reply, page)
  })
}

const jsonType = 'application/json; charset=utf-8'

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

function* written(steps: Steps<object>): Steps<string> {
  return JSON.stringify(yield* steps)
}
