import { useQuery } from '@tanstack/react-query'
import { read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { attentionCall } from './calls.ts'
import { Checklist } from './checklist.tsx'
import { FiguresSection } from './figures-section.tsx'
import { type Attention, Needs } from './needs.tsx'

/** The morning: what needs a person, then how the shop is doing. */
export function Home() {
  const slug = useSlug()
  const { data, error, refetch } = useQuery({
    ...read(...attentionCall(slug)),
    refetchInterval: refreshMs,
  })
  const isNew = data?.checklist.steps.some(({ step, done }) => step === 'orders' && !done) ?? false
  return (
    <Page title={headline(data, isNew)}>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <SkeletonLines count={6} />}
      {data && !isNew && <Needs attention={data} />}
      {data && !data.checklist.dismissed && <Checklist checklist={data.checklist} />}
      {isNew ? <Empty title={t('home.first_order')}>{t('home.first_order_hint')}</Empty> : <FiguresSection />}
    </Page>
  )
}

function headline(attention: Attention | undefined, isNew: boolean): string {
  if (attention === undefined) return t('home.title')
  if (isNew) return t('home.welcome')
  const parcels = attention.exceptions.reduce((sum, { count }) => sum + count, 0)
  return parcels === 0 ? t('home.needs_nobody') : t('home.needs', { count: parcels })
}
