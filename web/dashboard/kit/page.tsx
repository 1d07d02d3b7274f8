import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../texts/texts.ts'

interface PageProps {
  title: string
  /** Words beside the title, such as the state as a badge. */
  aside?: ReactNode
  /** One sentence below the title. */
  lead?: ReactNode
  /** The way back to the list, as a Link. */
  back?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page with its title. The title becomes the window's, and gets the focus when the page is opened by a link. */
export function Page({ title, aside, lead, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Doorstep`
  }, [title])
  useEffect(() => {
    // Screen readers announce where the link led; nothing that already has the focus loses it.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="page stack loose">
      <header className="page-head">
        {back && (
          <nav className="back small" aria-label={t('kit.back')}>
            {back}
          </nav>
        )}
        <div className="row apart">
          <div className="page-title grow">
            <div className="row">
              <h1 ref={heading} tabIndex={-1}>
                {title}
              </h1>
              {aside}
            </div>
            {lead && <p className="soft lead">{lead}</p>}
          </div>
          {actions && <div className="row page-actions">{actions}</div>}
        </div>
      </header>
      {children}
    </div>
  )
}

interface CardProps {
  title?: string
  aside?: ReactNode
  children: ReactNode
  /** Its content reaches its edges, such as a table. */
  isFlush?: boolean
}

export function Card({ title, aside, children, isFlush = false }: CardProps) {
  const id = useId()
  return (
    <section className={`card ${isFlush ? 'flush' : ''}`} aria-labelledby={title ? id : undefined}>
      {title && (
        <header className="card-head row apart">
          <h2 id={id}>{title}</h2>
          {aside}
        </header>
      )}
      <div className="card-body stack">{children}</div>
    </section>
  )
}

/** Names and values, such as the facts beside a timeline. Those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A detail page: the story in the middle, facts in a column beside it. */
export function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className="columns">
      <div className="stack loose">{main}</div>
      <aside className="stack">{side}</aside>
    </div>
  )
}
