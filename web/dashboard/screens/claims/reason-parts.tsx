import { formatNumber } from '../../kit/format.ts'
import { wordOf } from '../orders/words.ts'
import { type Reason, reasons } from './search.ts'

/** A count with a bar beside it, as long as its share of the largest. */
export function CountBar({ count, most }: { count: number; most: number }) {
  return (
    <span className="count-bar">
      <span className="number">{formatNumber(count)}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect className="count-bar-whole" width="100" height="8" />
        <rect className="count-bar-part" width={most === 0 ? 0 : (100 * count) / most} height="8" />
      </svg>
    </span>
  )
}

/** The reasons in words, the most frequent first. */
export function ReasonParts({ counts }: { counts: Readonly<Record<Reason, number>> }) {
  const given = reasons.filter((reason) => counts[reason] > 0).toSorted((left, right) => counts[right] - counts[left])
  return (
    <span className="claim-outcomes">
      {given.map((reason) => (
        <span key={reason} className="nowrap">
          {formatNumber(counts[reason])} <span className="soft">{wordOf('claim_reason', reason)}</span>
        </span>
      ))}
    </span>
  )
}
