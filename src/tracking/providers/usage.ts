import type { TrackingProvider } from '../../adapters/carriers/registry.ts'
import type { AccountRow } from '../../credentials/provider-accounts/store.ts'
import type { UsageRow } from '../../credentials/provider-accounts/usage-store.ts'
import { after, dayMs, hourMs, secondMs } from '../../platform/foundation/clock.ts'
import { type ProviderUsage, quotaMinSeconds } from '../scans/schema.ts'

/** The first of the hours that a reply lists. */
export function usageSince(now: Date): Date {
  return after(hourOf(now), -23 * hourMs)
}

/** How much of a provider's limit a shop uses, from the hours in which it requested something. */
export function toUsage(
  { limit, minGapMs }: Pick<TrackingProvider, 'limit' | 'minGapMs'>,
  rows: readonly UsageRow[],
  account: AccountRow | undefined,
  now: Date,
): ProviderUsage {
  const first = usageSince(now).getTime()
  const byHour = new Map(rows.map((row) => [row.hour.getTime(), row]))
  const hours = Array.from({ length: 24 }, (_, index) => {
    const { requests = 0, failures = 0 } = byHour.get(first + index * hourMs) ?? {}
    return { hour: new Date(first + index * hourMs).toISOString(), requests, failures }
  })
  const since = (start: number) =>
    hours.reduce((sum, { hour, requests }) => sum + (Date.parse(hour) >= start ? requests : 0), 0)
  const midnight = now.getTime() - (now.getTime() % dayMs)
  const perSeconds = limit.perMs / secondMs
  const isLimited = account?.last_failure_status === 429 && account.paused_until !== null && account.paused_until > now
  return {
    requests_this_hour: hours.at(-1)?.requests ?? 0,
    requests_today: since(midnight),
    requests_last_24_hours: since(first),
    failures_last_24_hours: hours.reduce((sum, { failures }) => sum + failures, 0),
    limit: {
      requests: limit.requests,
      per_seconds: perSeconds,
      used: perSeconds < quotaMinSeconds ? null : since(now.getTime() - limit.perMs),
      min_gap_seconds: minGapMs === undefined ? null : minGapMs / secondMs,
    },
    resets_at: account && account.next_free_at > now ? account.next_free_at.toISOString() : null,
    rate_limited_until: isLimited ? (account.paused_until?.toISOString() ?? null) : null,
    hours,
  }
}

function hourOf(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % hourMs))
}
