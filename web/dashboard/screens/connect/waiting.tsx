import type { ReactNode } from 'react'
import { Icon } from '../../kit/icon.tsx'

interface WaitingProps {
  /** Undefined as long as nothing has arrived. */
  arrived: ReactNode | undefined
  children: ReactNode
}

/** Something that happens in another system: it is waited for here, and appears by itself. */
export function Waiting({ arrived, children }: WaitingProps) {
  return (
    <div className={`waiting ${arrived ? 'arrived' : ''}`} role="status">
      {arrived ? <Icon name="check" /> : <span className="pulse" aria-hidden="true" />}
      <div className="grow">{arrived ?? children}</div>
    </div>
  )
}
