import type { Schemas } from 'doorstep-client'
import { Badge, type Tone } from '../kit/badge.tsx'
import { formatCountry, formatDay, formatList, formatShare } from '../kit/format.ts'
import { type TextKey, t } from '../texts/texts.ts'

export type Exception = Schemas['Exception']
export type ExceptionKind = Exception['kind']

/** Most serious first. */
export const exceptionKinds = ['customs', 'lost', 'failed', 'returning', 'stuck', 'waiting', 'late', 'at_risk'] as const

const tones: Record<ExceptionKind, Tone> = {
  customs: 'wrong',
  lost: 'wrong',
  failed: 'wrong',
  returning: 'late',
  stuck: 'late',
  waiting: 'info',
  late: 'late',
  at_risk: 'info',
}

export function KindBadge({ kind }: { kind: ExceptionKind }) {
  return <Badge tone={tones[kind]}>{t(`exceptions.kind.${kind}`)}</Badge>
}

/** The reason why a parcel is listed, in one or two sentences. */
export function whyOf(exception: Exception): string {
  const { kind, facts, other_kinds: others } = exception
  const carrier = exception.carrier_name ?? t('exceptions.the_carrier')
  const sentences: Record<ExceptionKind, () => string> = {
    customs: () => sinceDays('exceptions.why.customs', facts.days, { carrier, event: eventIn(exception) }),
    lost: () => sinceDays('exceptions.why.lost', facts.days, { carrier }),
    failed: () => sinceDays('exceptions.why.failed', facts.days, { carrier, event: eventIn(exception) }),
    returning: () => sinceDays('exceptions.why.returning', facts.days, { event: eventIn(exception) }),
    stuck: () => whyStuck(exception, carrier),
    waiting: () => whyWaiting(exception),
    late: () => whyLate(exception),
    at_risk: () => whyAtRisk(exception),
  }
  const also = others.map((other) => t(`exceptions.also.${other}`))
  return [
    sentences[kind](),
    ...(also.length > 0 ? [t('exceptions.also.sentence', { kinds: formatList(also) })] : []),
  ].join(' ')
}

/** "Today" and "for 0 days" are said differently. */
function sinceDays(
  key:
    | 'exceptions.why.customs'
    | 'exceptions.why.lost'
    | 'exceptions.why.failed'
    | 'exceptions.why.returning'
    | 'exceptions.why.waiting',
  days: number,
  values: Record<string, string>,
): string {
  return days === 0 ? t(`${key}_today`, values) : t(key, { ...values, count: days })
}

function whyStuck({ facts, phase, destination_country: country, direction }: Exception, carrier: string): string {
  if (phase === 'order_processed') return t('exceptions.why.no_scan', { carrier, count: facts.days })
  const silence = t('exceptions.why.stuck', { carrier, count: facts.days })
  if (facts.usual_scan_hours === null || country === null || direction !== 'merchant_customer') return `${silence}.`
  return `${silence}; ${usual(facts.usual_scan_hours, formatCountry(country))}.`
}

function usual(hours: number, country: string): string {
  if (hours < 24) return t('exceptions.why.usual_hours', { country, count: hours })
  return t('exceptions.why.usual_days', { country, count: Math.ceil(hours / 24) })
}

function whyWaiting({ facts }: Exception): string {
  const place = facts.pickup_name ?? t('exceptions.pickup_point')
  const waiting = sinceDays('exceptions.why.waiting', facts.days, { place })
  return facts.pickup_by ? `${waiting} ${t('exceptions.why.pickup_by', { day: formatDay(facts.pickup_by) })}` : waiting
}

function whyLate({ facts }: Exception): string {
  if (facts.expected_by === null) return t('exceptions.why.late_at_all')
  const key: TextKey = facts.expected_source === 'carrier' ? 'exceptions.why.late' : 'exceptions.why.late_predicted'
  return t(key, { day: formatDay(facts.expected_by) })
}

function whyAtRisk({ facts }: Exception): string {
  // A promised day is the same day everywhere.
  const day = facts.promised_by === null ? facts.expected_by : `${facts.promised_by}T12:00:00`
  if (day === null || facts.chance === null) return t('exceptions.why.at_risk_at_all')
  const key: TextKey = facts.promised_by === null ? 'exceptions.why.at_risk' : 'exceptions.why.at_risk_promised'
  return t(key, { day: formatDay(day), chance: formatShare(facts.chance) })
}

/** The words of its last event, without a full stop: a sentence goes on after it. */
function eventIn({ facts }: Exception): string {
  return facts.last_event.text.replace(/\.$/, '')
}
