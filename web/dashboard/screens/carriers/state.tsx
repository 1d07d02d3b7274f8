import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { formatClock, formatNumber, formatTime } from '../../kit/format.ts'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import type { Provider } from './known-providers.ts'

const tones: Record<Provider['health']['state'], Tone> = {
  healthy: 'good',
  failing: 'wrong',
  no_requests: 'info',
  no_credentials: 'late',
  disabled: 'neutral',
}

export function StateBadge({ provider: { status, health } }: { provider: Provider }) {
  const isTested = status === 'testing' && health.state === 'healthy'
  return (
    <Badge tone={isTested ? 'info' : tones[health.state]}>
      {isTested ? t('carriers.state.testing') : t(`carriers.state.${health.state}`)}
    </Badge>
  )
}

/** The one thing to know about a provider now, and what to do about it. */
export function StateSentence({ provider }: { provider: Provider }): ReactNode {
  const { name, status, health, usage } = provider
  if (health.state === 'failing') {
    return (
      <>
        {t('carriers.failing', {
          name,
          since: sinceWords(health.failing_since),
          reason: t(`carriers.failure.${health.last_failure_reason ?? 'no_response'}`),
        })}{' '}
        {t(`carriers.hint.${health.last_failure_reason ?? 'no_response'}`)}{' '}
        {usage.rate_limited_until
          ? rich('carriers.limited_until', { when: <RelativeTime at={usage.rate_limited_until} /> })
          : health.paused_until && rich('carriers.next_try', { when: <RelativeTime at={health.paused_until} /> })}
      </>
    )
  }
  if (health.state === 'healthy') {
    const when = health.last_success_at && <RelativeTime at={health.last_success_at} />
    return (
      <>
        {when && rich('carriers.works', { name, when })} {status === 'testing' && t('carriers.testing_text')}
      </>
    )
  }
  if (health.state === 'disabled' && status !== 'disabled') return t('carriers.all_off_short')
  return t(`carriers.about_state.${health.state}`, { name })
}

/** Today, the time says it; before, the date does. */
function sinceWords(at: string | null): string {
  if (at === null) return t('carriers.now')
  return new Date(at).toDateString() === new Date().toDateString() ? formatClock(at) : formatTime(at)
}

/** How much of the limit is used, as text, and as a bar if the limit can be used up. */
export function Quota({ usage }: { usage: Provider['usage'] }) {
  const { limit, resets_at } = usage
  if (limit.used === null) {
    return (
      <p className="soft small">
        {t('carriers.pace', {
          count: limit.requests,
          period: limit.per_seconds === 1 ? t('carriers.second') : t('carriers.seconds', { count: limit.per_seconds }),
        })}
      </p>
    )
  }
  const share = Math.min(1, limit.used / limit.requests)
  return (
    <div className="quota">
      <meter
        min={0}
        max={limit.requests}
        high={limit.requests * 0.8}
        optimum={0}
        value={Math.min(limit.used, limit.requests)}
        aria-label={t('carriers.quota')}
      />
      <p className={share >= 0.8 ? 'small late-text' : 'soft small'}>
        {t('carriers.quota_used', { used: formatNumber(limit.used), limit: formatNumber(limit.requests) })}
        {resets_at && <> {rich('carriers.resets', { when: <RelativeTime at={resets_at} /> })}</>}
      </p>
    </div>
  )
}

/** "10,000 or more": parcels are counted up to there. */
export function parcelCount(count: number): string {
  return count >= 10_000 ? t('carriers.or_more', { count }) : formatNumber(count)
}
