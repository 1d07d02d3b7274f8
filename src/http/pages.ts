import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, ShopContext, ShopRecord } from '../platform/foundation/context.ts'
import { ApiError } from '../platform/foundation/errors.ts'
import type { Page, PageRequest, PageResponse, Site } from '../platform/foundation/page-route.ts'
import { anonymous } from '../platform/foundation/roles.ts'
import { rejectIfPaused } from '../platform/store/paused-shops.ts'
import type { Authenticator } from './authenticate.ts'
import { framingOrigins } from './cross-origin.ts'
import type { IncomingBodies, Sender } from './incoming-bodies.ts'
import { plainFormBytes, readForm } from './read-form.ts'
import { errorOf } from './report-error.ts'
import { RequestClient } from './request-origin.ts'
import { sendDocument } from './send-document.ts'
import { smallBodyBytes } from './unread-bodies.ts'

export interface PageOptions {
  authenticator: Authenticator
  base: Pick<Context, 'db' | 'services'>
  imageLimitBytes: number
  /** The folder that stores the files of a form until the response is sent. */
  uploadFolder: string
  bodies: IncomingBodies
}

/** Mounts the pages of a site. Errors are shown as pages, too. */
export function mountPages(app: FastifyInstance, site: Site, options: PageOptions): void {
  const streams = new Set<Readable>()
  // A plugin of their own: their bodies are forms, and their errors are pages.
  app.register(async (pages) => {
    // No page accepts JSON, so it is not parsed.
    pages.removeContentTypeParser('application/json')
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: plainFormBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    pages.setErrorHandler((error: Error, _request, reply) => showError(site, options, error, reply))
    // Open streams would delay a stop.
    pages.addHook('preClose', async () => {
      for (const stream of streams) stream.push(null)
    })
    for (const page of site.pages) mountPage(pages, page, options, streams)
    for (const folder of foldersOf(site)) mountNotFound(pages, folder)
  })
}

/** Whether an address belongs to the site, even if it has no route. */
export function isPageAddress(site: Site, url: string): boolean {
  return foldersOf(site).some((folder) => url.startsWith(`${folder}/`))
}

/** Sends an error as a page. */
export async function showError(
  site: Site,
  options: PageOptions,
  error: Error,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { request } = reply
  const context = contextOf(request, options)
  const page = await site.errorPage(context, requestOf(request, options), errorOf(error, request))
  // The store may be what failed.
  const framedBy = await framingOf(context).catch(() => undefined)
  return send(request, reply, page, { framedBy })
}

function foldersOf({ pages }: Site): string[] {
  return [...new Set(pages.map(({ path }) => `/${path.split('/')[1]}`))]
}

function mountPage(app: FastifyInstance, page: Page, options: PageOptions, streams: Set<Readable>): void {
  app.route({
    method: page.method,
    url: page.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operationName: page.name },
    // The form of a page without a link is small: an order number and a zip code.
    bodyLimit: page.needsLink ? plainFormBytes : smallBodyBytes,
    async onRequest(request, reply) {
      const context: Context & Partial<ShopContext> = contextOf(request, options)
      request.operationContext = context
      const { slug = '' } = request.params as { slug?: string }
      if (page.isShopScoped) context.shop = await options.authenticator.shopOf(slug)
      if (page.method !== 'POST') return
      await page.admit?.(context, requestOf(request, options))
      options.bodies.admit(request, reply, senderOf(page, request, context.shop))
    },
    async handler(request, reply) {
      const { imageLimitBytes, uploadFolder: folder } = options
      const { form, files, discard } = await readForm(request, { files: page.files, imageLimitBytes, folder })
      try {
        const context: Context & Partial<ShopContext> = request.operationContext
        if (page.method === 'POST' && context.shop) await rejectIfPaused(context, context.shop)
        const response = await page.handle(request.operationContext, { ...requestOf(request, options), form, files })
        const framedBy = response.html && (await framingOf(context))
        return await send(request, reply, response, { streams, framedBy })
      } finally {
        await discard()
      }
    },
  })
}

/** After the page has admitted the request, so that the link in its address is known to be one. */
function senderOf({ needsLink }: Page, { params }: FastifyRequest, shop: ShopRecord | undefined): Sender {
  const { token } = params as { token?: string }
  const isHolder = needsLink && shop !== undefined && token !== undefined
  return isHolder ? { pool: 'links', shop: shop.id, link: token } : { pool: 'strangers' }
}

/** A page for addresses that have no route. */
function mountNotFound(app: FastifyInstance, folder: string): void {
  const reject = async () => {
    throw new ApiError('route_not_found', 'There is no such page.')
  }
  // Before a body is read.
  for (const url of [folder, `${folder}/*`]) {
    app.route({ method: ['GET', 'POST'], url, onRequest: reject, handler: reject })
  }
}

function contextOf(request: FastifyRequest, { base }: PageOptions): Context & Partial<ShopContext> {
  if (request.operationContext) return request.operationContext
  // A chosen language comes before those that the browser prefers.
  const preferred = [queryOf(request).lang, request.headers['accept-language']].filter(Boolean)
  return {
    ...base,
    now: base.services.clock.now(),
    principal: anonymous,
    acceptLanguage: preferred.length > 0 ? preferred.join(',') : undefined,
    log: request.log,
    client: new RequestClient(request, base.services.publicUrl),
    span: request.span,
  }
}

function requestOf(request: FastifyRequest, options: PageOptions): PageRequest {
  return {
    method: request.method as PageRequest['method'], // no other is routed here
    address: request.url.split('?')[0] ?? '',
    path: (request.params ?? {}) as Record<string, string>, // by the names in the route
    query: queryOf(request),
    headers: request.headers,
    form: new URLSearchParams(),
    files: [],
    fileLimitBytes: options.imageLimitBytes,
    clientAddress: request.ip,
  }
}

/** If a name is given twice, the last one counts. */
function queryOf(request: FastifyRequest): Record<string, string | undefined> {
  // An address that could not be parsed has none.
  const given = Object.entries((request.query ?? {}) as Record<string, string | string[]>)
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]))
}

/** Other origins that may show the pages of a shop in a frame. */
async function framingOf(context: Context & Partial<ShopContext>): Promise<string | undefined> {
  return context.shop && framingOrigins(context, context.shop)
}

interface SendOptions {
  streams?: Set<Readable>
  framedBy?: string | undefined
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: PageResponse,
  { streams, framedBy }: SendOptions,
): Promise<FastifyReply> {
  reply.code(response.status).headers(pageHeaders)
  if (response.html) reply.type('text/html; charset=utf-8')
  reply.headers(response.headers ?? {})
  if (framedBy) letFrame(reply, framedBy)
  const { stream, document } = response
  if (document) return sendDocument(request, reply, document)
  if (stream === undefined) return reply.send(response.html?.html ?? response.text ?? '')
  streams?.add(stream)
  stream.once('close', () => streams?.delete(stream))
  return reply.send(stream)
}

/** Pages of the shop's own site may frame its pages; the older header knows no list. */
function letFrame(reply: FastifyReply, origins: string): void {
  const policy = String(reply.getHeader('content-security-policy'))
  reply
    .header('content-security-policy', policy.replace("frame-ancestors 'none'", `frame-ancestors ${origins}`))
    .removeHeader('x-frame-options')
}

/** For all pages; a page adds its own. */
const pageHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), browsing-topics=()',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}
