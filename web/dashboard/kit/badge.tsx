import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'info' | 'good' | 'late' | 'wrong'

/** A state in words; the colour only repeats them. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
