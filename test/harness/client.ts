import type { Service } from '../../src/service.ts'
import { theService } from './service.ts'

/** Calls the service of this test process, or another one in it, as fetch would. */
export async function inject(request: Request, service?: Service): Promise<Response> {
  request.signal.throwIfAborted()
  const { app } = service ?? (await theService())
  const { pathname, search } = new URL(request.url)
  const reply = await app.inject({
    method: request.method as 'GET',
    url: pathname + search,
    headers: Object.fromEntries(request.headers),
    payload: Buffer.from(await request.arrayBuffer()),
  })
  const hasBody = reply.statusCode !== 204 && reply.rawPayload.length > 0
  return new Response(hasBody ? new Uint8Array(reply.rawPayload) : null, {
    status: reply.statusCode,
    headers: Object.entries(reply.headers).map(([name, value]) => [name, String(value)]),
  })
}
