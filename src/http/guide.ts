import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { guidePath } from '../guide/contents.ts'
import { Guide } from '../guide/guide.ts'

/** The guide at /docs/guide: pages for people, the same as Markdown, and lists for agents. */
export function mountGuide(app: FastifyInstance, publicUrl: () => string): void {
  let guide: Guide | undefined
  const compressed = new Map<string, Buffer>()
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Read at the first request: by then the address is known.
    guide ??= new Guide(publicUrl())
    const path = withoutSlash(request.url.split('?')[0] ?? '')
    const file = guide.find(path)
    reply.headers(headers)
    if (file === undefined) return reply.code(404).type('text/html; charset=utf-8').send(guide.notFound())
    if (request.headers['if-none-match'] === file.etag) return reply.header('etag', file.etag).code(304).send()
    reply.header('etag', file.etag).type(file.mediaType)
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(file.text)
    // At most one entry per file of the guide.
    const bytes = compressed.get(path) ?? gzipSync(file.text)
    compressed.set(path, bytes)
    return reply.header('content-encoding', 'gzip').send(bytes)
  }
  for (const url of [guidePath, `${guidePath}/*`, '/llms.txt', '/llms-full.txt']) app.get(url, serve)
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Scripts, styles and pictures of our own origin only; nothing inline. */
const headers = {
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
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
