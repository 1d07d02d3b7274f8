import { ApiError } from 'doorstep-client'
import type { ReactNode } from 'react'
import { hasText, t } from '../texts/texts.ts'
import type { Tone } from './badge.tsx'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface BannerProps {
  tone?: Tone
  title: string
  children?: ReactNode
  /** The next step. */
  action?: ReactNode
}

/** Something to know about the whole page or a part of it, with what to do next. */
export function Banner({ tone = 'info', title, children, action }: BannerProps) {
  return (
    <div className={`banner ${tone}`} role={tone === 'wrong' ? 'alert' : undefined}>
      <Icon name={tone === 'good' ? 'check' : 'alert'} />
      <div className="grow stack tight">
        <p className="strong">{title}</p>
        {children && <div>{children}</div>}
      </div>
      {action}
    </div>
  )
}

/** A banner for a failed load: the reason, and a button to try again. */
export function Problem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <Banner
      tone="wrong"
      title={t('problem.title')}
      action={retry && <Button onClick={retry}>{t('kit.try_again')}</Button>}
    >
      <p>{wordsOf(error)}</p>
    </Banner>
  )
}

/** An error as a colleague would say it. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.status > 0) {
    const key = `problem.${error.key}`
    if (hasText(key)) return t(key)
    if (error.status >= 500) return t('problem.unexpected')
    return error.message
  }
  return t('problem.unreachable')
}
