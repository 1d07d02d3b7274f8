import { setTimeout as wait } from 'node:timers/promises'
import { minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { numberArrivals } from '../../webhooks/event-feed/store.ts'
import { clearPause, findPause, hasSendsInFlight, hasSettled, setPause } from './store.ts'

export type PauseReason = 'operator' | 'export' | 'move' | 'copy'

/** Longer than any node trusts what it has cached while it hears of no changes. */
const noticeMs = secondMs
const pollMs = 50
/** An attempt to deliver takes ten seconds at most. */
const limitMs = minuteMs

/**
 * Pauses the shop, and resolves when nothing is in flight for it any more: every request that was admitted has been
 * committed or rejected, and what was being sent has been recorded.
 */
export async function pauseShop(context: ShopContext, reason: PauseReason): Promise<void> {
  const xid = await inTransaction(context, async (context) => {
    const xid = await setPause(context, context.shop.id, context.now, reason)
    await context.services.announce(context, { kind: 'shop', id: context.shop.id, slug: context.shop.slug })
    return xid
  })
  await wait(noticeMs)
  const startMs = performance.now()
  while (!(await isQuiet(context, xid))) {
    if (performance.now() - startMs > limitMs) throw busy(context)
    await wait(pollMs)
  }
  // Positions in the feed are part of what moves.
  while ((await numberArrivals(context, context.shop.id)) > 0);
}

export async function resumeShop(context: ShopContext): Promise<void> {
  await inTransaction(context, async (context) => {
    await clearPause(context, context.shop.id)
    await context.services.announce(context, { kind: 'shop', id: context.shop.id, slug: context.shop.slug })
  })
}

export async function readPause(context: ShopContext): Promise<{ paused_at: string | null; reason: string | null }> {
  const { pausedAt, pausedFor } = await findPause(context, context.shop.id)
  return { paused_at: pausedAt?.toISOString() ?? null, reason: pausedFor }
}

async function isQuiet(context: ShopContext, xid: string): Promise<boolean> {
  if (!(await hasSettled(context, xid))) return false
  return !(await hasSendsInFlight(context, context.shop.id, context.services.clock.now()))
}

function busy({ shop }: ShopContext): ApiError {
  return new ApiError(
    'store_unavailable',
    `Something is still in flight for the shop "${shop.slug}" after a minute. It stays paused: try again, or resume it.`,
    { headers: { 'retry-after': '10' } },
  )
}
