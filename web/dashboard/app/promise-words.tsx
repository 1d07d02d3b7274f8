import type { Schemas } from 'doorstep-client'
import { Badge, type Tone } from '../kit/badge.tsx'
import { formatNumber } from '../kit/format.ts'
import { locale, t } from '../texts/texts.ts'

export type PromisedDelivery = Schemas['PromisedDelivery']
type Basis = NonNullable<PromisedDelivery['basis']>
type State = PromisedDelivery['state']

/** The basis of a promise, as text: "412 parcels on this route". */
export function basisWords(basis: Basis, sampleSize: number): string {
  if (basis === 'table') return t('promise.basis_table')
  return t(`promise.basis_${basis}`, { parcels: formatNumber(sampleSize), count: sampleSize })
}

const tones: Record<State, Tone> = { open: 'neutral', at_risk: 'late', kept: 'good', broken: 'wrong' }

export function PromiseBadge({ state }: { state: State }) {
  return <Badge tone={tones[state]}>{t(`promise.state_${state}`)}</Badge>
}

/** A day with its weekday: "Thu 20 Nov". It is the same day everywhere. */
export function promiseDay(day: string): string {
  return dayFormat().format(noonOf(day))
}

/** "Tue 18 – Thu 20 Nov", or the last day alone. */
export function promiseDays({ earliest, latest }: Pick<PromisedDelivery, 'earliest' | 'latest'>): string {
  if (earliest === null) return t('promise.by', { day: promiseDay(latest) })
  return dayFormat().formatRange(noonOf(earliest), noonOf(latest))
}

function dayFormat(): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale(), { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
}

function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}
