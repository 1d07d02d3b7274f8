import { Link } from '@tanstack/react-router'
import type { MarkTarget } from '../../kit/charts/marks.tsx'
import { formatShare } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'

export interface Failure {
  count: number
  /** "13 late". */
  words: string
  target: MarkTarget
}

interface RateCellProps {
  /** Null: too few parcels. */
  rate: number | null
  sample: number
  target: MarkTarget
  failures: readonly Failure[]
}

/** A rate with its sample, and how many it was not true for. Each number leads to its parcels. */
export function RateCell({ rate, sample, target, failures }: RateCellProps) {
  if (sample === 0) return <span className="soft">–</span>
  return (
    <div className="rate-cell">
      {rate === null ? <span className="soft">–</span> : <Link {...target}>{formatShare(rate)}</Link>}
      <span className="sample soft">
        {rate === null ? t('performance.few', { count: sample }) : t('home.of_parcels', { count: sample })}
      </span>
      {failures
        .filter(({ count }) => count > 0)
        .map(({ words, target }) => (
          <Link key={words} {...target} className="sample">
            {words}
          </Link>
        ))}
    </div>
  )
}
