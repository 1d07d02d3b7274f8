import { type RawBuilder, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** Whether a transaction can read one state of the store while others write. The embedded store has one connection. */
    readonly hasSnapshots: boolean
    /** The cost of trying the passphrase of an export; default: as in a backup. */
    readonly archiveCost?: number | undefined
  }
}

type Scope = Pick<Context, 'db'>

export interface Pause {
  pausedAt: Date | null
  pausedFor: string | null
}

export async function findPause({ db }: Scope, shopId: string): Promise<Pause> {
  const row = await db
    .selectFrom('shops')
    .where('id', '=', shopId)
    .select(['paused_at as pausedAt', 'paused_for as pausedFor'])
    .executeTakeFirst()
  return row ?? { pausedAt: null, pausedFor: null }
}

/** A shop that is paused stays so since then; only the reason is new. Returns the id of the transaction, for `hasSettled`. */
export async function setPause({ db }: Scope, shopId: string, now: Date, reason: string): Promise<string> {
  const { rows } = await sql<{ xid: string }>`
    update shops set paused_at = coalesce(paused_at, ${now}), paused_for = ${reason} where id = ${shopId}
    returning pg_current_xact_id()::text as xid`.execute(db)
  return rows[0]?.xid ?? '0'
}

export async function clearPause({ db }: Scope, shopId: string): Promise<void> {
  await db.updateTable('shops').set({ paused_at: null, paused_for: null }).where('id', '=', shopId).execute()
}

/** The exports that a process which ended has left unfinished: only for a store that belongs to one process. */
export async function clearPausesOfExports({ db }: Scope): Promise<void> {
  await db
    .updateTable('shops')
    .set({ paused_at: null, paused_for: null })
    .where('paused_at', 'is not', null)
    .where('paused_for', '=', 'export')
    .execute()
}

/** Whether every transaction that wrote when the shop was paused has ended. */
export async function hasSettled({ db }: Scope, xid: string): Promise<boolean> {
  const { rows } = await sql<{ settled: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) > ${xid}::xid8 as settled`.execute(db)
  return rows[0]?.settled === true
}

/**
 * Whether something may be on its way: a worker has leased a queue of deliveries or of orders to fetch, a delivery as
 * it was enqueued, or a message to the team.
 */
export async function hasSendsInFlight({ db }: Scope, shopId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (
      select 1 from receiver_leases where shop_id = ${shopId} and leased_until > ${now}
    ) or exists (
      select 1 from deliveries
      where shop_id = ${shopId} and finished_at is null and status = 'pending' and attempts = 0
        and next_attempt_at > ${now} and (postponed_until is null or postponed_until < next_attempt_at)
    ) or exists (
      select 1 from team_mails where shop_id = ${shopId} and is_claimed and due_at > ${now}
    ) or exists (
      select 1 from shopware_fetch_queues where shop_id = ${shopId} and blocked_until > ${now} and fetch_at <= ${now}
    ) or exists (
      select 1 from woocommerce_fetch_queues where shop_id = ${shopId} and blocked_until > ${now} and fetch_at <= ${now}
    ) as any`.execute(db)
  return rows[0]?.any === true
}

/** Reads one state of the store from beginning to end, if the store can do that beside other work. */
export async function* readSnapshot(
  context: ShopContext,
  read: (context: ShopContext) => AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  if (!context.services.hasSnapshots) return yield* read(context)
  const transaction = await context.db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    yield* read({ ...context, db: transaction })
  } finally {
    await transaction.rollback().execute()
  }
}

/** A shop's own row, as JSON. */
export async function readShop({ db }: Scope, shopId: string): Promise<string> {
  return readJson(db, sql`select to_jsonb(shops) from shops where id = ${shopId}`)
}

/** The keys that are for certain shops, this one among them: a key for all shops belongs to its installation. */
export async function readKeys({ db }: Scope, shopId: string): Promise<string> {
  return readJson(
    db,
    sql`
    select coalesce(jsonb_agg(to_jsonb(api_keys)), '[]') from api_keys
    where everywhere is null and id in (select key_id from api_key_shops where shop_id = ${shopId})`,
  )
}

/** The people that rows of the shop name, without what they sign in with. */
export async function readPeople({ db }: Scope, shopId: string): Promise<string> {
  return readJson(
    db,
    sql`
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'email', email, 'name', name, 'created_at', created_at)), '[]')
    from people
    where id in (
      select person_id from person_shops where shop_id = ${shopId}
      union select person_id from team_mail_subscriptions where shop_id = ${shopId}
      union select person_id from team_mails where shop_id = ${shopId}
    )`,
  )
}

async function readJson(db: Scope['db'], query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ found: string }>`select (${query})::text as found`.execute(db)
  return rows[0]?.found ?? 'null'
}

/** Orders with what the addresses of their pages are made from, in the order of their ids. */
export async function listPages(
  { db }: Scope,
  shopId: string,
  after: string,
  limit: number,
): Promise<{ orderId: string; nonce: string | null; email: string | null }[]> {
  const { rows } = await sql<{ orderId: string; nonce: string | null; email: string | null }>`
    select id as "orderId", page_nonce as nonce, email_id as email from orders
    where shop_id = ${shopId} and id > ${after} and erased_at is null
    order by id
    limit ${sql.lit(limit)}`.execute(db)
  return rows
}

export async function listDigests({ db }: Scope, shopId: string): Promise<string[]> {
  const rows = await db.selectFrom('mail_recipients').where('shop_id', '=', shopId).select('digest').execute()
  return rows.map(({ digest }) => `\\x${digest.toString('hex')}`)
}

/** Images of a shop in key order, starting after the given one. */
export async function listImages(
  { db }: Scope,
  shopId: string,
  after: string,
  limit: number,
): Promise<{ key: string; mediaType: string }[]> {
  return db
    .selectFrom('images')
    .where('shop_id', '=', shopId)
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .select(['key', 'media_type as mediaType'])
    .execute()
}

export interface KnownShop {
  id: string
  slug: string
  deletedAt: Date | null
  pausedFor: string | null
  updatedAt: Date
}

/** The shops that an imported one could be mistaken for: those with its id, and one that has its slug. */
export async function findSameShops({ db }: Scope, id: string, slug: string): Promise<KnownShop[]> {
  const { rows } = await sql<KnownShop>`
    select id, slug, deleted_at as "deletedAt", paused_for as "pausedFor", updated_at as "updatedAt" from shops
    where id = ${id} or (slug = ${slug} and deleted_at is null)`.execute(db)
  return rows
}

/** Inserts the shop hidden, as a deleted one: until it is complete, nothing is read, written or sent for it. */
export async function insertHiddenShop(
  { db }: Scope,
  { id, slug, row }: { id: string; slug: string; row: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into shops
    select (jsonb_populate_record(null::shops, ${row}::jsonb || jsonb_build_object(
      'id', ${id}::uuid, 'slug', ${slug}::text, 'deleted_at', ${now}::timestamptz, 'paused_at', ${now}::timestamptz,
      'paused_for', 'import', 'updated_at', ${now}::timestamptz
    ))).*`.execute(db)
}

/** Records that the import is in progress. False if it was given up meanwhile, because it had recorded nothing for too long. */
export async function touchImport({ db }: Scope, shopId: string, before: Date, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shops')
    .set({ updated_at: now })
    .where('id', '=', shopId)
    .where('paused_for', '=', 'import')
    .where('updated_at', '=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The names of those keys that cannot be inserted, because their id or secret belongs to another key here. */
export async function findForeignKeys({ db }: Scope, keys: string): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    with given as (select * from jsonb_populate_recordset(null::api_keys, ${keys}::jsonb))
    select given.username from given join api_keys on api_keys.id = given.id
    where api_keys.secret_hash <> given.secret_hash or api_keys.everywhere is not null
    union
    select given.username from given join api_keys on api_keys.secret_hash = given.secret_hash
    where api_keys.id <> given.id`.execute(db)
  return rows.map(({ username }) => username)
}

/** Inserts keys of certain shops that are not here yet. */
export async function insertKeys({ db }: Scope, keys: string): Promise<void> {
  await sql`
    insert into api_keys (id, username, secret_hash, secret_ending, everywhere, expiration, created_at, last_used_at)
    select id, username, secret_hash, secret_ending, null, expiration, created_at, last_used_at
    from jsonb_populate_recordset(null::api_keys, ${keys}::jsonb)
    on conflict (id) do nothing`.execute(db)
}

/** People who have one of these ids or addresses here. */
export async function findPeople({ db }: Scope, people: string): Promise<{ id: string; email: string }[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    with given as (select id, email from jsonb_populate_recordset(null::people, ${people}::jsonb))
    select people.id, people.email from people join given on given.id = people.id
    union
    select people.id, people.email from people join given on given.email = people.email`.execute(db)
  return rows
}

/** Inserts people whose address has no account yet, without any right. */
export async function insertPeople({ db }: Scope, people: string): Promise<void> {
  await sql`
    insert into people (id, email, name, created_at)
    select id, email, name, created_at from jsonb_populate_recordset(null::people, ${people}::jsonb)
    on conflict (email) do nothing`.execute(db)
}

/** Some may be known already: the shop has been at the same installation before. */
export async function insertMovedKeys(
  { db }: Scope,
  keys: { shop_id: string; id: string; sealed: Buffer; valid_until: Date | null }[],
): Promise<void> {
  if (keys.length === 0) return
  await db
    .insertInto('moved_signing_keys')
    .values(keys)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The page links that the shop's former installations have sent out; some of them may be known already. */
export async function insertPageLinks({ db }: Scope, shopId: string, links: string): Promise<void> {
  await sql`
    insert into moved_page_links (shop_id, order_id, proof_hash, nonce)
    select ${shopId}::uuid, order_id, proof_hash, nonce
    from jsonb_populate_recordset(null::moved_page_links, ${links}::jsonb)
    on conflict do nothing`.execute(db)
}

/** Drops the pending work of a copy: the original may have done it since. Deliveries can be resent from the log. */
export async function dropPending({ db }: Scope, shopId: string, now: Date): Promise<void> {
  await sql`delete from deliveries where shop_id = ${shopId} and finished_at is null and target = 'automations'`.execute(
    db,
  )
  await sql`
    update deliveries set status = 'skipped', finished_at = ${now}
    where shop_id = ${shopId} and finished_at is null`.execute(db)
  await sql`
    update automation_runs set status = 'cancelled', reason = 'restored from a copy', finished_at = ${now}
    where shop_id = ${shopId} and status = 'pending'`.execute(db)
  await sql`delete from team_mails where shop_id = ${shopId}`.execute(db)
}

/** Shows the complete shop. False if its import was given up meanwhile. */
export async function showShop(
  { db }: Scope,
  shop: { id: string; touchedAt: Date; updatedAt: Date; pause: { at: Date; for: string } | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shops')
    .set({
      deleted_at: null,
      updated_at: shop.updatedAt,
      paused_at: shop.pause?.at ?? null,
      paused_for: shop.pause?.for ?? null,
    })
    .where('id', '=', shop.id)
    .where('paused_for', '=', 'import')
    .where('updated_at', '=', shop.touchedAt)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
