import { call, lastDays } from '../../app/call.ts'
import { type HomeSearch, usualPeriod } from './search.ts'

export function attentionCall(slug: string) {
  return call('/v1/shops/{slug}/attention', { params: { path: { slug } } })
}

/** The figures of a period, next to those of the period before. */
export function figuresCall(slug: string, { days = usualPeriod }: HomeSearch) {
  const query = { ...lastDays(Number(days)), compare: true }
  return call('/v1/shops/{slug}/analytics/summary', { params: { path: { slug }, query } })
}
