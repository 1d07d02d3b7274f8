import type { FastifyInstance } from 'fastify'
import type { Operation } from '../foundation/operation.ts'
import { describeApi } from './openapi.ts'
import { renderReference } from './reference-page.ts'

/** The API description for programs at /openapi.json, and for people at /docs. */
export function mountDescription(
  app: FastifyInstance,
  operations: readonly Operation[],
  brand: string,
  publicUrl: () => string,
): void {
  let made: { url: string; json: string; page: string } | undefined
  // Built once, at the first request: by then the address is known.
  const describe = () => {
    const url = publicUrl()
    if (made?.url === url) return made
    const description = describeApi(operations, { brand, url })
    made = { url, json: JSON.stringify(description), page: renderReference(description) }
    return made
  }
  app.get('/openapi.json', async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(describe().json),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(describe().page),
  )
}
