import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runInSlices } from '../platform/foundation/steps.ts'
import { guidePath } from './guide/contents.ts'
import { Guide } from './guide/guide.ts'
import { sendDocument } from './send-document.ts'

/** The guide at /docs/guide: pages for people, the same as Markdown, and lists for agents. */
export function mountGuide(app: FastifyInstance, publicUrl: () => string): void {
  let opening: Promise<Guide> | undefined
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Read at the first request: by then the address is known.
    opening ??= runInSlices(Guide.open(publicUrl())).catch((error) => {
      opening = undefined
      throw error
    })
    const guide = await opening
    const found = guide.find(withoutSlash(request.url.split('?')[0] ?? ''))
    if (found === undefined) reply.code(404)
    return sendDocument(request, reply.headers(headers), await (found ?? guide.notFound()))
  }
  for (const url of [guidePath, `${guidePath}/*`, '/llms.txt', '/llms-full.txt']) app.get(url, serve)
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Scripts, styles and pictures of our own origin only; nothing inline. */
const headers = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}
