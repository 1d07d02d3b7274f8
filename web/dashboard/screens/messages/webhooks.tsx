import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { readList, refreshMs } from '../../app/api.ts'
import { useFilterWords } from '../../app/event-picker.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Filter } from '../../kit/list/controls.tsx'
import { List } from '../../kit/list/list.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { NewEndpoint } from './endpoint-form.tsx'
import { boundedCount, HealthBadge, rateWords } from './health.tsx'
import { endpointStatuses } from './search.ts'
import { shownAddress } from './shown-address.ts'

type Endpoint = Schemas['WebhookEndpoint']

const perPage = 30

export function Webhooks() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/messages/webhooks' })
  const navigate = useNavigate({ from: '/$slug/messages/webhooks' })
  const filterWords = useFilterWords()
  const [isCreating, setCreating] = useState(false)
  const query = useQuery({
    ...readList('/v1/shops/{slug}/webhooks', {
      params: {
        path: { slug },
        query: { page: search.page ?? 1, per_page: perPage, ...(search.status ? { status: search.status } : {}) },
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const create = useMay('admin') && (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('messages.new_endpoint')}
    </Button>
  )
  return (
    <Page title={t('nav.webhooks')} lead={t('messages.webhooks_lead')} actions={create}>
      <List<Endpoint>
        label={t('nav.webhooks')}
        query={query}
        keyOf={({ uuid }) => uuid}
        nameOf={({ url }) => shownAddress(url)}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
        perPage={perPage}
        isMarked={({ health }) => health.state === 'failing'}
        filters={
          <Filter
            label={t('messages.switched')}
            isSingle
            choices={endpointStatuses.map((value) => ({ value, label: t(`messages.endpoint_status.${value}`) }))}
            chosen={search.status ? [search.status] : []}
            onChange={([status]) => navigate({ search: (before) => ({ ...before, page: undefined, status }) })}
          />
        }
        empty={
          <Empty title={t('messages.no_endpoints')} action={create}>
            {t('messages.no_endpoints_text')}
          </Empty>
        }
        columns={[
          {
            name: 'url',
            label: t('messages.endpoint'),
            cell: ({ uuid, url, description }) => (
              <div className="endpoint-cell">
                <Link to="/$slug/messages/webhooks/$uuid" params={{ slug, uuid }}>
                  {shownAddress(url)}
                </Link>
                {description && <span className="soft small">{description}</span>}
              </div>
            ),
          },
          {
            name: 'state',
            label: t('messages.state_label'),
            cell: ({ health, circuit }) => <HealthBadge health={health} isEndpoint isWaiting={circuit !== null} />,
          },
          {
            name: 'rate',
            label: t('messages.last_24_hours'),
            cell: ({ health }) => rateWords(health.last_24_hours),
          },
          {
            name: 'success',
            label: t('messages.last_success'),
            cell: ({ health }) =>
              health.last_success_at ? <RelativeTime at={health.last_success_at} /> : t('messages.never'),
          },
          {
            name: 'pending',
            label: t('messages.pending'),
            isNumber: true,
            cell: ({ health }) => boundedCount(health.pending),
          },
          {
            name: 'dead',
            label: t('messages.dead'),
            isNumber: true,
            cell: ({ health }) => boundedCount(health.dead),
          },
          {
            name: 'events',
            label: t('messages.events'),
            cell: ({ enabled_events }) => filterWords(enabled_events),
          },
        ]}
      />
      {isCreating && <NewEndpoint onClose={() => setCreating(false)} />}
    </Page>
  )
}
