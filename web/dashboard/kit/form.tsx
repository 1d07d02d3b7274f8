import { useBlocker } from '@tanstack/react-router'
import { ApiError } from 'doorstep-client'
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Banner, wordsOf } from './problem.tsx'

/** An edited value beside the stored one. */
export interface Draft<Value> {
  value: Value
  isChanged: boolean
  set(change: Partial<Value>): void
  reset(): void
}

/**
 * A draft of a stored value. While nothing is changed it follows the stored one; afterwards, what was typed stays,
 * whatever is loaded meanwhile.
 */
export function useDraft<Value extends object>(stored: Value): Draft<Value> {
  const [changes, setChanges] = useState<Partial<Value>>({})
  const value = useMemo(() => ({ ...stored, ...changes }), [stored, changes])
  const isChanged = JSON.stringify(value) !== JSON.stringify(stored)
  return {
    value,
    isChanged,
    set: (change) => setChanges((before) => ({ ...before, ...change })),
    reset: () => setChanges({}),
  }
}

/** The problems of a rejected request by the name of their field; those of no field are under the empty name. */
export function problemsByField(error: unknown): Record<string, string> {
  if (error === null || error === undefined) return {}
  if (!(error instanceof ApiError) || error.errors.length === 0) return { '': wordsOf(error) }
  return Object.fromEntries(error.errors.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]))
}

interface FormProps {
  children: ReactNode
  /** Rejected by the API, or found before sending: problems by field. The summary shows them all, and gets the focus. */
  problems?: Record<string, string>
  /** The labels of fields, for the summary. */
  labels?: Record<string, string>
  onSubmit: () => void
  className?: string
}

export function Form({ children, problems = {}, labels = {}, onSubmit, className = 'stack loose' }: FormProps) {
  const summary = useRef<HTMLDivElement>(null)
  const found = Object.entries(problems)
  const said = found.map(([field, words]) => `${field} ${words}`).join('\n')
  const before = useRef<readonly string[]>([])
  useEffect(() => {
    const lines = said === '' ? [] : said.split('\n')
    // A problem that is solved while somebody types disappears, and the focus stays in the field.
    if (lines.some((line) => !before.current.includes(line))) summary.current?.focus()
    before.current = lines
  }, [said])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
    // With the same problems as before, nothing else would happen.
    summary.current?.focus()
  }
  return (
    <form className={className} onSubmit={submit} noValidate>
      {found.length > 0 && (
        <div ref={summary} tabIndex={-1}>
          <Banner tone="wrong" title={t('kit.not_saved')}>
            <ul>
              {found.map(([field, words]) => (
                <li key={field}>{field === '' ? words : `${labels[field] ?? field}: ${words}`}</li>
              ))}
            </ul>
          </Banner>
        </div>
      )}
      {children}
    </form>
  )
}

interface SaveBarProps {
  draft: Pick<Draft<object>, 'isChanged' | 'reset'>
  isBusy: boolean
  /** The words on the button; "Save" if absent. */
  action?: string
}

/** Appears at the bottom of a form as soon as something is changed, and warns before the page is left. */
export function SaveBar({ draft, isBusy, action }: SaveBarProps) {
  const blocker = useBlocker({
    shouldBlockFn: () => draft.isChanged && !isBusy,
    enableBeforeUnload: () => draft.isChanged,
    withResolver: true,
  })
  return (
    <>
      {draft.isChanged && (
        <section className="save-bar row apart" aria-label={t('kit.unsaved')}>
          <p>{t('kit.unsaved')}</p>
          <div className="row">
            <Button onClick={draft.reset}>{t('kit.discard')}</Button>
            <Button type="submit" variant="primary" isBusy={isBusy}>
              {action ?? t('kit.save')}
            </Button>
          </div>
        </section>
      )}
      {blocker.status === 'blocked' && (
        <Dialog
          title={t('kit.leave_title')}
          onClose={blocker.reset}
          actions={
            <>
              <Button onClick={blocker.reset}>{t('kit.stay')}</Button>
              <Button variant="danger" onClick={blocker.proceed}>
                {t('kit.leave')}
              </Button>
            </>
          }
        >
          <p>{t('kit.leave_text')}</p>
        </Dialog>
      )}
    </>
  )
}
