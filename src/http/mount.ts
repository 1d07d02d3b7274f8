import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Allowance } from '../foundation/allowance.ts'
import { minuteMs } from '../foundation/clock.ts'
import { sha256 } from '../foundation/crypto.ts'
import { invalid, Refusal } from '../foundation/errors.ts'
import { Answer, type Context, type Operation, type ShopContext } from '../foundation/operation.ts'
import { exactTotalLimit, type Page, pageBody, pageRequest } from '../foundation/page.ts'
import { highestRole, mayActAs, type Principal, roleIn } from '../foundation/roles.ts'
import { isBytesReply, isEmptyReply } from '../foundation/schema.ts'
import type { Authenticator } from './authenticate.ts'
import { answerOnce, type Rendered } from './idempotency.ts'
import { createInputReader, type ReadInput } from './read-input.ts'

export interface MountOptions {
  authenticator: Authenticator
  /** Everything of a context that is the same for all requests. */
  base: Pick<Context, 'db' | 'services'>
  rateLimit: number
  publicUrl: () => string
}

const nobody: Principal = { keyId: '', username: '', everywhere: undefined, shops: new Map() }
const outsideShops = '00000000-0000-0000-0000-000000000000'

/** Makes routes of the operations: who may call, what comes in, what goes out and how, each done here once for all. */
export function mountOperations(app: FastifyInstance, operations: readonly Operation[], options: MountOptions): void {
  const allowance = new Allowance(options.rateLimit, minuteMs)

  for (const operation of operations) {
    const readInput = createInputReader(operation)

    /** Authentication first, then the shop, then the right: before a byte of the body is read. */
    const authorize = async (request: FastifyRequest): Promise<void> => {
      const now = options.base.services.clock.now()
      const isAnonymous = operation.needs === 'nobody' && request.headers.authorization === undefined
      const principal = isAnonymous ? nobody : await options.authenticator.principalOf(request, now)
      if (options.rateLimit > 0 && operation.needs !== 'nobody') spend(allowance, principal.keyId)
      const slug = (request.params as { slug?: string }).slug
      const context: Context & Partial<ShopContext> = {
        ...options.base,
        now,
        principal,
        acceptLanguage: request.headers['accept-language'],
        log: request.log,
      }
      if (operation.isShopScoped) context.shop = await options.authenticator.shopOf(slug ?? '')
      if (operation.needs !== 'nobody') {
        const role = context.shop ? roleIn(principal, context.shop.id) : highestRole(principal)
        if (!mayActAs(role, operation.needs)) throw insufficientRights(operation, context.shop?.slug)
      }
      request.operationContext = context
    }

    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const context = request.operationContext
      const input = await readInput(request)
      const render = async (context: Context) =>
        toRendered(
          operation,
          await operation.handle(context, input as never),
          input,
          () => new URL(request.url, options.publicUrl()),
        )
      const idempotencyKey = operation.method === 'POST' ? readIdempotencyKey(request) : undefined
      const rendered =
        idempotencyKey === undefined
          ? await render(context)
          : await answerOnce(
              context,
              operation,
              {
                shopId: (context as Partial<ShopContext>).shop?.id ?? outsideShops,
                keyId: context.principal.keyId,
                idempotencyKey,
              },
              [input.path, input.query, input.body, input.upload && sha256(input.upload.bytes).toString('hex')],
              render,
            )
      reply.code(rendered.status).headers(rendered.headers)
      const { etag } = rendered.headers
      if (etag !== undefined && request.headers['if-none-match'] === etag) return reply.code(304).send()
      if (rendered.body === '') return reply.send()
      if (typeof rendered.body === 'string') reply.type('application/json; charset=utf-8')
      return reply.send(rendered.body)
    }

    for (const path of [operation.path, operation.aliasPath]) {
      if (path === undefined) continue
      app.route({
        method: operation.method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { operationName: operation.name },
        onRequest: authorize,
        handler: answer,
      })
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    operationContext: Context
  }
  interface FastifyContextConfig {
    operationName?: string
  }
}

function spend(allowance: Allowance, keyId: string): void {
  const waitSeconds = allowance.waitSeconds(keyId)
  if (waitSeconds > 0) {
    throw new Refusal('rate_limited', `This key has used its requests for now. Try again in ${waitSeconds} s.`, {
      headers: { 'retry-after': String(waitSeconds) },
    })
  }
  allowance.use(keyId)
}

function insufficientRights(operation: Operation, slug: string | undefined): Refusal {
  const where = slug === undefined ? '' : ` in the shop "${slug}"`
  return new Refusal('insufficient_rights', `This needs a key with the role ${operation.needs}${where}.`)
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
  if (isBytesReply(operation.reply)) return { status, headers, body: value as Uint8Array } // its handler answers bytes
  if (!operation.isPaged) return { status, headers, body: JSON.stringify(value ?? null) }
  const page = value as Page<unknown> // a paged reply's handler answers a page
  return {
    status,
    headers: { ...headers, ...pageHeaders(page, input, url()) },
    body: JSON.stringify(pageBody(operation.reply, page.items)),
  }
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
