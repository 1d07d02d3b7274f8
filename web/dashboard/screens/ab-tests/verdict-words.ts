import type { Schemas } from 'doorstep-client'
import type { Tone } from '../../kit/badge.tsx'
import { formatDate, formatNumber, formatShare } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'

export type Results = Schemas['AbTestResults']
export type Test = Schemas['AbTest']
export type Verdict = Schemas['AbTestVerdict']

/** No rate is shown below this many customers. */
export const fewestCustomers = 10

/** The result of the test, in one or two plain sentences. */
export function verdictWords(results: Results): string {
  const { verdict, status } = results
  if (status === 'scheduled') return t('ab_tests.verdict.scheduled')
  if (verdict.kind === 'mismatched') return t('ab_tests.verdict.mismatched')
  if (verdict.kind === 'too_early') return tooEarly(results)
  const { difference } = verdict
  if (difference === null) return tooEarly(results)
  const name = nameOf(results, verdict.campaign_id)
  const chance = chanceWords(verdict.chance ?? 0)
  if (verdict.kind === 'no_difference') {
    const most = Math.max(-difference.low, difference.high)
    return [t('ab_tests.verdict.no_difference', { most: pointsOf(most) }), nextStep(status)].join(' ')
  }
  if (verdict.kind === 'better') {
    const values = { name, chance, low: pointsOf(difference.low), high: pointsOf(difference.high) }
    return [t('ab_tests.verdict.better', { ...values, other: otherWords(results) }), nextStep(status)].join(' ')
  }
  return [t('ab_tests.verdict.leading', { name, chance }), waiting(verdict, status)].join(' ')
}

function tooEarly({ verdict, status }: Results): string {
  if (status === 'completed') return t('ab_tests.verdict.no_answer')
  return [t('ab_tests.verdict.too_early'), waiting(verdict, status)].filter(Boolean).join(' ')
}

function nextStep(status: Results['status']): string {
  return status === 'completed' ? t('ab_tests.verdict.ended') : t('ab_tests.verdict.may_end')
}

/** How long it will take at the present traffic; nothing if that cannot be said. */
function waiting({ days_left: days }: Verdict, status: Results['status']): string {
  if (status === 'completed') return t('ab_tests.verdict.ended_before')
  if (days === null || days === 0) return t('ab_tests.verdict.wait')
  if (days > 365) return t('ab_tests.verdict.wait_too_long')
  if (days > 13) return t('ab_tests.verdict.wait_weeks', { count: Math.round(days / 7) })
  return t('ab_tests.verdict.wait_days', { count: days })
}

function otherWords(results: Results): string {
  const { compared_with, other_campaign_id } = results.verdict
  if (compared_with === 'holdout') return t('ab_tests.than_nothing')
  return t('ab_tests.than', { name: nameOf(results, other_campaign_id) })
}

export function nameOf({ variants }: Results, campaignId: string | null): string {
  return variants.find(({ campaign_id }) => campaign_id === campaignId)?.name ?? ''
}

/** Never "100 %" or "0 %": a sample is never that sure. */
export function chanceWords(chance: number): string {
  if (chance > 0.99) return t('ab_tests.more_than', { share: formatShare(0.99) })
  if (chance < 0.01) return t('ab_tests.less_than', { share: formatShare(0.01) })
  return formatShare(Math.round(chance * 100) / 100)
}

/** A difference of shares in percentage points, without their name. */
export function pointsOf(share: number): string {
  return formatNumber(share * 100, 1)
}

export const statusTones: Record<Results['status'], Tone> = { scheduled: 'neutral', running: 'info', completed: 'good' }

export const verdictTones: Record<Verdict['kind'], Tone> = {
  too_early: 'neutral',
  leading: 'info',
  better: 'good',
  no_difference: 'neutral',
  mismatched: 'wrong',
}

export function periodWords({
  start_date,
  end_date,
  ended_at,
}: Pick<Test, 'start_date' | 'end_date' | 'ended_at'>): string {
  const from = start_date ? formatDate(start_date) : ''
  const end = ended_at ?? end_date
  return end ? t('ab_tests.from_to', { from, to: formatDate(end) }) : t('ab_tests.from', { from })
}

export function typeWords(type: string): string {
  return type === 'basic' || type === 'product' || type === 'banner' ? t(`ab_tests.type.${type}`) : type
}
