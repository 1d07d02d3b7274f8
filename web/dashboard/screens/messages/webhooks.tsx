import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { readList } from '../../app/api.ts'
import { useFilterWords } from '../../app/event-picker.tsx'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { Button } from '../../kit/button.tsx'
import { choicesOf, one } from '../../kit/list/filters.ts'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { NewEndpoint } from './endpoint-form.tsx'
import { boundedCount, HealthBadge, rateWords } from './health.tsx'
import { type EndpointSearch, endpointStatuses } from './search.ts'
import { shownAddress } from './shown-address.ts'

type Endpoint = Schemas['WebhookEndpoint']

const perPage = 30

export const Webhooks = listScreen<Endpoint, EndpointSearch>({
  title: t('nav.webhooks'),
  lead: t('messages.webhooks_lead'),
  useRows: (slug, { page = 1, status }) =>
    useListQuery(
      readList('/v1/shops/{slug}/webhooks', {
        params: { path: { slug }, query: { page, per_page: perPage, ...(status ? { status } : {}) } },
      }),
    ),
  perPage,
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ url }) => shownAddress(url),
  useColumns: ({ slug }) => {
    const filterWords = useFilterWords()
    return [
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
    ]
  },
  useFilters: ({ search }) => [
    one(
      search,
      'status',
      t('messages.switched'),
      choicesOf(endpointStatuses, (value) => t(`messages.endpoint_status.${value}`)),
    ),
  ],
  create: { needs: 'admin', Button: CreateEndpoint, Dialog: NewEndpoint },
  empty: { title: t('messages.no_endpoints'), text: t('messages.no_endpoints_text') },
  isMarked: ({ health }) => health.state === 'failing',
})

function CreateEndpoint({ onOpen }: { onOpen: () => void }) {
  return (
    <Button variant="primary" icon="plus" onClick={onOpen}>
      {t('messages.new_endpoint')}
    </Button>
  )
}
