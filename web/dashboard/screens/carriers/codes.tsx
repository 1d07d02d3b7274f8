import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readList, refreshMs } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { labelOf } from '../../app/systems.ts'
import { useEventWords } from '../../app/words.tsx'
import { Button } from '../../kit/button.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { MapDialog } from './map-dialog.tsx'
import { type Code, codesPath, ignoredEvent, useMapping } from './use-mapping.ts'

const perPage = 25

/** Codes that carriers sent and nobody has explained yet; and those that were explained here. */
export function Codes() {
  const slug = useSlug()
  const { mapped = false, page = 1 } = useSearch({ from: '/signed-in/$slug/carriers/codes' })
  const navigate = useNavigate({ from: '/$slug/carriers/codes' })
  const query = useQuery({
    ...readList(codesPath, { params: { path: { slug }, query: { mapped, page, per_page: perPage } } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const go = (next: number) => navigate({ search: (before) => ({ ...before, page: next > 1 ? next : undefined }) })
  return (
    <Page title={t('nav.codes')} lead={t('carriers.codes_lead')}>
      <nav className="row" aria-label={t('carriers.which_codes')}>
        <Link to="/$slug/carriers/codes" params={{ slug }} className="tab" activeOptions={{ exact: true }}>
          {t('carriers.codes_open')}
        </Link>
        <Link to="/$slug/carriers/codes" params={{ slug }} search={{ mapped: true }} className="tab">
          {t('carriers.codes_mapped')}
        </Link>
      </nav>
      {query.isPending ? (
        <SkeletonLines count={9} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : query.data.rows.length === 0 && page === 1 ? (
        <Empty title={t(mapped ? 'carriers.none_mapped' : 'carriers.all_understood')}>
          {t(mapped ? 'carriers.none_mapped_text' : 'carriers.all_understood_text')}
        </Empty>
      ) : (
        <ul className="codes" aria-label={t('nav.codes')} data-list>
          {query.data.rows.map((code) => (
            <CodeItem key={`${code.provider} ${code.code}`} code={code} />
          ))}
        </ul>
      )}
      {(page > 1 || query.data?.hasNext) && (
        <div className="row">
          <Button icon="left" disabled={page === 1} onClick={() => go(page - 1)}>
            {t('list.previous')}
          </Button>
          <Button icon="right" disabled={!query.data?.hasNext} onClick={() => go(page + 1)}>
            {t('list.next')}
          </Button>
        </div>
      )}
    </Page>
  )
}

function CodeItem({ code }: { code: Code }) {
  const eventWords = useEventWords()
  const mayChange = useMay('admin')
  return (
    <li className="card code-card">
      <div className="card-body stack tight">
        <p className="row">
          <strong>{labelOf(code.provider)}</strong> <code>{code.code}</code>
        </p>
        {code.text && <blockquote className="carrier-words">{code.text}</blockquote>}
        <p className="soft small">
          {t('carriers.seen_on', { count: code.scans, parcels: parcelsSeen(code) })} · {t('carriers.last_seen')}{' '}
          <RelativeTime at={code.last_seen_at} />
        </p>
        <Samples code={code} />
        {code.event_name && (
          <p>
            {t('carriers.means', {
              event: code.event_name === ignoredEvent ? t('carriers.nothing') : eventWords(code.event_name),
            })}
          </p>
        )}
        {mayChange && <Actions code={code} />}
      </div>
    </li>
  )
}

/** Parcels are counted among the first 200 scans. */
function parcelsSeen({ parcels, scans }: Code): string {
  return t(scans > 200 ? 'carriers.parcels_or_more' : 'carriers.parcels_seen', { count: parcels })
}

/** Some parcels that it was seen on. */
function Samples({ code: { shipments } }: { code: Code }) {
  const slug = useSlug()
  if (shipments.length === 0) return null
  return (
    <p className="row small">
      <span className="soft">{t('carriers.for_example')}</span>
      {shipments.slice(0, 3).map(({ shipment_id, tracking_number }) => (
        <Link key={shipment_id} to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: shipment_id }}>
          {tracking_number ?? t('carriers.a_parcel')}
        </Link>
      ))}
    </p>
  )
}

function Actions({ code }: { code: Code }) {
  const eventWords = useEventWords()
  const [isOpen, setOpen] = useState(false)
  const mapping = useMapping(code)
  const { suggestion, event_name } = code
  return (
    <div className="stack tight">
      {suggestion && event_name === null && (
        <p className="suggestion small">
          {t('carriers.suggestion', { event: eventWords(suggestion.event_name), meaning: suggestion.meaning })}
        </p>
      )}
      <div className="row">
        <Button variant={event_name === null ? 'primary' : 'secondary'} isSmall onClick={() => setOpen(true)}>
          {t(event_name === null ? 'carriers.explain' : 'carriers.explain_again')}
        </Button>
        {event_name === null ? (
          <Button
            isSmall
            variant="quiet"
            isBusy={mapping.map.isPending}
            title={t('carriers.ignore_help')}
            onClick={() => mapping.map.mutate(ignoredEvent)}
          >
            {t('carriers.ignore')}
          </Button>
        ) : (
          <Button
            isSmall
            variant="quiet"
            icon="undo"
            isBusy={mapping.undo.isPending}
            onClick={() => mapping.undo.mutate()}
          >
            {t('carriers.unmap')}
          </Button>
        )}
      </div>
      {isOpen && <MapDialog code={code} onClose={() => setOpen(false)} />}
    </div>
  )
}
