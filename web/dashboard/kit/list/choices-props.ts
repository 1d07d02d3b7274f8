import type { ReactNode } from 'react'
import type { Choice } from '../field.tsx'

export interface ChoicesProps {
  /** Of the button, and what it shows. */
  className: string
  button: ReactNode
  choices: readonly Choice<string>[]
  chosen: readonly string[]
  /** In the order of the choices. */
  onChange: (chosen: string[]) => void
  /** Only one can be chosen, and choosing it closes the menu. */
  isSingle?: boolean
}
