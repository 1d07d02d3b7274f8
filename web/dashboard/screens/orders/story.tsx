import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, type Reply, refresh } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { formatClock, formatDate, formatExactTime } from '../../kit/format.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { hasText, rich, t } from '../../texts/texts.ts'

import { wordOf } from './words.ts'

export type Entry = Reply<'/v1/shops/{slug}/orders/{order_id}/timeline'>['entries'][number]
type Message = NonNullable<Entry['message']>
type Event = NonNullable<Entry['event']>

/** The question of every call: the last message to the customer, when it was sent, and whether it arrived. */
export function LastMessage({ entries }: { entries: readonly Entry[] }) {
  const last = entries.findLast(({ message }) => message !== null && message.integration !== null)
  if (!last?.message) return <p className="soft">{t('timeline.nothing_told')}</p>
  return (
    <p className="row tight-row">
      <span>
        {rich('timeline.last_told', {
          what: <strong>{last.message.label ?? sentence(last.message.event_group)}</strong>,
          when: <RelativeTime at={last.at} />,
        })}
      </span>
      <MessageState message={last.message} />
    </p>
  )
}

interface StoryProps {
  entries: readonly Entry[]
  /** The names of parcels, if there are several. */
  parcelName?: (shipmentId: string) => string | undefined
}

/** The events, their consequences and the messages to the customer: by day, the newest first. */
export function Story({ entries, parcelName }: StoryProps) {
  const shown = entries.filter(isTold)
  const ids = new Set(shown.map(({ id }) => id))
  const causes = shown.filter(({ caused_by }) => caused_by === null || !ids.has(caused_by))
  const days = byDay(causes.toReversed())
  return (
    <div className="story stack">
      {days.map(([day, entriesOfDay]) => (
        <section key={day} className="stack tight" aria-label={day}>
          <h3 className="story-day">{day}</h3>
          <ol className="story-entries">
            {entriesOfDay.map((entry) => (
              <li key={entry.id} className="story-entry">
                <EntryLine entry={entry} parcelName={parcelName} />
                <Consequences entries={shown.filter(({ caused_by }) => caused_by === entry.id)} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function byDay(entries: readonly Entry[]): [day: string, entries: Entry[]][] {
  const days = new Map<string, Entry[]>()
  for (const entry of entries) {
    const day = formatDate(entry.at)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

/** The service's own note that an order came in says nothing beside "Order placed". */
function isTold({ kind, event }: Entry): boolean {
  return kind !== 'event' || event?.event_key !== 'ORDER_CREATED' || event.source !== 'system'
}

function Consequences({ entries }: { entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  return (
    <ul className="story-consequences">
      {entries.map((entry) => (
        <li key={entry.id}>
          <EntryLine entry={entry} />
        </li>
      ))}
    </ul>
  )
}

function EntryLine({ entry, parcelName }: { entry: Entry; parcelName?: StoryProps['parcelName'] }) {
  const slug = useSlug()
  const { event, message, rule, claim, page_views: views } = entry
  const parcel = entry.shipment_id === null ? undefined : parcelName?.(entry.shipment_id)
  if (event) return <EventLine at={entry.at} event={event} parcel={parcel} />
  if (message) return <MessageLine at={entry.at} message={message} />
  if (rule) {
    return (
      <Line at={entry.at} icon="bolt" title={t('timeline.rule', { name: rule.name })}>
        <span className="soft">
          {hasText(`timeline.rule_${rule.status}`) ? t(`timeline.rule_${rule.status}`) : rule.status}
          {rule.reason && ` · ${rule.reason}`}
        </span>
      </Line>
    )
  }
  if (views) {
    return <Line at={entry.at} icon="eye" title={t('timeline.page_view', { count: views.views })} />
  }
  if (claim) {
    const isWithdrawal = claim.kind === 'withdrawal'
    return (
      <Line at={entry.at} icon="claim" title={t(isWithdrawal ? 'timeline.withdrawal' : 'timeline.claim')} tone="late">
        <span className="soft">
          <Link to="/$slug/claims/$uuid" params={{ slug, uuid: claim.uuid }}>
            {isWithdrawal ? t('orders.claim_kind_withdrawal') : wordOf('claim_reason', claim.reason)}
          </Link>{' '}
          · {wordOf('claim_status', claim.status)}
        </span>
      </Line>
    )
  }
  return <Line at={entry.at} icon="orders" title={t('timeline.order_placed')} />
}

function EventLine({ at, event, parcel }: { at: string; event: Event; parcel: string | undefined }) {
  const isBad = event.phase === 'delivery_failed' || event.phase === 'return_failed'
  const icon = event.phase === 'delivered' ? 'check' : isBad ? 'alert' : 'truck'
  const tone = event.phase === 'delivered' ? 'good' : isBad ? 'wrong' : undefined
  const parts = [event.location, parcel, sourceOf(event.source), silenceOf(event.reason)]
  return (
    <Line at={at} icon={icon} title={event.label} tone={tone}>
      <span className="soft">{parts.filter(Boolean).join(' · ')}</span>
    </Line>
  )
}

function sourceOf(source: string): string | undefined {
  if (source === 'system') return undefined
  return source === 'api' ? t('timeline.by_hand') : t('timeline.by_carrier')
}

function silenceOf(reason: Event['reason']): string | undefined {
  if (reason === 'not asked to notify') return t('timeline.not_announced')
  return reason === 'no receiver' ? t('timeline.nobody_told') : undefined
}

/** A message: its receiver, its subject, and how the delivery went. */
function MessageLine({ at, message }: { at: string; message: Message }) {
  const slug = useSlug()
  const isAdmin = useMay('admin')
  const isToCustomer = message.integration !== null
  const what = message.label ?? sentence(message.event_group)
  const channel = message.integration === null ? undefined : nameOfIntegration(message.integration)
  const title = isToCustomer
    ? t('timeline.told_customer', { channel: channel ?? '', what })
    : t(message.url ? 'timeline.told_address' : 'timeline.told_webhook', { what })
  return (
    <Line at={at} icon={isToCustomer ? 'send' : 'webhook'} title={title}>
      <span className="row tight-row">
        <MessageState message={message} />
        <Failure message={message} />
        {isAdmin && message.status !== 'pending' && <Resend message={message} />}
        {isAdmin && !isToCustomer && (
          <Link
            to="/$slug/messages/deliveries/$deliveryId"
            params={{ slug, deliveryId: message.delivery_id }}
            className="small"
          >
            {t('timeline.details')}
          </Link>
        )}
      </span>
    </Line>
  )
}

/** The reason why the message has not arrived, and the time of the next attempt. */
function Failure({ message: { failure, status, next_attempt_at: next } }: { message: Message }) {
  if (failure === null) return null
  const words = failureOf(failure)
  if (status !== 'pending' || next === null) return <span className="soft">{words}</span>
  return <span className="soft">{rich('timeline.next_try', { words, when: <RelativeTime at={next} /> })}</span>
}

const states: Record<Message['status'], Tone> = {
  delivered: 'good',
  pending: 'info',
  skipped: 'neutral',
  dead: 'wrong',
}

function MessageState({ message }: { message: Message }) {
  const words = message.status === 'pending' && message.attempt_count > 0 ? 'retrying' : message.status
  return <Badge tone={words === 'retrying' ? 'late' : states[message.status]}>{t(`timeline.message_${words}`)}</Badge>
}

function failureOf({ status_code: code, stage, error }: NonNullable<Message['failure']>): string {
  if (code !== null) return t('timeline.failed_code', { code: String(code) })
  if (stage !== null && hasText(`timeline.failed_${stage}`)) return t(`timeline.failed_${stage}`)
  return error ?? ''
}

/** Sends a message once more. The customer may get it twice, which the words say. */
function Resend({ message }: { message: Message }) {
  const slug = useSlug()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const resend = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/deliveries/{delivery_id}/resend', {
        params: { path: { slug, delivery_id: message.delivery_id } },
      }),
    onSuccess: async () => {
      toasts.done(t('timeline.resent'))
      await refresh(queryClient, '/v1/shops/{slug}/orders/{order_id}/timeline')
    },
    onError: toasts.failed,
  })
  return (
    <Button isSmall variant="quiet" icon="refresh" isBusy={resend.isPending} onClick={() => resend.mutate()}>
      {t('timeline.resend')}
    </Button>
  )
}

interface LineProps {
  at: string
  icon: IconName
  title: string
  tone?: Tone | undefined
  children?: ReactNode
}

function Line({ at, icon, title, tone, children }: LineProps) {
  return (
    <div className={`story-line ${tone ?? ''}`}>
      <span className="story-icon">
        <Icon name={icon} />
      </span>
      <div className="stack tight grow">
        <p className="strong">{title}</p>
        {children && <div className="small">{children}</div>}
      </div>
      <time dateTime={at} title={formatExactTime(at)} className="soft small nowrap">
        {formatClock(at)}
      </time>
    </div>
  )
}

function nameOfIntegration(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** `shipment_out_for_delivery` as "Shipment out for delivery". */
function sentence(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
