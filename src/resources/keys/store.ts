import { sql } from 'kysely'
import { isSame, sha256 } from '../../foundation/crypto.ts'
import type { Context } from '../../foundation/operation.ts'
import type { Principal, Role } from '../../foundation/roles.ts'

export interface KeyRecord {
  id: string
  username: string
  secretEnding: string
  everywhere: Role | null
  shops: { shopId: string; slug: string; role: Role }[]
  expiration: number
  lastUsedAt: Date | null
}

/** The key of these credentials, if there is one; whether it has expired is the caller's to judge. */
export async function findPrincipal(
  context: Pick<Context, 'db'>,
  username: string,
  secret: string,
): Promise<{ principal: Principal; expiration: number } | undefined> {
  const rows = await context.db
    .selectFrom('api_keys')
    .leftJoin('api_key_shops', 'api_key_shops.key_id', 'api_keys.id')
    .where('api_keys.secret_hash', '=', sha256(secret))
    .select(['id', 'username', 'everywhere', 'expiration', 'api_key_shops.shop_id', 'api_key_shops.role'])
    .execute()
  const [first] = rows
  if (first === undefined || !isSame(first.username, username)) return undefined
  const shops = new Map<string, Role>()
  for (const row of rows) if (row.shop_id !== null && row.role !== null) shops.set(row.shop_id, row.role)
  return {
    principal: { keyId: first.id, username: first.username, everywhere: first.everywhere ?? undefined, shops },
    expiration: first.expiration,
  }
}

export async function insertKey(
  context: Pick<Context, 'db' | 'now'>,
  key: {
    id: string
    username: string
    secret: string
    everywhere: Role | null
    shops: { shopId: string; role: Role }[]
    expiration: number
  },
): Promise<void> {
  await context.db
    .insertInto('api_keys')
    .values({
      id: key.id,
      username: key.username,
      secret_hash: sha256(key.secret),
      secret_ending: key.secret.slice(-4),
      everywhere: key.everywhere,
      expiration: key.expiration,
      created_at: context.now,
      last_used_at: null,
    })
    .execute()
  if (key.shops.length === 0) return
  await context.db
    .insertInto('api_key_shops')
    .values(key.shops.map(({ shopId, role }) => ({ shop_id: shopId, key_id: key.id, role })))
    .execute()
}

/** The keys bound to a shop, oldest first, each with all the shops it is bound to. */
export async function listKeys(context: Context, shopId: string, keyId?: string): Promise<KeyRecord[]> {
  let query = context.db
    .selectFrom('api_key_shops as bound')
    .innerJoin('api_keys', 'api_keys.id', 'bound.key_id')
    .innerJoin('api_key_shops as every', 'every.key_id', 'bound.key_id')
    .innerJoin('shops', 'shops.id', 'every.shop_id')
    .where('bound.shop_id', '=', shopId)
    .where('shops.deleted_at', 'is', null)
  if (keyId !== undefined) query = query.where('bound.key_id', '=', keyId)
  const rows = await query
    .select([
      'api_keys.id',
      'api_keys.username',
      'api_keys.secret_ending',
      'api_keys.everywhere',
      'api_keys.expiration',
      'api_keys.last_used_at',
      'every.shop_id',
      'every.role',
      'shops.slug',
    ])
    .orderBy('api_keys.created_at')
    .orderBy('api_keys.id')
    .orderBy('shops.slug')
    .execute()
  const keys = new Map<string, KeyRecord>()
  for (const row of rows) {
    const key = keys.get(row.id) ?? {
      id: row.id,
      username: row.username,
      secretEnding: row.secret_ending,
      everywhere: row.everywhere,
      shops: [],
      expiration: row.expiration,
      lastUsedAt: row.last_used_at,
    }
    key.shops.push({ shopId: row.shop_id, slug: row.slug, role: row.role })
    keys.set(row.id, key)
  }
  return [...keys.values()]
}

export async function deleteKey(context: Context, keyId: string): Promise<void> {
  await context.db.deleteFrom('api_keys').where('id', '=', keyId).execute()
}

export async function unbindKey(context: Context, shopId: string, keyId: string): Promise<void> {
  await context.db.deleteFrom('api_key_shops').where('shop_id', '=', shopId).where('key_id', '=', keyId).execute()
}

/** Deletes keys that are for this shop and no other; answers how many. */
export async function deleteKeysOfShopAlone(context: Context, shopId: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_keys where id in (
      select api_keys.id
      from api_key_shops as bound
      join api_keys on api_keys.id = bound.key_id
      where bound.shop_id = ${shopId} and api_keys.everywhere is null and not exists (
        select 1 from api_key_shops as other where other.key_id = bound.key_id and other.shop_id <> bound.shop_id
      )
      limit ${sql.lit(limit)}
    )`.execute(context.db)
  return Number(numAffectedRows ?? 0)
}

/** Records when keys were last used, for many at once. */
export async function recordKeyUse(context: Pick<Context, 'db'>, lastUse: ReadonlyMap<string, Date>): Promise<void> {
  if (lastUse.size === 0) return
  const ids = [...lastUse.keys()]
  const times = [...lastUse.values()].map((time) => time.toISOString())
  await sql`
    update api_keys set last_used_at = greatest(api_keys.last_used_at, used.at)
    from unnest(${ids}::text[], ${times}::timestamptz[]) as used (id, at)
    where api_keys.id = used.id`.execute(context.db)
}

/** Makes the superadmin's key be this one: a changed ADMIN_API_KEY replaces the former at the next start. */
export async function putSuperadminKey(
  context: Pick<Context, 'db' | 'now'>,
  username: string,
  secret: string,
): Promise<void> {
  await context.db.deleteFrom('api_keys').where('everywhere', '=', 'superadmin').execute()
  await insertKey(context, { id: 'superadmin', username, secret, everywhere: 'superadmin', shops: [], expiration: 0 })
}

export async function findSuperadminHash(context: Pick<Context, 'db'>, username: string): Promise<Buffer | undefined> {
  const row = await context.db
    .selectFrom('api_keys')
    .where('everywhere', '=', 'superadmin')
    .where('username', '=', username)
    .select('secret_hash')
    .executeTakeFirst()
  return row?.secret_hash
}
