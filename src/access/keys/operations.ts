import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { randomText } from '../../platform/foundation/ids.ts'
import { rejectExpiring } from '../../platform/foundation/lasting-access.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { mayActAs, roleIn } from '../../platform/foundation/roles.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { checkGrants, expirationOf, type Grant } from './grant.ts'
import {
  CreatedKey,
  DeletedKey,
  KeyCreation,
  KeyId,
  KeyList,
  RotatedSuperadminKey,
  SuperadminKeyRotation,
} from './schema.ts'
import {
  deleteKey,
  formerSuperadminId,
  insertKey,
  type KeyRecord,
  listKeys,
  rotateSuperadminSecret,
  unbindKey,
} from './store.ts'

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** Whether ADMIN_API_KEY is set: then only the operator changes the superadmin's key. */
    readonly isAdminKeySet: boolean
  }
}

const auditedKey = {
  kind: 'api_key',
  named: 'username',
  async read(context: Context, id: string): Promise<object | undefined> {
    const [key] = await listKeys(context, { keyId: id })
    if (key === undefined) return undefined
    const { username, everywhere, shops, expiration, secretEnding } = key
    const roles = Object.fromEntries(shops.map(({ slug, role }) => [slug, role]))
    return { username, secret: `****${secretEnding}`, everywhere, shops: roles, expiration }
  },
}

export const listApiKeys = operation({
  name: 'listApiKeys',
  summary: 'List the API keys of a shop',
  description:
    "Returns every key with access to this shop: keys bound to it, and keys for all shops except the superadmin's own. Secrets are masked; a secret is returned only once, when its key is created.",
  area: 'API keys',
  route: 'GET /v1/shops/{slug}/api-keys',
  needs: 'admin',
  reply: KeyList,
  handle: async (context) => toList(context, await listKeys(context, { shopId: context.shop.id })),
})

export const listEveryApiKey = operation({
  name: 'listEveryApiKey',
  summary: 'List all API keys',
  description: "Returns every key of the installation, for any shop, including the superadmin's own.",
  area: 'API keys',
  route: 'GET /v1/api-keys',
  needs: 'superadmin',
  reply: KeyList,
  handle: async (context) => toList(context, await listKeys(context, {})),
})

export const createApiKey = operation({
  name: 'createApiKey',
  summary: 'Create an API key',
  description: 'The secret is returned only once, in this response. Store it.',
  area: 'API keys',
  route: 'POST /v1/shops/{slug}/api-keys',
  needs: 'admin',
  body: KeyCreation,
  isBodyOptional: true,
  reply: CreatedKey,
  audit: auditedKey,
  handle: (context, { body }) =>
    issueKey(context, body, [{ shop_slug: context.shop.slug, role: body.role ?? 'admin' }], context.shop.slug),
})

export const createApiKeyForAllShops = operation({
  name: 'createApiKeyForAllShops',
  summary: 'Create an API key for all shops',
  description: 'Or for the shops in `shops`. The secret is returned only once, in this response. Store it.',
  area: 'API keys',
  route: 'POST /v1/api-keys',
  needs: 'superadmin',
  body: KeyCreation,
  isBodyOptional: true,
  reply: CreatedKey,
  audit: auditedKey,
  handle: (context, { body }) =>
    issueKey(context, body, [{ shop_slug: '*', role: body.role ?? 'admin' }], context.principal.username),
})

export const deleteApiKey = operation({
  name: 'deleteApiKey',
  summary: 'Delete an API key',
  description:
    'The key stops working immediately, on every node. A key that is also bound to shops in which the caller is not an admin only loses access to this shop. Only the superadmin can delete a key for all shops.',
  area: 'API keys',
  route: 'DELETE /v1/shops/{slug}/api-keys/{token_id}',
  pathSchemas: { token_id: KeyId },
  needs: 'admin',
  reply: DeletedKey,
  errors: ['api_key_not_found'],
  audit: auditedKey,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const [key] = await listKeys(context, { shopId: context.shop.id, keyId: path.token_id })
      if (key === undefined) throw new ApiError('api_key_not_found', `This shop has no API key "${path.token_id}".`)
      // Unbinding this shop would not revoke its access, so this is an error rather than a deletion without effect.
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
  summary: 'Delete an API key of any shop',
  description:
    "The key stops working immediately, on every node and in all its shops. The superadmin's own key cannot be deleted; change it with ADMIN_API_KEY.",
  area: 'API keys',
  route: 'DELETE /v1/api-keys/{token_id}',
  pathSchemas: { token_id: KeyId },
  needs: 'superadmin',
  reply: DeletedKey,
  errors: ['api_key_not_found'],
  audit: auditedKey,
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

export const rotateSuperadminKey = operation({
  name: 'rotateSuperadminKey',
  summary: "Rotate the superadmin's API key",
  description:
    'The new key is returned only once, in this response. For `former_valid_hours` the former one works, too, but cannot be used to rotate again. A key that is set by ADMIN_API_KEY is changed there.',
  area: 'API keys',
  route: 'POST /v1/api-keys/superadmin/rotate',
  needs: 'superadmin',
  body: SuperadminKeyRotation,
  isBodyOptional: true,
  reply: RotatedSuperadminKey,
  errors: ['insufficient_rights', 'api_key_not_found'],
  audit: { ...auditedKey, isAct: true, id: () => 'superadmin' },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      rejectExpiring(context.principal, 'rotate the key of the superadmin')
      if (context.services.isAdminKeySet) {
        throw new ApiError('insufficient_rights', "The superadmin's own key is set by ADMIN_API_KEY: change it there.")
      }
      const secret = `dsk_${randomText(40)}`
      const hours = body.former_valid_hours ?? 24
      const until = hours === 0 ? undefined : Math.floor(after(context.now, hours * hourMs).getTime() / 1_000)
      const rotated = await rotateSuperadminSecret(context, secret, until)
      if (rotated === undefined) throw new ApiError('api_key_not_found', 'There is no key of the superadmin.')
      for (const id of ['superadmin', formerSuperadminId]) await context.services.announce(context, { kind: 'key', id })
      return { id: 'superadmin', username: rotated.username, secret, former_valid_until: until ?? null }
    }),
})

function issueKey(context: Context, body: KeyCreation, defaultGrants: Grant[], defaultUsername: string) {
  return inTransaction(context, async (context) => {
    const expiration = expirationOf(context.principal.expiration, body.expiration)
    if (expiration === undefined) {
      const until = new Date(context.principal.expiration * 1_000).toISOString()
      throw invalid(['body', 'expiration'], `must not be later than ${until}, when the key of this request expires`)
    }
    const { everywhere, bound, granted } = await checkGrants(context, body.shops ?? defaultGrants)
    const key = {
      id: randomText(12),
      secret: `dsk_${randomText(40)}`,
      username: body.username ?? defaultUsername,
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
