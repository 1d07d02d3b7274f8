import { useEffect, useState } from 'react'
import { formatExactTime, formatRelative } from './format.ts'

/** A moment as people say it; the exact time is shown on hover, on focus and to screen readers. */
export function RelativeTime({ at }: { at: string }) {
  const now = useMinute()
  const exact = formatExactTime(at)
  return (
    <time dateTime={at} title={exact} className="nowrap">
      {formatRelative(at, now)}
    </time>
  )
}

/** The time, renewed each minute while the page is open. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
