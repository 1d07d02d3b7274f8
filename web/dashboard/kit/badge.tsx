import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'info' | 'good' | 'late' | 'wrong'

/** A state as text; the colour only repeats it. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
