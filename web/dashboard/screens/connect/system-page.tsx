import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { type Step, Stepper } from '../../kit/stepper.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import {
  type CatchUp,
  isActive,
  type ShopSystem,
  type SystemName,
  useBackfill,
  useCatchUp,
  useConnections,
} from './data.ts'
import { ImportStep, importSummary } from './import-step.tsx'
import { nameOf, problemHint, StateBadge } from './words.tsx'

interface SystemPageProps {
  name: SystemName
  /** The steps that connect this system. The import of orders and the next steps are the same for all. */
  steps: (system: ShopSystem, goTo: (step: string) => void) => Step[]
}

/** The guide through connecting a shop system. The API knows which steps are done: every colleague sees the same. */
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

const places: readonly { name: 'campaign' | 'tracking' | 'brand' | 'people'; to: string; icon: IconName }[] = [
  { name: 'campaign', to: '/$slug/marketing/campaigns', icon: 'sparkle' },
  { name: 'tracking', to: '/$slug/connect', icon: 'truck' },
  { name: 'brand', to: '/$slug/settings/palette', icon: 'sun' },
  { name: 'people', to: '/$slug/settings/people', icon: 'person' },
]

/** Links to the next places for a new shop. */
function NextStep({ hasOrders }: { hasOrders: boolean }) {
  const slug = useSlug()
  return (
    <>
      <p>{t(hasOrders ? 'connect.next_text' : 'connect.next_text_empty')}</p>
      <ul className="next-places">
        {places.map(({ name, to, icon }) => (
          <li key={name}>
            <Icon name={icon} />
            <div>
              <p className="strong">
                <Link to={to} params={{ slug }}>
                  {t(`connect.next_${name}`)}
                </Link>
              </p>
              <p className="soft">{t(`connect.next_${name}_text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The time and result of the last search for missed orders; nothing while the system's API cannot be called. */
function CatchUpLine({ system: { name, catch_up } }: { system: ShopSystem }) {
  const again = useCatchUp(name)
  if (catch_up === null) return null
  return (
    <div className="stack tight" aria-live="polite">
      <div className="row">
        <p className="soft">{outcomeOf(catch_up, name)}</p>
        <Button icon="refresh" isBusy={again.isPending} onClick={() => again.mutate()}>
          {t('connect.catch_up.now')}
        </Button>
      </div>
      {catch_up.failed > 0 && (
        <p className="soft">
          {t('connect.catch_up.failed', {
            count: catch_up.failed,
            orders: catch_up.problems.map(({ order, message }) => `${order}: ${message}`).join(' '),
          })}
        </p>
      )}
      {again.error && <Problem error={again.error} />}
    </div>
  )
}

function outcomeOf({ caught_up_at, next_at, created, missed, missed_at, problem }: CatchUp, name: string) {
  if (problem !== null) {
    return rich('connect.catch_up.problem', {
      message: problemHint(problem.key, name) || problem.message,
      time: <RelativeTime at={next_at} />,
    })
  }
  if (caught_up_at === null) return t('connect.catch_up.never')
  const time = <RelativeTime at={caught_up_at} />
  if (created > 0)
    return rich('connect.catch_up.missed', { time, orders: t('connect.catch_up.orders', { count: created }) })
  if (missed_at === null) return rich('connect.catch_up.nothing', { time })
  return rich('connect.catch_up.nothing_since', {
    time,
    orders: t('connect.catch_up.orders', { count: missed }),
    before: <RelativeTime at={missed_at} />,
  })
}
