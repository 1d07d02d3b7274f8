import type { ReactNode } from 'react'
import { t } from '../texts/texts.ts'

/** Nothing here yet: one sentence that teaches, and one action. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty stack">
      <p className="strong">{title}</p>
      {children && <div className="soft">{children}</div>}
      {action && <div className="row center">{action}</div>}
    </div>
  )
}

/** Grey lines in the shape of the text that is coming. */
export function SkeletonLines({ count = 3 }: { count?: number }) {
  return (
    <div className="stack tight" aria-busy="true">
      <span className="unseen">{t('kit.loading')}</span>
      {Array.from({ length: count }, (_, line) => line).map((line) => (
        <span key={line} className={`skeleton line-${(line % 3) + 1}`} aria-hidden="true" />
      ))}
    </div>
  )
}

/** A grey box, for a picture, a chart or a figure that is coming. */
export function SkeletonBox({ rows = 4 }: { rows?: number }) {
  return (
    <div aria-busy="true">
      <span className="unseen">{t('kit.loading')}</span>
      <span className={`skeleton box rows-${rows}`} aria-hidden="true" />
    </div>
  )
}
