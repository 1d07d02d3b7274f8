import type { ReactNode } from 'react'
import { hasText, t } from '../../texts/texts.ts'

/** The steps to take in another system, in its own words: the texts `connect.how.<name>.1`, `.2` and so on. */
export function Instructions({ name }: { name: string }) {
  return (
    <ol className="instructions">
      {textsOf(name).map((text) => (
        <li key={text}>{marked(text)}</li>
      ))}
    </ol>
  )
}

/** As plain points, without an order. */
export function Points({ name }: { name: string }) {
  return (
    <ul className="points">
      {textsOf(name).map((text) => (
        <li key={text}>{marked(text)}</li>
      ))}
    </ul>
  )
}

const most = 9

function textsOf(name: string): string[] {
  const keys = Array.from({ length: most }, (_, index) => `connect.how.${name}.${index + 1}`)
  return keys.flatMap((key) => (hasText(key) ? [t(key)] : []))
}

/** Words between asterisks stand on the other system's buttons and menus. */
export function marked(text: string): ReactNode[] {
  return text.split('*').map((part, index) =>
    // Odd parts stand between two asterisks.
    index % 2 === 0 ? part : <strong key={`${part} ${text.indexOf(part)}`}>{part}</strong>,
  )
}
