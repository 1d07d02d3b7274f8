import type { ReactNode } from 'react'

interface ProgressProps {
  label: string
  /** Undefined: how much there is, is not known yet. */
  value: number | undefined
  max: number
  /** The same as text, below the bar. */
  children?: ReactNode
}

/** How far something is that takes a while. */
export function Progress({ label, value, max, children }: ProgressProps) {
  return (
    <div className="stack tight">
      <progress className="progress" aria-label={label} max={max} {...(value === undefined ? {} : { value })} />
      {children}
    </div>
  )
}
