import { invalid, Refusal } from '../../foundation/errors.ts'
import { randomText } from '../../foundation/ids.ts'
import { type Context, inTransaction, operation, type ShopContext } from '../../foundation/operation.ts'
import { type GrantableRole, mayActAs, type Role, roleIn } from '../../foundation/roles.ts'
import { findShopIds } from '../shops/store.ts'
import { CreatedKey, DeletedKey, KeyCreation, KeyList } from './schema.ts'
import { deleteKey, insertKey, type KeyRecord, listKeys, unbindKey } from './store.ts'

export const listApiKeys = operation({
  name: 'listApiKeys',
  summary: 'List the API keys of a shop',
  description: 'Secrets are masked: they are shown once, when a key is created.',
  area: 'API keys',
  route: 'GET /v1/shops/{slug}/api-keys',
  needs: 'admin',
  reply: KeyList,
  async handle(context) {
    const keys = await listKeys(context, context.shop.id)
    return {
      username: context.principal.username,
      tokens: keys.map((key) => ({
        id: key.id,
        secret: `****${key.secretEnding}`,
        username: key.username,
        shops: key.shops
          .filter(({ shopId }) => roleIn(context.principal, shopId) !== undefined)
          .map(({ slug, role }) => ({ shop_slug: slug, role: role as GrantableRole })), // no shop is bound as superadmin
        expiration: key.expiration,
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
      })),
    }
  },
})

export const createApiKey = operation({
  name: 'createApiKey',
  summary: 'Create an API key',
  description: 'The secret is in this answer and nowhere else: keep it.',
  area: 'API keys',
  route: 'POST /v1/shops/{slug}/api-keys',
  needs: 'admin',
  body: KeyCreation,
  reply: CreatedKey,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const role = body.role ?? 'admin'
      const wanted = body.shops ?? [{ shop_slug: context.shop.slug, role }]
      const { everywhere, shops } = await grantable(context, wanted)
      const key = {
        id: randomText(12),
        secret: `dsk_${randomText(40)}`,
        username: body.username ?? context.shop.slug,
        expiration: body.expiration ?? 0,
      }
      await insertKey(context, { ...key, everywhere, shops })
      return { ...key, shops: wanted }
    }),
})

export const deleteApiKey = operation({
  name: 'deleteApiKey',
  summary: 'Delete an API key',
  description:
    'The key stops working at once, on every node. A key that is also bound to shops which the caller does not administer only loses this shop.',
  area: 'API keys',
  route: 'DELETE /v1/shops/{slug}/api-keys/{token_id}',
  needs: 'admin',
  reply: DeletedKey,
  refuses: ['api_key_not_found'],
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const [key] = await listKeys(context, context.shop.id, path.token_id)
      if (key === undefined) throw new Refusal('api_key_not_found', `This shop has no API key "${path.token_id}".`)
      if (administersAll(context, key)) await deleteKey(context, key.id)
      else await unbindKey(context, context.shop.id, key.id)
      await context.services.announce(context, { kind: 'key', id: key.id })
      return { token_id: key.id }
    }),
})

/** Nobody hands out more than they hold: in each shop the caller must be an admin, for all shops a superadmin. */
async function grantable(
  context: ShopContext,
  wanted: { shop_slug: string; role: GrantableRole }[],
): Promise<{ everywhere: Role | null; shops: { shopId: string; role: Role }[] }> {
  const ids = await findShopIds(context, [...new Set(wanted.map(({ shop_slug }) => shop_slug))])
  const shops = new Map<string, Role>()
  let everywhere: Role | null = null
  for (const [index, { shop_slug, role }] of wanted.entries()) {
    if (shop_slug === '*') {
      if (context.principal.everywhere !== 'superadmin') {
        throw new Refusal('insufficient_rights', 'Only the superadmin can create a key for all shops.')
      }
      everywhere = role
      continue
    }
    const shopId = ids.get(shop_slug)
    const held = shopId === undefined ? undefined : roleIn(context.principal, shopId)
    // A shop the caller cannot see is reported like one that does not exist.
    if (shopId === undefined || held === undefined) {
      throw invalid(['body', 'shops', index, 'shop_slug'], `there is no shop "${shop_slug}"`)
    }
    if (!mayActAs(held, 'admin')) {
      throw new Refusal('insufficient_rights', `This needs the role admin in the shop "${shop_slug}".`)
    }
    shops.set(shopId, role)
  }
  return { everywhere, shops: [...shops].map(([shopId, role]) => ({ shopId, role })) }
}

function administersAll(context: Context, key: KeyRecord): boolean {
  if (key.everywhere !== null) return context.principal.everywhere === 'superadmin'
  return key.shops.every(({ shopId }) => mayActAs(roleIn(context.principal, shopId), 'admin'))
}
