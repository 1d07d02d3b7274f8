import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSlug } from '../../app/session.ts'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { type Step, Stepper } from '../../kit/stepper.tsx'
import { t } from '../../texts/texts.ts'
import { CatchUpLine } from './catch-up.tsx'
import { isActive, type ShopSystem, type SystemName, useBackfill, useConnections } from './data.ts'
import { ImportStep, importSummary } from './import-step.tsx'
import { NextStep } from './next-step.tsx'
import { nameOf, StateBadge } from './words.tsx'

interface SystemPageProps {
  name: SystemName
  /** What connects this system; bringing in orders and what comes next are the same for all. */
  steps: (system: ShopSystem, goTo: (step: string) => void) => Step[]
}

/** The guide through connecting a shop system. What is done comes from the API: every colleague sees the same. */
export function SystemPage({ name, steps }: SystemPageProps) {
  const connections = useConnections({ isLive: true })
  const backfill = useBackfill(name)
  const { step, goTo } = useStep()
  const system = connections.data?.shop_systems.find((each) => each.name === name)
  const title = t('connect.connect_system', { system: nameOf(name) })
  if (!system || backfill.data === undefined) {
    const failed = [connections, backfill].find((query) => query.isError)
    return (
      <GuidePage title={title}>
        {failed?.isError ? <Problem error={failed.error} retry={() => void failed.refetch()} /> : <LoadingSteps />}
      </GuidePage>
    )
  }
  const last = backfill.data
  return (
    <GuidePage title={title} aside={<StateBadge state={system.state} />} lead={t(`connect.lead.${name}`)}>
      <CatchUpLine system={system} />
      <Stepper
        label={title}
        open={step}
        onOpen={goTo}
        steps={[
          ...steps(system, goTo),
          {
            name: 'orders',
            title: t('connect.orders'),
            isDone: last?.status === 'completed',
            isWrong: last?.status === 'failed',
            summary: last ? importSummary(last) : t('connect.orders_summary'),
            children: <ImportStep system={system} backfill={last} onSkip={() => goTo('next')} />,
          },
          {
            name: 'next',
            title: t('connect.next'),
            isDone: false,
            summary: t('connect.next_summary'),
            children: <NextStep hasOrders={system.received > 0 || (last !== null && !isActive(last))} />,
          },
        ]}
      />
    </GuidePage>
  )
}

/** The step in the address. It is left out while the first unfinished one is shown. */
export function useStep() {
  const { step } = useSearch({ strict: false })
  const navigate = useNavigate()
  const goTo = (name: string | undefined) =>
    void navigate({ to: '.', search: { step: name } as never, replace: true, resetScroll: false })
  return { step, goTo }
}

interface GuidePageProps {
  title: string
  aside?: ReactNode
  lead?: ReactNode
  children: ReactNode
}

export function GuidePage({ title, aside, lead, children }: GuidePageProps) {
  const slug = useSlug()
  return (
    <Page
      title={title}
      aside={aside}
      lead={lead}
      back={
        <Link to="/$slug/connect" params={{ slug }}>
          {t('nav.connect')}
        </Link>
      }
    >
      <div className="guide">{children}</div>
    </Page>
  )
}

export function LoadingSteps() {
  return (
    <div className="stack">
      <SkeletonLines count={1} />
      <SkeletonBox rows={6} />
      <SkeletonLines count={3} />
    </div>
  )
}
