import type { Context } from '../../foundation/context.ts'
import { ApiError, invalid } from '../../foundation/errors.ts'
import { randomText } from '../../foundation/ids.ts'
import { operation } from '../../foundation/operation.ts'
import { mayActAs, roleIn } from '../../foundation/roles.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { type Grant, grantable, grantedExpiration } from './grant.ts'
import { CreatedKey, DeletedKey, KeyCreation, KeyId, KeyList } from './schema.ts'
import { deleteKey, insertKey, type KeyRecord, listKeys, unbindKey } from './store.ts'

export const listApiKeys = operation({
  name: 'listApiKeys',
  summary: 'List the API keys of a shop',
  description:
    "Every key that opens this shop: those bound to it, and those for all shops but the superadmin's own. Secrets are masked: they are shown once, when a key is created.",
  area: 'API keys',
  route: 'GET /v1/shops/{slug}/api-keys',
  needs: 'admin',
  reply: KeyList,
  handle: async (context) => toList(context, await listKeys(context, { shopId: context.shop.id })),
})

export const listEveryApiKey = operation({
  name: 'listEveryApiKey',
  summary: 'List all API keys',
  description: "Every key of the installation, whatever shops it is for, the superadmin's own included.",
  area: 'API keys',
  route: 'GET /v1/api-keys',
  needs: 'superadmin',
  reply: KeyList,
  handle: async (context) => toList(context, await listKeys(context, {})),
})

export const createApiKey = operation({
  name: 'createApiKey',
  summary: 'Create an API key',
  description: 'The secret is in this answer and nowhere else: keep it.',
  area: 'API keys',
  route: 'POST /v1/shops/{slug}/api-keys',
  needs: 'admin',
  body: KeyCreation,
  isBodyOptional: true,
  reply: CreatedKey,
  handle: (context, { body }) =>
    makeKey(context, body, [{ shop_slug: context.shop.slug, role: body.role ?? 'admin' }], context.shop.slug),
})

export const createApiKeyForAllShops = operation({
  name: 'createApiKeyForAllShops',
  summary: 'Create an API key for all shops',
  description: 'Or for those that `shops` names. The secret is in this answer and nowhere else: keep it.',
  area: 'API keys',
  route: 'POST /v1/api-keys',
  needs: 'superadmin',
  body: KeyCreation,
  isBodyOptional: true,
  reply: CreatedKey,
  handle: (context, { body }) =>
    makeKey(context, body, [{ shop_slug: '*', role: body.role ?? 'admin' }], context.principal.username),
})

export const deleteApiKey = operation({
  name: 'deleteApiKey',
  summary: 'Delete an API key',
  description:
    'The key stops working at once, on every node. A key that is also bound to shops which the caller does not administer only loses this shop. A key for all shops is deleted by the superadmin only.',
  area: 'API keys',
  route: 'DELETE /v1/shops/{slug}/api-keys/{token_id}',
  pathSchemas: { token_id: KeyId },
  needs: 'admin',
  reply: DeletedKey,
  errors: ['api_key_not_found'],
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const [key] = await listKeys(context, { shopId: context.shop.id, keyId: path.token_id })
      if (key === undefined) throw new ApiError('api_key_not_found', `This shop has no API key "${path.token_id}".`)
      // Taking the shop from it would not keep it out: it is refused rather than seemingly deleted.
      if (key.everywhere !== null && context.principal.everywhere !== 'superadmin') {
        throw new ApiError('insufficient_rights', 'This key is for all shops: only the superadmin can delete it.')
      }
      if (administersAll(context, key)) await deleteKey(context, key.id)
      else await unbindKey(context, context.shop.id, key.id)
      await context.services.announce(context, { kind: 'key', id: key.id })
      return { token_id: key.id }
    }),
})

export const deleteAnyApiKey = operation({
  name: 'deleteAnyApiKey',
  summary: 'Delete an API key, whatever shops it is for',
  description:
    "The key stops working at once, on every node and in all its shops. The superadmin's own key is changed by ADMIN_API_KEY and cannot be deleted.",
  area: 'API keys',
  route: 'DELETE /v1/api-keys/{token_id}',
  pathSchemas: { token_id: KeyId },
  needs: 'superadmin',
  reply: DeletedKey,
  errors: ['api_key_not_found'],
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const [key] = await listKeys(context, { keyId: path.token_id })
      if (key === undefined) throw new ApiError('api_key_not_found', `There is no API key "${path.token_id}".`)
      if (key.everywhere === 'superadmin') {
        throw new ApiError('insufficient_rights', "The superadmin's own key is set by ADMIN_API_KEY: change it there.")
      }
      await deleteKey(context, key.id)
      await context.services.announce(context, { kind: 'key', id: key.id })
      return { token_id: key.id }
    }),
})

function makeKey(context: Context, body: KeyCreation, ofPath: Grant[], usernameOfPath: string) {
  return inTransaction(context, async (context) => {
    const expiration = grantedExpiration(context.principal.expiration, body.expiration)
    if (expiration === undefined) {
      const until = new Date(context.principal.expiration * 1_000).toISOString()
      throw invalid(['body', 'expiration'], `must not be later than ${until}, when the key that makes it expires`)
    }
    const { everywhere, bound, granted } = await grantable(context, body.shops ?? ofPath)
    const key = {
      id: randomText(12),
      secret: `dsk_${randomText(40)}`,
      username: body.username ?? usernameOfPath,
      expiration,
    }
    await insertKey(context, { ...key, everywhere, shops: bound })
    return { ...key, shops: granted }
  })
}

function toList(context: Context, keys: KeyRecord[]) {
  return {
    username: context.principal.username,
    tokens: keys.map((key) => ({
      id: key.id,
      secret: `****${key.secretEnding}`,
      username: key.username,
      shops: [
        ...(key.everywhere === null ? [] : [{ shop_slug: '*', role: key.everywhere }]),
        ...key.shops
          .filter(({ shopId }) => roleIn(context.principal, shopId) !== undefined)
          .map(({ slug, role }) => ({ shop_slug: slug, role })),
      ],
      expiration: key.expiration,
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
    })),
  }
}

function administersAll(context: Context, key: KeyRecord): boolean {
  if (key.everywhere !== null) return context.principal.everywhere === 'superadmin'
  return key.shops.every(({ shopId }) => mayActAs(roleIn(context.principal, shopId), 'admin'))
}
