import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { isSame, sha256 } from '../../platform/foundation/crypto.ts'
import type { Principal, Role } from '../../platform/foundation/roles.ts'

export interface KeyRecord {
  id: string
  username: string
  secretEnding: string
  everywhere: Role | null
  shops: { shopId: string; slug: string; role: Role }[]
  expiration: number
  lastUsedAt: Date | null
}

/** The principal with these credentials. The caller must check whether the key has expired. */
export async function findPrincipal(
  context: Pick<Context, 'db'>,
  username: string,
  secret: string,
): Promise<Principal | undefined> {
  const found = await readPrincipal(context, { column: 'secret_hash', value: sha256(secret) })
  return found !== undefined && isSame(found.username, username) ? found : undefined
}

/** The current rights of a key. The caller must check whether it has expired. */
export function findPrincipalById(context: Pick<Context, 'db'>, id: string): Promise<Principal | undefined> {
  return readPrincipal(context, { column: 'id', value: id })
}

async function readPrincipal(
  context: Pick<Context, 'db'>,
  { column, value }: { column: 'secret_hash'; value: Buffer } | { column: 'id'; value: string },
): Promise<Principal | undefined> {
  const rows = await context.db
    .selectFrom('api_keys')
    .leftJoin('api_key_shops', 'api_key_shops.key_id', 'api_keys.id')
    .where(`api_keys.${column}`, '=', value)
    .select(['id', 'username', 'everywhere', 'expiration', 'api_key_shops.shop_id', 'api_key_shops.role'])
    .execute()
  const [first] = rows
  if (first === undefined) return undefined
  const shops = new Map<string, Role>()
  for (const row of rows) if (row.shop_id !== null && row.role !== null) shops.set(row.shop_id, row.role)
  return {
    kind: 'key',
    keyId: first.id,
    username: first.username,
    name: first.username,
    everywhere: first.everywhere ?? undefined,
    shops,
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

/**
 * Keys with all shops that they are bound to, oldest first. With a shop id, the keys with access to that shop, except for
 * the superadmin's own; without one, every key of the installation.
 */
export async function listKeys(
  context: Pick<Context, 'db'>,
  { shopId, keyId }: { shopId?: string; keyId?: string },
): Promise<KeyRecord[]> {
  const conditions = [
    ...(keyId === undefined ? [] : [sql`api_keys.id = ${keyId}`]),
    ...(shopId === undefined ? [] : [sql`api_keys.id in (${idsOfKeysFor(shopId)})`]),
  ]
  const { rows } = await sql<KeyRow>`
    select api_keys.id, api_keys.username, api_keys.secret_ending, api_keys.everywhere, api_keys.expiration,
      api_keys.last_used_at, bound.shop_id, bound.role, bound.slug
    from api_keys
    left join (
      select api_key_shops.key_id, api_key_shops.shop_id, api_key_shops.role, shops.slug
      from api_key_shops
      join shops on shops.id = api_key_shops.shop_id and shops.deleted_at is null
    ) as bound on bound.key_id = api_keys.id
    ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}
    order by api_keys.created_at, api_keys.id, bound.slug`.execute(context.db)
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
    if (row.shop_id !== null) key.shops.push({ shopId: row.shop_id, slug: row.slug, role: row.role })
    keys.set(row.id, key)
  }
  return [...keys.values()]
}

/** A key with one of its shops, or without any. */
type KeyRow = {
  id: string
  username: string
  secret_ending: string
  everywhere: Role | null
  expiration: number
  last_used_at: Date | null
} & ({ shop_id: string; slug: string; role: Role } | { shop_id: null })

function idsOfKeysFor(shopId: string): RawBuilder<unknown> {
  return sql`
    select key_id from api_key_shops where shop_id = ${shopId}
    union all
    select id from api_keys where everywhere is not null and everywhere <> 'superadmin'`
}

/** Keeps the key from being deleted until the transaction ends. */
export async function lockKey(
  context: Context,
  keyId: string,
): Promise<{ username: string; expiration: number } | undefined> {
  return context.db
    .selectFrom('api_keys')
    .where('id', '=', keyId)
    .select(['username', 'expiration'])
    .forKeyShare()
    .executeTakeFirst()
}

export async function deleteKey(context: Context, keyId: string): Promise<void> {
  await context.db.deleteFrom('api_keys').where('id', '=', keyId).execute()
}

export async function unbindKey(context: Context, shopId: string, keyId: string): Promise<void> {
  await context.db.deleteFrom('api_key_shops').where('shop_id', '=', shopId).where('key_id', '=', keyId).execute()
}

/** Deletes keys that are bound to this shop only. Returns how many. */
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

export async function recordKeyUse(context: Pick<Context, 'db'>, lastUse: ReadonlyMap<string, Date>): Promise<void> {
  if (lastUse.size === 0) return
  const ids = [...lastUse.keys()]
  const times = [...lastUse.values()].map((time) => time.toISOString())
  await sql`
    update api_keys set last_used_at = greatest(api_keys.last_used_at, used.at)
    from unnest(${ids}::text[], ${times}::timestamptz[]) as used (id, at)
    where api_keys.id = used.id`.execute(context.db)
}

/** Replaces the superadmin's keys, at a start with a changed ADMIN_API_KEY. */
export async function putSuperadminKeys(
  context: Pick<Context, 'db' | 'now'>,
  username: string,
  secrets: readonly string[],
): Promise<void> {
  await removeSuperadminKeys(context)
  for (const [index, secret] of secrets.entries()) {
    const id = index === 0 ? 'superadmin' : `superadmin-${index + 1}`
    await insertKey(context, { id, username, secret, everywhere: 'superadmin', shops: [], expiration: 0 })
  }
}

export async function removeSuperadminKeys(context: Pick<Context, 'db'>): Promise<void> {
  await context.db.deleteFrom('api_keys').where('everywhere', '=', 'superadmin').execute()
}

/** Of the keys that ADMIN_API_KEY has set, in its order. */
export async function findSuperadminHashes(context: Pick<Context, 'db'>, username: string): Promise<Buffer[]> {
  const rows = await context.db
    .selectFrom('api_keys')
    .where('everywhere', '=', 'superadmin')
    .where('id', '<>', formerSuperadminId)
    .where('username', '=', username)
    .orderBy('id')
    .select('secret_hash')
    .execute()
  return rows.map(({ secret_hash }) => secret_hash)
}

/** Replaces the superadmin's secret. The former one is valid until then, in Unix seconds; undefined: no longer. */
export async function rotateSuperadminSecret(
  context: Pick<Context, 'db' | 'now'>,
  secret: string,
  formerUntil: number | undefined,
): Promise<{ username: string } | undefined> {
  const known = await context.db
    .selectFrom('api_keys')
    .where('id', '=', 'superadmin')
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
  if (known === undefined) return undefined
  await context.db.deleteFrom('api_keys').where('id', '=', formerSuperadminId).execute()
  await context.db
    .updateTable('api_keys')
    .set({ secret_hash: sha256(secret), secret_ending: secret.slice(-4) })
    .where('id', '=', 'superadmin')
    .execute()
  if (formerUntil !== undefined) {
    const former = { ...known, id: formerSuperadminId, expiration: formerUntil }
    await context.db.insertInto('api_keys').values(former).execute()
  }
  return { username: known.username }
}

/** At most 16 characters, like every id of a key. */
export const formerSuperadminId = 'superadmin-old'
