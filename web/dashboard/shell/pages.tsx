import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Page } from '../kit/page.tsx'
import { Problem } from '../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../kit/states.tsx'
import { t } from '../texts/texts.ts'

export function NotFoundPage() {
  return (
    <Page title={t('problem.no_page')}>
      <p>{t('problem.no_page_text')}</p>
      <p>
        <Link to="/">{t('problem.to_start')}</Link>
      </p>
    </Page>
  )
}

/** A page that could not be shown; the rest of the dashboard still works. */
export function ProblemPage({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={t('problem.title')}>
      <Problem error={error} retry={reset} />
    </Page>
  )
}

export function LoadingPage() {
  return (
    <div className="page stack loose">
      <SkeletonLines count={2} />
      <SkeletonBox rows={6} />
    </div>
  )
}
