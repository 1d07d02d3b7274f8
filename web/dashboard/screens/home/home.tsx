import { useQuery } from '@tanstack/react-query'
import { read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { Checklist } from './checklist.tsx'
import { FiguresSection } from './figures-section.tsx'
import { Needs } from './needs.tsx'

/** The morning: what needs a person, then how the shop is doing. */
export function Home() {
  const slug = useSlug()
  const { data, error, refetch } = useQuery({
    ...read('/v1/shops/{slug}/attention', { params: { path: { slug } } }),
    refetchInterval: refreshMs,
  })
  const parcels = data?.exceptions.reduce((sum, { count }) => sum + count, 0)
  return (
    <Page title={headline(parcels)}>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <SkeletonLines count={6} />}
      {data && <Needs attention={data} />}
      {data && !data.checklist.dismissed && <Checklist checklist={data.checklist} />}
      <FiguresSection />
    </Page>
  )
}

function headline(parcels: number | undefined): string {
  if (parcels === undefined) return t('home.title')
  return parcels === 0 ? t('home.needs_nobody') : t('home.needs', { count: parcels })
}
