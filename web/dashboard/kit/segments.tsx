import { Link } from '@tanstack/react-router'
import type { MarkTarget } from './charts/marks.tsx'

interface SegmentsProps {
  label: string
  chosen: string
  choices: readonly { value: string; label: string; target: MarkTarget }[]
}

/** A few ways to see the same page, of which one is chosen. Each is an address of its own. */
export function Segments({ label, chosen, choices }: SegmentsProps) {
  return (
    <nav className="segments" aria-label={label}>
      {choices.map(({ value, label, target }) => (
        <Link
          key={value}
          {...target}
          activeOptions={{ exact: true, explicitUndefined: true }}
          aria-current={value === chosen ? 'true' : undefined}
          resetScroll={false}
          replace
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
