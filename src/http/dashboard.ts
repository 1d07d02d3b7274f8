import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseLanguage } from '../platform/foundation/languages.ts'
import { type StoredBundle, storedDocument } from './bundling/stored-bundle.ts'
import type { BundleParts } from './dashboard/bundle.ts'
import type { Dashboard } from './dashboard/dashboard.ts'
import { firstTexts, type Visit } from './dashboard/preloads.ts'
import { filesPath, renderFailed, renderShell } from './dashboard/shell.ts'
import { sendDocument } from './send-document.ts'

/** Serves the dashboard: one page for all its addresses, and its files, which never change under their names. */
export function mountDashboard(app: FastifyInstance, dashboard: Dashboard): void {
  const show = async (request: FastifyRequest, reply: FastifyReply) => sendPage(request, reply, dashboard.open())
  for (const url of ['/dashboard', '/dashboard/*']) app.get(url, { config: { operationName: 'dashboard' } }, show)
  app.get<{ Params: { file: string } }>(
    `${filesPath}/:file`,
    { config: { operationName: 'dashboardFile' } },
    async (request, reply) => {
      const file = dashboard.open()?.files.get(request.params.file)
      if (file === undefined) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n')
      // Their names change with their contents.
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendDocument(request, reply, storedDocument(file, request.params.file))
    },
  )
  // A hook, so that the address has no route and programs get the usual error.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isBrowserAtRoot(request)) reply.header('vary', 'accept').redirect('/dashboard', 302)
    else done()
  })
}

function isBrowserAtRoot({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && url.split('?')[0] === '/' && (headers.accept ?? '').includes('text/html')
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  bundle: StoredBundle<BundleParts> | undefined,
): FastifyReply {
  reply.headers(pageHeaders).type('text/html; charset=utf-8')
  if (bundle === undefined) return reply.code(503).send(renderFailed().html)
  const { parts } = bundle
  // A new version is seen at the next visit; the preloads depend on the visitor.
  return reply.header('cache-control', 'private, no-cache').send(renderShell(parts, visitOf(request, parts)).html)
}

function visitOf({ url, headers }: FastifyRequest, { scripts }: BundleParts): Visit {
  const modules = new Set(Object.values(scripts).map(({ module }) => module))
  // The language chosen in the dashboard, or else the browser's languages.
  const preferred = /\bdoorstep_language=([a-z]{2})\b/.exec(headers.cookie ?? '')?.[1] ?? headers['accept-language']
  return {
    path: (url.split('?')[0] ?? '').slice('/dashboard'.length),
    language: chooseLanguage(preferred, 'en', (language) => modules.has(firstTexts(language))),
    hasSession: headers.cookie?.includes('doorstep_session=') ?? false,
  }
}

/** Scripts, styles and calls of our own origin only; nothing inline, nothing from other hosts, no other page around it. */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'none'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), browsing-topics=()',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}
