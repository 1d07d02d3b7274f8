import type { FastifyInstance } from 'fastify'
import { sendDocument } from './send-document.ts'
import { fileName, type Widgets } from './widgets/widgets.ts'

/**
 * Serves the script with the components. It is the same for every shop and holds nothing of any, so pages of all origins
 * may load it: browsers load modules of other origins only where that is allowed.
 */
export function mountWidgets(app: FastifyInstance, widgets: Widgets): void {
  app.get(`/widgets/${fileName}`, { config: { operationName: 'widgets' } }, async (request, reply) => {
    const script = widgets.script()
    reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      // The address stays the same, so a new version is seen within minutes; meanwhile the old one works.
      'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
    })
    return sendDocument(request, reply, script)
  })
}
