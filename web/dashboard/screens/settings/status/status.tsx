import { useQuery } from '@tanstack/react-query'
import { read } from '../../../app/api.ts'
import { useMay } from '../../../app/session.ts'
import { formatClock } from '../../../kit/format.ts'
import { Page } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { Empty, SkeletonBox } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import { findingsOf } from './findings.ts'
import type { Status } from './reply.ts'
import { Jobs, Processes, Queues, Statements, Tables } from './tables.tsx'
import { Tiles } from './tiles.tsx'

/** Not while the tab is in the background. */
const refreshMs = 15_000

/** How the installation does, for those who run it. */
export function SystemStatus() {
  const mayRead = useMay('superadmin')
  const query = useQuery({ ...read('/v1/status'), refetchInterval: refreshMs, enabled: mayRead })
  const { data: status, error, dataUpdatedAt } = query
  if (!mayRead) {
    return (
      <Page title={t('status.title')}>
        <Empty title={t('status.no_rights')}>{t('status.no_rights_text')}</Empty>
      </Page>
    )
  }
  return (
    <Page title={t('status.title')} lead={t('status.lead')}>
      {error && <Problem error={error} retry={() => void query.refetch()} />}
      {error && status && <p className="soft">{t('status.stale', { time: formatClock(new Date(dataUpdatedAt)) })}</p>}
      {status ? <Content status={status} now={dataUpdatedAt} /> : !error && <Skeleton />}
    </Page>
  )
}

function Content({ status, now }: { status: Status; now: number }) {
  return (
    <>
      <Verdict status={status} now={now} />
      <Tiles status={status} />
      <div className="status-pair">
        <Queues status={status} />
        <Tables status={status} />
      </div>
      <Processes status={status} />
      <Jobs status={status} />
      <Statements status={status} />
    </>
  )
}

/** Whether all is well, in a sentence; if not, what is wrong and where the guide says what to do. */
function Verdict({ status, now }: { status: Status; now: number }) {
  const findings = findingsOf(status, now)
  const [worst] = findings
  if (worst === undefined) {
    return (
      <Banner tone="good" title={t('status.good')}>
        {t('status.good_text')}
      </Banner>
    )
  }
  return (
    <Banner tone={worst.tone} title={t('status.bad', { count: findings.length })}>
      <ul className="status-findings">
        {findings.map(({ name, words, section }) => (
          <li key={name}>
            {words}{' '}
            <a href={`/docs/guide/watch#${section}`} target="_blank" rel="noreferrer">
              {t('status.what_to_do')}
            </a>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

function Skeleton() {
  return (
    <>
      <SkeletonBox rows={1} />
      <SkeletonBox rows={2} />
      <SkeletonBox rows={6} />
    </>
  )
}
