import { sql } from 'kysely'
import { after, dayMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { sha256 } from '../foundation/crypto.ts'

declare module '../foundation/services.ts' {
  interface Services {
    /** Counts attempts at guessing. */
    readonly attempts: AttemptCounter
  }
}

/** How often something may be tried in a window of time. */
export interface AttemptLimit {
  name: string
  limit: number
  windowMs: number
}

/** One attempt by a subject, counted against one limit. */
export interface Attempt {
  limit: AttemptLimit
  subject: string
}

export interface CountedAttempt {
  /** Seconds to wait; 0 if the attempt is within all its limits. */
  waitSeconds: number
  /** The limit that it exceeds. */
  exceeded?: AttemptLimit
  /** The counts to give back if the attempt turns out to be right. */
  counted: { key: Buffer; endsAt: Date }[]
}

type Store = Pick<Context, 'db' | 'now'>

/** A subject over its limit is rejected without a query for this long; after that, attempts may have been given back. */
const limitedMs = 2_000
const maxRemembered = 50_000

/**
 * Limits guessing. An attempt is counted in the store before it is checked: however many come at the same moment, in
 * any process and on any node, no more are checked than the limit has.
 */
export class AttemptCounter {
  /** Attempts that this process has just seen over their limit: they need no statement. */
  readonly #limited = new Map<string, { endsAt: Date; untilMs: number }>()

  /** Counts an attempt against one limit after the other, and stops at the first that it exceeds. */
  async count(store: Store, attempts: Attempt[]): Promise<CountedAttempt> {
    for (const attempt of attempts) {
      const endsAt = this.#limitedUntil(store.now, attempt)
      if (endsAt) return { waitSeconds: secondsUntil(store.now, endsAt), exceeded: attempt.limit, counted: [] }
    }
    const counted: CountedAttempt['counted'] = []
    for (const attempt of attempts) {
      const key = keyOf(attempt)
      const { count, endsAt } = await countOne(store, attempt.limit, key)
      if (count > attempt.limit.limit) {
        this.#remember(store.now, attempt, endsAt)
        return { waitSeconds: secondsUntil(store.now, endsAt), exceeded: attempt.limit, counted: [] }
      }
      counted.push({ key, endsAt })
    }
    return { waitSeconds: 0, counted }
  }

  /** Whether this process has just seen it over the limit: needs no statement. */
  isLimited(now: Date, attempt: Attempt): boolean {
    return this.#limited.size > 0 && this.#limitedUntil(now, attempt) !== undefined
  }

  #limitedUntil(now: Date, { limit, subject }: Attempt): Date | undefined {
    const known = this.#limited.get(`${limit.name} ${subject}`)
    return known !== undefined && known.untilMs > now.getTime() && known.endsAt > now ? known.endsAt : undefined
  }

  #remember(now: Date, { limit, subject }: Attempt, endsAt: Date): void {
    if (this.#limited.size >= maxRemembered) this.#limited.clear()
    this.#limited.set(`${limit.name} ${subject}`, { endsAt, untilMs: now.getTime() + limitedMs })
  }
}

/** Undoes what was counted for an attempt that turned out to be right. */
export async function giveBackAttempts(store: Store, { counted }: CountedAttempt): Promise<void> {
  for (const { key, endsAt } of counted) {
    await sql`
      update attempt_counts set count = count - 1
      where subject = ${key} and ends_at = ${endsAt} and count > 0`.execute(store.db)
  }
}

/**
 * The count stops just above its limit: a rejected attempt does not count, so that one given back allows another. A
 * window that ends later than possible comes from a clock that ran ahead, and starts again.
 */
async function countOne(
  { db, now }: Store,
  { limit, windowMs }: AttemptLimit,
  key: Buffer,
): Promise<{ count: number; endsAt: Date }> {
  const isOver = sql`(known.ends_at <= ${now}::timestamptz or known.ends_at > ${after(now, 2 * windowMs)}::timestamptz)`
  const { rows } = await sql<{ count: number; endsAt: Date }>`
    insert into attempt_counts as known (subject, count, ends_at)
    values (${key}, 1, ${after(now, windowMs)})
    on conflict (subject) do update set
      count = case when ${isOver} then 1 else least(known.count + 1, ${sql.lit(limit + 1)}) end,
      ends_at = case when ${isOver} then excluded.ends_at else known.ends_at end
    returning count, ends_at as "endsAt"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an upsert returns its row')
  return row
}

/** Records for all nodes that this was right: for so long it is accepted, regardless of other attempts. */
export async function rememberRight(store: Store, subject: string, rememberedMs = dayMs): Promise<void> {
  await sql`
    insert into attempt_counts (subject, count, ends_at)
    values (${passKey(subject)}, 0, ${after(store.now, rememberedMs)})
    on conflict (subject) do update set ends_at = excluded.ends_at`.execute(store.db)
}

/** Whether this was right, on any node, and is still remembered. */
export async function wasRight(store: Store, subject: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count from attempt_counts where subject = ${passKey(subject)} and ends_at > ${store.now}`.execute(store.db)
  return rows.length > 0
}

/** Deletes counts whose window is over. */
export async function deleteEndedAttempts({ db, now }: Store): Promise<void> {
  await db.deleteFrom('attempt_counts').where('ends_at', '<=', now).execute()
}

/** Digests only: neither addresses nor user names are stored. */
function keyOf({ limit, subject }: Attempt): Buffer {
  return sha256(`${limit.name}\n${subject}`)
}

function passKey(subject: string): Buffer {
  return sha256(`right\n${subject}`)
}

function secondsUntil(now: Date, instant: Date): number {
  return Math.max(1, Math.ceil((instant.getTime() - now.getTime()) / 1_000))
}
