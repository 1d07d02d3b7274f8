import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cachedEmbedding } from '../customer-page/embedding/cache.ts'
import { isListed, originsOf } from '../customer-page/embedding/rules.ts'
import type { Context, ShopRecord } from '../platform/foundation/context.ts'
import { ApiError } from '../platform/foundation/errors.ts'
import type { Operation } from '../platform/foundation/operation.ts'
import type { Authenticator } from './authenticate.ts'

export interface CrossOriginOptions {
  authenticator: Authenticator
  base: Pick<Context, 'db' | 'services'>
}

/** How long browsers remember what they may send. */
const preflightSeconds = 600

/** Lets scripts of the shop's own pages read the response, errors included. To be called before anything is checked. */
export function createCrossOriginCheck({ authenticator, base }: CrossOriginOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined) return
    const { slug = '' } = request.params as { slug?: string } // by the names in the route
    const shop = await knownShop(authenticator, slug)
    if (shop === undefined) return
    const { domains } = await cachedEmbedding(base, shop.id)
    if (!isListed(domains, origin)) return
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', 'Retry-After')
  }
}

/** Mounts the preflight request, which browsers send before JSON to another origin. */
export function mountPreflight(app: FastifyInstance, operation: Operation, url: string, options: CrossOriginOptions) {
  const methods = operation.method === 'GET' ? 'GET, HEAD' : operation.method
  app.route({
    method: 'OPTIONS',
    url,
    onRequest: createCrossOriginCheck(options),
    handler: async (_request, reply) => {
      reply.header('allow', `OPTIONS, ${methods}`)
      if (reply.hasHeader('access-control-allow-origin')) {
        reply.headers({
          'access-control-allow-methods': methods,
          'access-control-allow-headers': 'Content-Type',
          'access-control-max-age': String(preflightSeconds),
        })
      }
      return reply.code(204).send()
    },
  })
}

/** Origins whose pages may show those of the shop in a frame: those of its domains; undefined if it has none. */
export async function framingOrigins(
  base: Pick<Context, 'db' | 'services'>,
  shop: ShopRecord,
): Promise<string | undefined> {
  const { domains } = await cachedEmbedding(base, shop.id)
  return domains.length === 0 ? undefined : domains.flatMap(originsOf).join(' ')
}

async function knownShop(authenticator: Authenticator, slug: string): Promise<ShopRecord | undefined> {
  try {
    return await authenticator.shopOf(slug)
  } catch (error) {
    // The operation reports it.
    if (error instanceof ApiError) return undefined
    throw error
  }
}
