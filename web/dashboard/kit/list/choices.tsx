import { lazy, type ReactNode, Suspense, useState } from 'react'
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

const loadOpenChoices = () => import('./open-choices.tsx').then(({ OpenChoices }) => ({ default: OpenChoices }))
const OpenChoices = lazy(loadOpenChoices)

/** A button that opens choices to check. What opens them is loaded at the first use, as for menus. */
export function Choices(props: ChoicesProps) {
  const [isUsed, setIsUsed] = useState(false)
  const prepare = () => void loadOpenChoices()
  const button = (
    <button
      type="button"
      className={props.className}
      aria-haspopup="menu"
      aria-expanded="false"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setIsUsed(true)}
    >
      {props.button}
    </button>
  )
  if (!isUsed) return button
  return (
    <Suspense fallback={button}>
      <OpenChoices {...props} />
    </Suspense>
  )
}
