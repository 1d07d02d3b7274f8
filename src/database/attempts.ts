import { sql } from 'kysely'
import { after, dayMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { sha256 } from '../foundation/crypto.ts'

/** How often something may be tried in a window of time. */
export interface AttemptLimit {
  name: string
  limit: number
  windowMs: number
}

/** Who tries what, counted against one limit. */
export interface Attempt {
  limit: AttemptLimit
  subject: string
}

export interface CountedAttempt {
  /** Seconds to wait; 0 where the attempt is within all its limits. */
  waitSeconds: number
  /** What to give back where the attempt turns out to be right. */
  counted: { key: Buffer; endsAt: Date }[]
}

type Store = Pick<Context, 'db' | 'now'>

/** A refused subject is refused for so long without a statement; attempts given back may have made room by then. */
const rememberedMs = 2_000
const maxRemembered = 50_000

/**
 * Limits what can be guessed. An attempt is counted in the store before it is checked: however many come at the same
 * moment, in any process and on any node, no more are checked than the limit has.
 */
export class AttemptCounter {
  /** The first line of defence: what this process has just seen refused. */
  readonly #refused = new Map<string, { endsAt: Date; untilMs: number }>()

  /** Counts an attempt against its limits in turn; against a later one only where it is within those before. */
  async count(store: Store, attempts: Attempt[]): Promise<CountedAttempt> {
    for (const attempt of attempts) {
      const endsAt = this.#refusedUntil(store.now, attempt)
      if (endsAt) return { waitSeconds: secondsUntil(store.now, endsAt), counted: [] }
    }
    const counted: CountedAttempt['counted'] = []
    for (const attempt of attempts) {
      const key = keyOf(attempt)
      const { count, endsAt } = await countOne(store, attempt.limit, key)
      if (count > attempt.limit.limit) {
        this.#remember(store.now, attempt, endsAt)
        return { waitSeconds: secondsUntil(store.now, endsAt), counted: [] }
      }
      counted.push({ key, endsAt })
    }
    return { waitSeconds: 0, counted }
  }

  /** Whether this process has just seen it refused: asks no store. */
  isRefused(now: Date, attempt: Attempt): boolean {
    return this.#refused.size > 0 && this.#refusedUntil(now, attempt) !== undefined
  }

  #refusedUntil(now: Date, { limit, subject }: Attempt): Date | undefined {
    const known = this.#refused.get(`${limit.name} ${subject}`)
    return known !== undefined && known.untilMs > now.getTime() && known.endsAt > now ? known.endsAt : undefined
  }

  #remember(now: Date, { limit, subject }: Attempt, endsAt: Date): void {
    if (this.#refused.size >= maxRemembered) this.#refused.clear()
    this.#refused.set(`${limit.name} ${subject}`, { endsAt, untilMs: now.getTime() + rememberedMs })
  }
}

/** Takes back what was counted for an attempt that turned out to be right. */
export async function giveBackAttempts(store: Store, { counted }: CountedAttempt): Promise<void> {
  for (const { key, endsAt } of counted) {
    await sql`
      update attempt_counts set count = count - 1
      where subject = ${key} and ends_at = ${endsAt} and count > 0`.execute(store.db)
  }
}

/**
 * The count stops just above its limit: what is refused does not count, so that attempts given back make room again. A
 * window that ends later than any can was made by a clock that ran ahead, and is begun again.
 */
async function countOne(
  { db, now }: Store,
  { limit, windowMs }: AttemptLimit,
  key: Buffer,
): Promise<{ count: number; endsAt: Date }> {
  const isOver = sql`(kept.ends_at <= ${now}::timestamptz or kept.ends_at > ${after(now, 2 * windowMs)}::timestamptz)`
  const { rows } = await sql<{ count: number; endsAt: Date }>`
    insert into attempt_counts as kept (subject, count, ends_at)
    values (${key}, 1, ${after(now, windowMs)})
    on conflict (subject) do update set
      count = case when ${isOver} then 1 else least(kept.count + 1, ${sql.lit(limit + 1)}) end,
      ends_at = case when ${isOver} then excluded.ends_at else kept.ends_at end
    returning count, ends_at as "endsAt"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an upsert returns its row')
  return row
}

/** For so long something that was right once is let through, whatever others try beside it. */
const passMs = dayMs

/** Notes for all nodes that this was right. */
export async function rememberRight(store: Store, subject: string): Promise<void> {
  await sql`
    insert into attempt_counts (subject, count, ends_at)
    values (${passKey(subject)}, 0, ${after(store.now, passMs)})
    on conflict (subject) do update set ends_at = excluded.ends_at`.execute(store.db)
}

/** Whether this was right within the last day, on any node. */
export async function wasRight(store: Store, subject: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count from attempt_counts where subject = ${passKey(subject)} and ends_at > ${store.now}`.execute(store.db)
  return rows.length > 0
}

/** Deletes counts whose window is over. */
export async function deleteEndedAttempts({ db, now }: Store): Promise<void> {
  await db.deleteFrom('attempt_counts').where('ends_at', '<=', now).execute()
}

/** Digests only: neither addresses nor user names are kept. */
function keyOf({ limit, subject }: Attempt): Buffer {
  return sha256(`${limit.name}\n${subject}`)
}

function passKey(subject: string): Buffer {
  return sha256(`right\n${subject}`)
}

function secondsUntil(now: Date, instant: Date): number {
  return Math.max(1, Math.ceil((instant.getTime() - now.getTime()) / 1_000))
}
