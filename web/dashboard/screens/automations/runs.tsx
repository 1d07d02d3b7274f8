import { Link, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { readList } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { useChangeOfList } from '../../app/list-state.ts'
import { useSlug } from '../../app/session.ts'
import { useEventWords } from '../../app/words.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { List } from '../../kit/list/list.tsx'
import { Empty } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { actionWords, refWords } from './words.ts'

type Run = Schemas['AutomationRun']

const perPage = 20

const tones: Record<Run['status'], Tone> = {
  pending: 'info',
  done: 'good',
  failed: 'wrong',
  cancelled: 'neutral',
  prevented: 'late',
}

/** The runs of an automation: when, for which parcel, and what it did. */
export function Runs({ automationId }: { automationId: string }) {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/marketing/automations/$automationId' })
  const change = useChangeOfList()
  const eventWords = useEventWords()
  const query = useListQuery(
    readList('/v1/shops/{slug}/automations/{automation_id}/runs', {
      params: {
        path: { slug, automation_id: automationId },
        query: { page: search.page ?? 1, per_page: perPage },
      },
    }),
  )
  return (
    <section className="stack">
      <h2>{t('automations.runs')}</h2>
      <List
        label={t('automations.runs')}
        query={query}
        keyOf={({ uuid }) => uuid}
        nameOf={({ order_number }) => order_number ?? ''}
        search={search}
        onSearch={change}
        perPage={perPage}
        empty={<Empty title={t('automations.no_runs')}>{t('automations.no_runs_text')}</Empty>}
        isMarked={({ status }) => status === 'failed'}
        columns={[
          {
            name: 'parcel',
            label: t('automations.parcel'),
            cell: ({ shipment_id, order_number }) =>
              shipment_id && order_number ? (
                <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: shipment_id }}>
                  {order_number}
                </Link>
              ) : (
                t('automations.parcel_gone')
              ),
          },
          { name: 'event', label: t('automations.event'), cell: ({ ref }) => refWords(ref, eventWords) },
          { name: 'status', label: t('automations.status'), cell: (run) => <Status run={run} /> },
          { name: 'did', label: t('automations.did'), cell: (run) => <Outcomes run={run} /> },
          {
            name: 'when',
            label: t('automations.when'),
            cell: ({ status, due_at, finished_at }) => (
              <RelativeTime at={status === 'pending' ? due_at : (finished_at ?? due_at)} />
            ),
          },
        ]}
      />
    </section>
  )
}

/** The reason in our words if we know it; the text of a failure is shown as it is. */
function Status({ run: { status, reason } }: { run: Run }) {
  const why = status === 'cancelled' || status === 'prevented' ? t(`automations.why.${status}`) : reason
  return (
    <div className="stack tight run-status">
      <Badge tone={tones[status]}>{t(`automations.run_status.${status}`)}</Badge>
      {why && <span className="small soft">{why}</span>}
    </div>
  )
}

function Outcomes({ run: { actions } }: { run: Run }) {
  return (
    <ul className="outcomes">
      {actions.map(({ action, status }, index) => (
        <li key={index}>
          {actionWords(action)} <span className="soft small">({t(`automations.action_status.${status}`)})</span>
        </li>
      ))}
    </ul>
  )
}
