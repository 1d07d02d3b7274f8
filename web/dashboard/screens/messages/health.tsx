import type { Schemas } from 'doorstep-client'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { formatNumber, formatShare } from '../../kit/format.ts'
import { RelativeTime } from '../../kit/time.tsx'
import { hasText, rich, t } from '../../texts/texts.ts'

export type Health = Schemas['ReceiverHealth']
type Figures = Health['last_24_hours']

const tones: Record<Health['state'], Tone> = {
  healthy: 'good',
  failing: 'wrong',
  no_deliveries: 'neutral',
  disabled: 'neutral',
}

interface HealthBadgeProps {
  health: Health
  isEndpoint?: boolean
  /** It kept failing, and its messages wait. */
  isWaiting?: boolean
}

/** The state as text; an endpoint that is switched off is called paused. */
export function HealthBadge({ health, isEndpoint = false, isWaiting = false }: HealthBadgeProps) {
  const failing = health.state === 'failing' && isWaiting ? 'waiting' : health.state
  const state = health.state === 'disabled' && isEndpoint ? 'paused' : failing
  return <Badge tone={tones[health.state]}>{t(`messages.state.${state}`)}</Badge>
}

/** Below ten attempts a rate says little: the numbers themselves are shown. */
const smallestSample = 10

export function rateWords({ attempts, delivered, success_rate }: Figures): string {
  if (attempts === 0 || success_rate === null) return t('messages.no_attempts')
  if (attempts < smallestSample) return t('messages.few_attempts', { delivered, count: attempts })
  return t('messages.rate', { rate: formatShare(success_rate), attempts })
}

/** Counts end at a thousand. */
const countedAtMost = 1_000

export function boundedCount(count: number): string {
  return count >= countedAtMost ? `${formatNumber(countedAtMost)}+` : formatNumber(count)
}

export function reasonWords(reason: string): string {
  const key = `messages.reason.${reason}`
  return hasText(key) ? t(key) : reason
}

/** The advice; empty if there is none. The merchant's own server may have another than an integration. */
export function reasonHint(reason: string, isEndpoint: boolean): string {
  const own = `messages.hint_endpoint.${reason}`
  if (isEndpoint && hasText(own)) return t(own)
  const key = `messages.hint.${reason}`
  return hasText(key) ? t(key) : ''
}

/** Since when, how often and why a receiver fails. */
export function FailureSentence({ health, isEndpoint = false }: { health: Health; isEndpoint?: boolean }) {
  const { failing_since, consecutive_failures, last_failure } = health
  if (failing_since === null) return null
  const since = <RelativeTime at={failing_since} />
  return (
    <>
      {rich('messages.failing_text', { since, count: consecutive_failures })}{' '}
      {last_failure?.reason && `${reasonWords(last_failure.reason)}. ${reasonHint(last_failure.reason, isEndpoint)}`}
    </>
  )
}

/** How a receiver did in a day and a week, and what waits for it. */
export function HealthFigures({ health }: { health: Health }) {
  const figures = [
    [t('messages.last_24_hours'), rateWords(health.last_24_hours)],
    [t('messages.last_7_days'), rateWords(health.last_7_days)],
    [t('messages.pending'), boundedCount(health.pending)],
    [t('messages.dead'), boundedCount(health.dead)],
  ] as const
  return (
    <dl className="figures">
      {figures.map(([name, value]) => (
        <div key={name} className="figure">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className="figure">
        <dt>{t('messages.last_success')}</dt>
        <dd>{health.last_success_at ? <RelativeTime at={health.last_success_at} /> : t('messages.never')}</dd>
      </div>
    </dl>
  )
}
