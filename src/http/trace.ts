import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ShopContext } from '../platform/foundation/context.ts'
import type { Span, Tracing } from '../platform/foundation/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** While requests are traced. */
    span?: Span
  }
}

/** One span for every request, from its first hook until its response is sent or the client is gone. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions
    const route = url === undefined ? request.method : `${request.method} ${url}`
    const span = tracing.begin(config.operationName ?? route, {
      kind: 'server',
      // Not tracestate: what callers write there is not ours to store.
      traceparent: request.headers.traceparent?.toString(),
      attributes: { 'http.request.method': request.method, 'http.route': url, 'url.scheme': request.protocol },
    })
    request.span = span
    // Every log line of the request names its trace.
    request.log = request.log.child({ trace_id: span.traceId, span_id: span.id })
    reply.raw.once('close', () => end(span, request, reply))
    done()
  })
}

function end(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  // There is no context if the request was rejected before.
  const shop = (request.operationContext as Partial<ShopContext> | undefined)?.shop
  span.set({
    'url.path': pathOf(request, shop?.slug),
    'http.response.status_code': reply.raw.headersSent ? reply.statusCode : undefined,
    'doorstep.shop.slug': shop?.slug,
  })
  if (reply.statusCode >= 500) span.fail(String(reply.statusCode))
  span.end()
}

/** The route with the shop's slug at most: the rest of a path may be a token or name a customer. */
function pathOf(request: FastifyRequest, slug: string | undefined): string | undefined {
  const { url } = request.routeOptions
  return slug === undefined ? url : url?.replace(':slug', slug)
}
