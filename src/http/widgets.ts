import type { FastifyInstance } from 'fastify'
import { fileName } from '../widgets/bundle.ts'
import type { Widgets } from '../widgets/widgets.ts'

/**
 * Serves the script with the components. It is the same for every shop and holds nothing of any, so pages of all origins
 * may load it: browsers load modules of other origins only where that is allowed.
 */
export function mountWidgets(app: FastifyInstance, widgets: Widgets): void {
  app.get(`/widgets/${fileName}`, { config: { operationName: 'widgets' } }, async (request, reply) => {
    const { plain, brotli, gzip, etag } = await widgets.script()
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const [encoding, body] =
      brotli && /\bbr\b/.test(accepted)
        ? ['br', brotli]
        : gzip && /\bgzip\b/.test(accepted)
          ? ['gzip', gzip]
          : [undefined, plain]
    reply
      .headers({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        // The address stays the same, so a new version is seen within minutes; meanwhile the old one works.
        'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
        vary: 'accept-encoding',
        etag,
      })
      .type('text/javascript; charset=utf-8')
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    if (encoding) reply.header('content-encoding', encoding)
    return reply.send(body)
  })
}
