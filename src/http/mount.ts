import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Allowance } from '../foundation/allowance.ts'
import { minuteMs } from '../foundation/clock.ts'
import type { Context, ShopContext, ShopRecord } from '../foundation/context.ts'
import { sha256 } from '../foundation/crypto.ts'
import { ApiError, invalid } from '../foundation/errors.ts'
import type { Warnings } from '../foundation/lenient.ts'
import { Answer, type Operation } from '../foundation/operation.ts'
import { exactTotalLimit, type Page, pageBody, pageRequest } from '../foundation/page.ts'
import { highestRole, mayActAs, nobody, type Principal, roleIn } from '../foundation/roles.ts'
import { isBytesReply, isEmptyReply, isStreamReply } from '../foundation/schema.ts'
import type { Authenticator } from './authenticate.ts'
import { answerOnce, type Rendered } from './idempotency.ts'
import { createInputReader, type ReadInput } from './read-input.ts'
import { type AnonymousBodies, hasLargeBody, smallBodyBytes } from './unread-bodies.ts'

export interface MountOptions {
  authenticator: Authenticator
  /** Everything of a context that is the same for all requests. */
  base: Pick<Context, 'db' | 'services'>
  rateLimit: number
  importLimitBytes: number
  anonymousBodies: AnonymousBodies
  publicUrl: () => string
  /** Names the headers that are ours. */
  brand: string
}

const outsideShops = '00000000-0000-0000-0000-000000000000'

/** Makes routes of the operations: who may call, what comes in, what goes out and how, each done here once for all. */
export function mountOperations(app: FastifyInstance, operations: readonly Operation[], options: MountOptions): void {
  const allowance = new Allowance(options.rateLimit, minuteMs)
  // A plugin of their own, because parsers of bodies hold for all routes of one.
  app.register(async (signed) => {
    signed.removeAllContentTypeParsers()
    signed.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    mount(
      signed,
      operations.filter(({ isSigned }) => isSigned),
      allowance,
      options,
    )
  })
  mount(
    app,
    operations.filter(({ isSigned }) => !isSigned),
    allowance,
    options,
  )
}

function mount(
  app: FastifyInstance,
  operations: readonly Operation[],
  allowance: Allowance,
  options: MountOptions,
): void {
  for (const operation of operations) {
    const readInput = createInputReader(operation, options)

    /** Who asks, who may not ask this often included. */
    const identify = (request: FastifyRequest, now: Date): Principal | Promise<Principal> => {
      const isAnonymous = operation.needs === 'nobody' && request.headers.authorization === undefined
      return isAnonymous ? nobody : options.authenticator.principalOf(request, now)
    }

    const admit = (request: FastifyRequest, now: Date, principal: Principal, shop: ShopRecord | undefined): void => {
      if (operation.needs !== 'nobody') {
        const role = shop ? roleIn(principal, shop.id) : highestRole(principal)
        if (!mayActAs(role, operation.needs)) throw insufficientRights(operation, shop?.slug)
      }
      const context: Context & Partial<ShopContext> = {
        db: options.base.db,
        services: options.base.services,
        now,
        principal,
        acceptLanguage: request.headers['accept-language'],
        log: request.log,
        span: request.span,
      }
      if (shop) context.shop = shop
      request.operationContext = context
    }

    const findShop = (request: FastifyRequest, principal: Principal): ShopRecord | Promise<ShopRecord> | undefined => {
      if (options.rateLimit > 0 && operation.needs !== 'nobody') spend(allowance, principal.keyId)
      if (!operation.isShopScoped) return undefined
      return options.authenticator.shopOf((request.params as { slug?: string }).slug ?? '')
    }

    const askAndAdmit = async (request: FastifyRequest, now: Date, asked: Principal | Promise<Principal>) => {
      const principal = await asked
      admit(request, now, principal, await findShop(request, principal))
    }

    /**
     * Authentication first, then the shop, then the right: before a byte of the body is read. Almost always both are known,
     * and nothing is waited for.
     */
    const authorize = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
      const now = options.base.services.clock.now()
      const principal = identify(request, now)
      const shop = principal instanceof Promise ? undefined : findShop(request, principal)
      if (principal instanceof Promise) askAndAdmit(request, now, principal).then(() => done(), done)
      else if (shop instanceof Promise)
        shop.then((found) => admit(request, now, principal, found)).then(() => done(), done)
      else {
        admit(request, now, principal, shop)
        done()
      }
    }

    /** Before a byte of a large body is read, its sender must be one that could prove itself by it. */
    const admitStranger = async (request: FastifyRequest): Promise<void> => {
      const context = request.operationContext
      if (context.principal !== nobody || !hasLargeBody(request)) return
      const { params, headers } = request
      await operation.expects?.(context as ShopContext, { path: params as Record<string, string>, headers }) // by the names in its route
      options.anonymousBodies.admit(request)
    }

    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const context = request.operationContext
      // Of a stranger nothing is kept, and a stranger is given no answer that was kept for another.
      const isRepeatable = operation.method === 'POST' && context.principal !== nobody
      const idempotencyKey = isRepeatable ? readIdempotencyKey(request) : undefined
      const read = readInput(request)
      const input = read instanceof Promise ? await read : read
      let isHandled = false
      const render = async (context: Context) => {
        const result = await operation.handle(context, input as never)
        isHandled = true
        const rendered = toRendered(operation, result, input, () => new URL(request.url, options.publicUrl()))
        return input.warnings.count === 0 ? rendered : withWarnings(rendered, input.warnings, options.brand)
      }
      const answering = (): Promise<Rendered> =>
        idempotencyKey === undefined
          ? render(context)
          : answerOnce(
              context,
              operation,
              {
                shopId: (context as Partial<ShopContext>).shop?.id ?? outsideShops,
                keyId: context.principal.keyId,
                idempotencyKey,
              },
              [input.path, input.query, input.body, sentBytes(input)],
              render,
            )
      const { kept } = input
      const rendered = kept
        ? await discardUnless(
            answering,
            () => isHandled,
            async () => operation.uploadSink?.discard(context as ShopContext, kept),
          ) // as its uploadSink was given
        : await answering()
      reply.code(rendered.status).headers(rendered.headers)
      const { etag } = rendered.headers
      if (etag !== undefined && request.headers['if-none-match'] === etag) return reply.code(304).send()
      // Who asks for the head alone gets no rows made.
      if (rendered.body === '' || (rendered.body instanceof Readable && request.method === 'HEAD')) return reply.send()
      if (typeof rendered.body === 'string') reply.type('application/json; charset=utf-8')
      return reply.send(rendered.body)
    }

    for (const path of [operation.path, operation.aliasPath]) {
      if (path === undefined) continue
      app.route({
        method: operation.method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { operationName: operation.name, isUpload: operation.uploadSink !== undefined },
        onRequest: operation.needs === 'nobody' ? [authorize, admitStranger] : authorize,
        // What a stranger may say without a signature is short.
        ...(operation.needs === 'nobody' && !operation.isSigned ? { bodyLimit: smallBodyBytes } : {}),
        handler: answer,
      })
    }
  }
}

/** Discards what was kept for an operation that was not carried out, or was before. */
async function discardUnless(
  answering: () => Promise<Rendered>,
  isHandled: () => boolean,
  discard: () => Promise<void>,
): Promise<Rendered> {
  try {
    const rendered = await answering()
    if (!isHandled()) await discard()
    return rendered
  } catch (error) {
    await discard()
    throw error
  }
}

/** What of the request is bytes, for telling whether it is the same one again. */
function sentBytes({ upload, message, kept }: ReadInput): string | undefined {
  const sent = upload ?? message
  return kept?.sha256 ?? (sent && sha256(sent.bytes).toString('hex'))
}

declare module 'fastify' {
  interface FastifyRequest {
    operationContext: Context
  }
  interface FastifyContextConfig {
    operationName?: string
    /** Its body may be so large that it takes long to arrive. */
    isUpload?: boolean
  }
}

function spend(allowance: Allowance, keyId: string): void {
  const waitSeconds = allowance.waitSeconds(keyId)
  if (waitSeconds > 0) {
    throw new ApiError('rate_limited', `This key has used its requests for now. Try again in ${waitSeconds} s.`, {
      headers: { 'retry-after': String(waitSeconds) },
    })
  }
  allowance.use(keyId)
}

function insufficientRights(operation: Operation, slug: string | undefined): ApiError {
  const where = slug === undefined ? '' : ` in the shop "${slug}"`
  return new ApiError('insufficient_rights', `This needs a key with the role ${operation.needs}${where}.`)
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  const key = String(given)
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid(['header', 'Idempotency-Key'], 'must be 1 to 255 visible ASCII characters')
  }
  return key
}

function toRendered(operation: Operation, result: unknown, input: ReadInput, url: () => URL): Rendered {
  const headers = result instanceof Answer ? { ...result.headers } : {}
  const value: unknown = result instanceof Answer ? result.body : result
  const status = operation.successStatus
  if (status === 204 || isEmptyReply(operation.reply)) return { status, headers, body: '' }
  // Its handler answers texts, which go out as fast as the receiver takes them.
  if (isStreamReply(operation.reply)) {
    return { status, headers, body: Readable.from(value as AsyncIterable<string>, { objectMode: false }) }
  }
  if (isBytesReply(operation.reply)) return { status, headers, body: value as Uint8Array } // its handler answers bytes
  if (!operation.isPaged) return { status, headers, body: JSON.stringify(value ?? null) }
  const page = value as Page<unknown> // a paged reply's handler answers a page
  return {
    status,
    headers: { ...headers, ...pageHeaders(page, input, url()) },
    body: JSON.stringify(pageBody(operation.reply, page.items)),
  }
}

/** What was left out of a request is named in an answer that is an object, and counted in the header of any other. */
function withWarnings(rendered: Rendered, { listed, count }: Warnings, brand: string): Rendered {
  const { body, headers } = rendered
  if (typeof body === 'string' && body.startsWith('{')) {
    return { ...rendered, body: JSON.stringify({ ...JSON.parse(body), warnings: listed }) }
  }
  return { ...rendered, headers: { ...headers, [`${brand}-Warnings`.toLowerCase()]: String(count) } }
}

/** RFC 8288 links to the neighbouring pages, and the total where it is exact. */
function pageHeaders(page: Page<unknown>, input: ReadInput, url: URL): Record<string, string> {
  const { page: current } = pageRequest(input.query)
  const linkTo = (target: number, relation: string) => {
    const neighbour = new URL(url)
    neighbour.searchParams.set('page', String(target))
    return `<${neighbour.href}>; rel="${relation}"`
  }
  const links = [linkTo(1, 'first')]
  if (current > 1) links.push(linkTo(current - 1, 'prev'))
  if (page.hasNext) links.push(linkTo(current + 1, 'next'))
  const headers: Record<string, string> = { link: links.join(', ') }
  if (page.total !== undefined && page.total <= exactTotalLimit) headers['x-total-count'] = String(page.total)
  return headers
}
