import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { api } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { PhaseBadge, useEventWords } from '../../app/words.tsx'
import { Card } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonLines } from '../../kit/states.tsx'
import { usePaused } from '../../kit/use-paused.ts'
import { t } from '../../texts/texts.ts'
import { boundedCount } from './health.tsx'
import type { TriggerDraft } from './trigger-fields.tsx'
import { durationInWords } from './trigger-words.ts'

type Preview = Schemas['InternalTriggerPreview']

/** The parcels that a trigger would fire for at this moment, as its conditions are now. */
export function TriggerPreview({ draft, triggerId }: { draft: TriggerDraft; triggerId: string | undefined }) {
  const slug = useSlug()
  const { name: _name, id: _id, receiver, apply_to_existing: _existing, ...conditions } = usePaused(draft)
  const body = { ...conditions, ...(triggerId === undefined ? {} : { trigger_id: triggerId }) }
  const query = useQuery({
    queryKey: ['trigger preview', slug, receiver, body],
    queryFn: ({ signal }) =>
      api.post('/v1/shops/{slug}/settings/triggers/{integration}/internal-triggers/preview', {
        params: { path: { slug, integration: receiver } },
        body,
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('messages.preview')}>
      <div aria-live="polite" className="stack">
        {query.data ? (
          <PreviewList preview={query.data} />
        ) : query.isError ? (
          <Problem error={query.error} retry={() => void query.refetch()} />
        ) : (
          <SkeletonLines count={6} />
        )}
      </div>
    </Card>
  )
}

function PreviewList({ preview: { count, is_complete, shipments } }: { preview: Preview }) {
  const slug = useSlug()
  const eventWords = useEventWords()
  if (count === 0) return <Empty title={t('messages.preview_none')}>{t('messages.preview_none_text')}</Empty>
  return (
    <>
      <p className="strong">{t('messages.preview_count', { count, shown: boundedCount(count) })}</p>
      {!is_complete && <p className="small soft">{t('messages.preview_incomplete')}</p>}
      <ul className="preview-list" data-list>
        {shipments.map((shipment) => (
          <li key={shipment.shipment_id} className="row apart">
            <span className="stack preview-parcel">
              <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: shipment.shipment_id }}>
                {shipment.order_number}
              </Link>
              <span className="small soft">{eventWords(shipment.event_name)}</span>
            </span>
            <span className="row">
              <PhaseBadge phase={shipment.phase} />
              <span className="number soft">{durationInWords(shipment.hours)}</span>
            </span>
          </li>
        ))}
      </ul>
      {count > shipments.length && (
        <p className="small soft">{t('messages.preview_first', { count: shipments.length })}</p>
      )}
    </>
  )
}
