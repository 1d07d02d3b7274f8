import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ShopContext } from '../foundation/context.ts'
import type { Span, Tracing } from '../foundation/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** While requests are traced. */
    span?: Span
  }
}

/** One span for every request, from its first hook until its answer is sent or nobody waits for it any more. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions
    const route = url === undefined ? request.method : `${request.method} ${url}`
    const span = tracing.begin(config.operationName ?? route, {
      kind: 'server',
      // Its tracestate is left: what callers write there is not ours to keep.
      traceparent: request.headers.traceparent?.toString(),
      attributes: { 'http.request.method': request.method, 'http.route': url, 'url.scheme': request.protocol },
    })
    request.span = span
    // Every line that is logged for the request leads to its trace.
    request.log = request.log.child({ trace_id: span.traceId, span_id: span.id })
    reply.raw.once('close', () => end(span, request, reply))
    done()
  })
}

function end(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  // There is no context where the request was refused before.
  const shop = (request.operationContext as Partial<ShopContext> | undefined)?.shop
  span.set({
    'url.path': pathOf(request, shop?.slug),
    'http.response.status_code': reply.raw.headersSent ? reply.statusCode : undefined,
    'doorstep.shop.slug': shop?.slug,
  })
  if (reply.statusCode >= 500) span.fail(String(reply.statusCode))
  span.end()
}

/** Of the path as it was asked for only the shop, where there is one: the rest may be a token or name a customer. */
function pathOf(request: FastifyRequest, slug: string | undefined): string | undefined {
  const { url } = request.routeOptions
  return slug === undefined ? url : url?.replace(':slug', slug)
}
