import { sql } from 'kysely'
import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Principal, Role } from '../../platform/foundation/roles.ts'
import { isOfDeletedShop } from '../../platform/store/deleted-shops.ts'
import { maxIdleMs } from './cookie.ts'

/** Whose session it is. */
export interface SessionOwner {
  kind: 'person' | 'key'
  id: string
}

/** A session with the caller that it stands for. */
export interface StoredSession {
  id: string
  principal: Principal
  lastUsedAt: Date
  expiresAt: Date
}

export interface SessionRecord {
  id: string
  created_at: Date
  last_used_at: Date
  expires_at: Date
  user_agent: string
  network: string
}

/** The session of a token, if its owner may still sign in. The caller must check whether it has expired. */
export async function findSession(
  context: Pick<Context, 'db'>,
  tokenHash: Uint8Array,
): Promise<StoredSession | undefined> {
  const { rows } = await sql<SessionRow>`
    select sessions.id, sessions.last_used_at, sessions.expires_at,
      people.id as person_id, people.email, people.name, people.everywhere as person_everywhere,
      api_keys.id as key_id, api_keys.username, api_keys.everywhere as key_everywhere, api_keys.expiration,
      array(
        select bound.shop_id || ' ' || bound.role
        from (
          select shop_id, role from person_shops where person_id = sessions.person_id
          union all
          select shop_id, role from api_key_shops where key_id = sessions.key_id
        ) as bound
        where ${isOfDeletedShop('bound')} = false
      ) as shops
    from sessions
    left join people on people.id = sessions.person_id and people.disabled_at is null
    left join api_keys on api_keys.id = sessions.key_id
    where sessions.token_hash = ${tokenHash}`.execute(context.db)
  const [row] = rows
  const principal = row && principalOf(row)
  return principal && { id: row.id, principal, lastUsedAt: row.last_used_at, expiresAt: row.expires_at }
}

interface SessionRow {
  id: string
  last_used_at: Date
  expires_at: Date
  person_id: string | null
  email: string
  name: string
  person_everywhere: Role | null
  key_id: string | null
  username: string
  key_everywhere: Role | null
  expiration: number
  /** `shop_id role` */
  shops: string[]
}

function principalOf(row: SessionRow): Principal | undefined {
  const shops = new Map(row.shops.map((text) => text.split(' ') as [string, Role])) // as selected
  const common = { sessionId: row.id, shops }
  if (row.person_id !== null) {
    return {
      ...common,
      kind: 'person',
      keyId: row.person_id,
      username: row.email,
      name: row.name,
      everywhere: row.person_everywhere ?? undefined,
      expiration: 0,
    }
  }
  // A disabled person.
  if (row.key_id === null) return undefined
  return {
    ...common,
    kind: 'key',
    keyId: row.key_id,
    username: row.username,
    name: row.username,
    everywhere: row.key_everywhere ?? undefined,
    expiration: row.expiration,
  }
}

export async function insertSession(
  context: Pick<Context, 'db'>,
  owner: SessionOwner,
  session: Omit<SessionRecord, 'last_used_at'> & { token_hash: Buffer },
): Promise<void> {
  await context.db
    .insertInto('sessions')
    .values({
      ...session,
      last_used_at: session.created_at,
      person_id: owner.kind === 'person' ? owner.id : null,
      key_id: owner.kind === 'key' ? owner.id : null,
    })
    .execute()
}

/** The owner's sessions that have not ended, newest first. */
export async function listSessions(
  context: Pick<Context, 'db' | 'now'>,
  owner: SessionOwner,
  limit: number,
): Promise<SessionRecord[]> {
  return context.db
    .selectFrom('sessions')
    .where(columnOf(owner), '=', owner.id)
    .where('expires_at', '>', context.now)
    .where('last_used_at', '>', after(context.now, -maxIdleMs))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .select(['id', 'created_at', 'last_used_at', 'expires_at', 'user_agent', 'network'])
    .execute()
}

/** False if the owner has no such session. */
export async function deleteSession(context: Pick<Context, 'db'>, owner: SessionOwner, id: string): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where(columnOf(owner), '=', owner.id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** All of the owner's sessions, except for one. Returns how many. */
export async function deleteSessionsOf(
  context: Pick<Context, 'db'>,
  owner: SessionOwner,
  exceptId?: string,
): Promise<number> {
  const { numDeletedRows } = await context.db
    .deleteFrom('sessions')
    .where(columnOf(owner), '=', owner.id)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes all but the newest of the owner's sessions, and returns the deleted ones. */
export async function deleteOldestSessions(
  context: Pick<Context, 'db'>,
  owner: SessionOwner,
  keep: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from sessions where id in (
      select id from sessions where ${sql.ref(columnOf(owner))} = ${owner.id}
      order by created_at desc
      offset ${sql.lit(keep)}
    )
    returning id`.execute(context.db)
  return rows.map(({ id }) => id)
}

export async function recordSessionUse(
  context: Pick<Context, 'db'>,
  lastUse: ReadonlyMap<string, Date>,
): Promise<void> {
  if (lastUse.size === 0) return
  const ids = [...lastUse.keys()]
  const times = [...lastUse.values()].map((time) => time.toISOString())
  await sql`
    update sessions set last_used_at = greatest(sessions.last_used_at, used.at)
    from unnest(${ids}::uuid[], ${times}::timestamptz[]) as used (id, at)
    where sessions.id = used.id`.execute(context.db)
}

/** Deletes sessions and links whose time is over. The last use of a session is stored a minute late, so idle ones stay for longer. */
export async function deleteEndedSessions({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await sql`delete from sessions where expires_at <= ${now}`.execute(db)
  await sql`delete from sessions where last_used_at <= ${after(now, -maxIdleMs - hourMs)}`.execute(db)
  await sql`delete from sign_in_links where expires_at <= ${now}`.execute(db)
}

function columnOf({ kind }: SessionOwner): 'person_id' | 'key_id' {
  return kind === 'person' ? 'person_id' : 'key_id'
}
