import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import type { ReactNode } from 'react'
import { api, readList, refresh } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { useSlug } from '../../app/session.ts'
import { useEventNames, useEventWords } from '../../app/words.tsx'
import { Button } from '../../kit/button.tsx'
import { choicesOf, one } from '../../kit/list/filters.ts'
import { List } from '../../kit/list/list.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { reasonWords } from './health.tsx'
import { type DeliverySearch, deliveryStatuses } from './search.ts'
import { StatusBadge } from './status.tsx'

type Delivery = Schemas['Delivery']

interface DeliveryListProps {
  receiver: { webhook_id: string } | { integration: string }
  search: DeliverySearch
  onSearch: (change: DeliverySearch) => void
  empty: ReactNode
}

const perPage = 30

/** The log of one receiver: filter, open, choose and send again. */
export function DeliveryList({ receiver, search, onSearch, empty }: DeliveryListProps) {
  const slug = useSlug()
  const eventWords = useEventWords()
  const events = useEventNames().filter(({ event_group }) => event_group !== null)
  const query = useListQuery(
    readList('/v1/shops/{slug}/deliveries', {
      params: {
        path: { slug },
        query: {
          ...receiver,
          page: search.page ?? 1,
          per_page: perPage,
          ...(search.status ? { status: search.status } : {}),
          ...(search.event ? { event: search.event } : {}),
        },
      },
    }),
  )
  return (
    <List
      label={t('messages.log')}
      query={query}
      keyOf={({ uuid }) => uuid}
      nameOf={({ event_name, order_number }) => `${eventWords(event_name)} ${order_number ?? ''}`}
      search={search}
      onSearch={onSearch}
      perPage={perPage}
      isMarked={({ status }) => status === 'dead'}
      empty={empty}
      filters={[
        one(
          search,
          'status',
          t('messages.status_label'),
          choicesOf(deliveryStatuses, (value) => t(`messages.status.${value}`)),
        ),
        one(
          search,
          'event',
          t('messages.event'),
          events.map(({ event_name, text }) => ({ value: event_name, label: text })),
        ),
      ]}
      bulk={(uuids, clear) => <ResendChosen uuids={uuids} onDone={clear} />}
      columns={[
        {
          name: 'event',
          label: t('messages.event'),
          cell: ({ uuid, event_name }) => (
            <Link to="/$slug/messages/deliveries/$deliveryId" params={{ slug, deliveryId: uuid }}>
              {eventWords(event_name)}
            </Link>
          ),
        },
        { name: 'order', label: t('messages.order'), cell: ({ order_number }) => order_number ?? '–' },
        {
          name: 'status',
          label: t('messages.status_label'),
          cell: ({ status, attempt_count }) => <StatusBadge status={status} attempts={attempt_count} />,
        },
        { name: 'result', label: t('messages.last_answer'), cell: (delivery) => <LastAnswer delivery={delivery} /> },
        {
          name: 'attempts',
          label: t('messages.attempts'),
          isNumber: true,
          cell: ({ attempt_count }) => attempt_count,
        },
        {
          name: 'created',
          label: t('messages.created'),
          cell: ({ created_at }) => <RelativeTime at={created_at} />,
        },
      ]}
    />
  )
}

function LastAnswer({ delivery: { attempts, status } }: { delivery: Delivery }) {
  const last = attempts.at(-1)
  if (last === undefined) return <span className="soft">{t('messages.not_tried')}</span>
  if (last.reason === null) return <span className="number">{last.status_code ?? '–'}</span>
  if (status === 'skipped') return <span className="soft">{last.error}</span>
  return (
    <span>
      {last.status_code !== null && <span className="number">{last.status_code} · </span>}
      {reasonWords(last.reason)}
    </span>
  )
}

function ResendChosen({ uuids, onDone }: { uuids: string[]; onDone: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const resend = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/deliveries/resend', { params: { path: { slug } }, body: { deliveries: uuids } }),
    async onSuccess({ resent }) {
      toasts.done(t('messages.resent', { count: resent }))
      onDone()
      await refresh(queryClient, '/v1/shops/{slug}/deliveries')
    },
    onError: toasts.failed,
  })
  return (
    <Button icon="send" isBusy={resend.isPending} onClick={() => resend.mutate()}>
      {t('messages.send_again')}
    </Button>
  )
}
