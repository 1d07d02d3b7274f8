import { lazy, Suspense, useState } from 'react'
import type { ChoicesProps } from './choices-props.ts'

const loadOpenChoices = () => import('./open-choices.tsx').then(({ OpenChoices }) => ({ default: OpenChoices }))
const OpenChoices = lazy(loadOpenChoices)

/** A button that opens choices to check. The code that opens them is loaded at the first use, as for menus. */
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
