import { createLink, type LinkProps } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, KeyboardEvent, ReactNode, Ref } from 'react'

/** The link behind a mark: to its records. */
export type MarkTarget = Pick<LinkProps, 'to' | 'params' | 'search'>

function MarkAnchor(props: AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }) {
  return <a {...props} />
}

/** A link inside a drawing. Only one mark of a chart is a stop of the Tab key; arrow keys lead to the others. */
export const MarkLink = createLink(MarkAnchor)

interface MarkProps {
  /** Absent: it leads nowhere, and the table behind the chart says the same to the keyboard. */
  target: MarkTarget | undefined
  className: string
  'aria-label': string
  tabIndex: number
  onFocus: () => void
  onBlur: () => void
  onPointerEnter: () => void
  children: ReactNode
}

/** A mark of a chart, as a link if it leads somewhere. */
export function Mark({ target, children, ...rest }: MarkProps) {
  if (target) {
    return (
      <MarkLink {...target} {...rest}>
        {children}
      </MarkLink>
    )
  }
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a group of a drawing cannot get the focus
    <g role="img" className={rest.className} aria-label={rest['aria-label']} onPointerEnter={rest.onPointerEnter}>
      {children}
    </g>
  )
}

/** Moves the focus between the marks of a chart: arrow keys, Home and End. */
export function moveBetweenMarks(event: KeyboardEvent<Element>): void {
  const marks: Element[] = [...event.currentTarget.querySelectorAll('a')]
  const at = document.activeElement ? marks.indexOf(document.activeElement) : -1
  const next = targetOf(event.key, at, marks.length)
  if (at === -1 || next === undefined) return
  event.preventDefault()
  const mark = marks[next]
  if (mark instanceof SVGElement) mark.focus()
}

function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, at - 1)
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(count - 1, at + 1)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}
