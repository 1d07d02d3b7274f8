import type { Result } from 'doorstep-client'
import { cleanText } from './data.ts'
import { count, failureInWords, nameInWords, suppressionInWords, timeInWords } from './words.ts'

type Timeline = Result<'getShipmentTimeline'>
type Event = Timeline['events'][number]
type Delivery = Event['notifications'][number]['deliveries'][number]
type Receiver = Result<'listIntegrations'>['integrations'][number]

/** The facts that decide whether a customer gets messages from the shop. */
export interface MessageFacts {
  hasEmail: boolean
  /** Whether the address gets mail; undefined: nothing is known against it. */
  suppression: Result<'listMailSuppressions'>[number] | undefined
  mail: Result<'getMailSettings'>
  /** Those that are switched on, with the age in hours from which an event is too old for them. */
  receivers: { receiver: Receiver; tooOldAfterHours: number }[]
  timelines: Timeline[]
}

/** One delivery about the order. */
export interface Message {
  delivery_id: string
  receiver: string
  event_name: string
  status: Delivery['status']
  created_at: string
  finished_at: string | null
  next_attempt_at: string | null
  attempts: number
  reason: string | null
  detail: string | null
}

/** An event that nobody was sent. */
export interface SilentEvent {
  event_name: string
  time: string
  recorded_at: string
  reason: 'not_asked_to_notify' | 'no_event_group' | 'too_old' | 'already_told' | 'no_receiver'
}

const maxMessages = 40
const maxSilent = 30

/** The deliveries of all parcels, newest first. */
export function messagesOf(timelines: Timeline[]): { messages: Message[]; isComplete: boolean } {
  const deliveries = timelines
    .flatMap(deliveriesOf)
    .sort((left, right) => (left.created_at > right.created_at ? -1 : 1))
  return { messages: deliveries.slice(0, maxMessages).map(toMessage), isComplete: deliveries.length <= maxMessages }
}

function deliveriesOf({ events, others }: Timeline): Delivery[] {
  return [...events.flatMap(({ notifications }) => notifications), ...others].flatMap(({ deliveries }) => deliveries)
}

function toMessage(delivery: Delivery): Message {
  const last = delivery.attempts.at(-1)
  return {
    delivery_id: delivery.uuid,
    receiver: receiverOf(delivery),
    event_name: delivery.event_name,
    status: delivery.status,
    created_at: delivery.created_at,
    finished_at: delivery.finished_at,
    next_attempt_at: delivery.next_attempt_at,
    attempts: delivery.attempt_count,
    reason: delivery.status === 'delivered' ? null : (last?.reason ?? null),
    detail: delivery.status === 'delivered' || !last?.error ? null : cleanText(last.error, 200),
  }
}

function receiverOf({ integration, webhook_id }: Delivery): string {
  return integration ?? (webhook_id === null ? 'automation' : 'webhook')
}

/** Newest first. */
export function silentEventsOf({ timelines, receivers }: MessageFacts): SilentEvent[] {
  return timelines
    .flatMap((timeline) =>
      timeline.events.flatMap((event): SilentEvent[] => {
        if (wasTold(event, receivers)) return []
        const { event_key: event_name, time, recorded_at } = event
        return [{ event_name, time, recorded_at, reason: silenceOf(event, timeline, receivers) }]
      }),
    )
    .sort((left, right) => (left.time > right.time ? -1 : 1))
    .slice(0, maxSilent)
}

/** If integrations write to customers, an event that only reached webhook endpoints counts as not notified. */
function wasTold({ reason, notifications }: Event, receivers: MessageFacts['receivers']): boolean {
  if (reason !== 'told' || receivers.length === 0) return reason === 'told'
  return notifications.some(({ deliveries }) => deliveries.some(({ integration }) => integration !== null))
}

function silenceOf(event: Event, timeline: Timeline, receivers: MessageFacts['receivers']): SilentEvent['reason'] {
  if (event.reason === 'not asked to notify') return 'not_asked_to_notify'
  if (event.reason === 'no event group') return 'no_event_group'
  const isRepeated = deliveriesOf(timeline).some(
    ({ integration, event_group, created_at }) =>
      integration !== null && event_group === event.event_group && created_at <= event.recorded_at,
  )
  if (isRepeated) return 'already_told'
  const ageHours = (Date.parse(event.recorded_at) - Date.parse(event.time)) / 3_600_000
  const limits = receivers.map(({ tooOldAfterHours }) => tooOldAfterHours)
  return limits.length > 0 && ageHours > Math.max(...limits) ? 'too_old' : 'no_receiver'
}

/** The whole story in sentences, what stops messages first. */
export function explainMessages(facts: MessageFacts): string[] {
  const deliveries = facts.timelines.flatMap(deliveriesOf)
  return [
    ...explainCustomer(facts),
    ...explainReceivers(facts),
    ...explainDeliveries(deliveries),
    ...explainSilence(silentEventsOf(facts)),
  ]
}

function explainCustomer({ hasEmail, suppression }: MessageFacts): string[] {
  if (!hasEmail) return ['The order has no e-mail address, so no e-mail can be sent to the customer.']
  if (suppression === undefined) return ['Nothing is known against the e-mail address of the customer.']
  const { gets_mail, reason, since } = suppression
  return gets_mail
    ? [`Since ${timeInWords(since)} the customer gets no promotion, and still gets messages about orders.`]
    : [`Since ${timeInWords(since)} the address gets no e-mail from us: ${suppressionInWords(reason)}.`]
}

function explainReceivers({ mail, receivers }: MessageFacts): string[] {
  const on = receivers.map(({ receiver }) => receiver)
  const lacking = on.filter(({ has_credentials }) => !has_credentials)
  const failing = on.filter(({ health }) => health.state === 'failing')
  return [
    on.length === 0
      ? 'No system that writes to customers is switched on now: neither e-mail nor a marketing system. Until an admin switches one on, no customer is written to.'
      : `Switched on now: ${on.map(({ integration }) => inWords(integration)).join(', ')}.`,
    ...(mail.is_on && mail.source === null ? ['E-mail is switched on, but there is no mail server to send it.'] : []),
    ...lacking.map(
      ({ integration }) => `${inWords(integration)} is switched on without credentials, so it receives nothing.`,
    ),
    ...failing.map(({ integration }) => `The latest attempt for ${inWords(integration)} failed.`),
  ]
}

/** The words of the reasons that messages are skipped for; any other is in the data. */
const skipped = new Map([
  ['merged into a later message', 'a later message about the same order said it better'],
  ['this address gets no e-mail: it bounced or complained', 'the address bounced or complained before'],
  ['there is no message about this event', 'there is no e-mail about this event'],
  ['the customer has no e-mail address', 'the customer has no e-mail address'],
  ["the customer's e-mail address is malformed", "the customer's e-mail address is malformed"],
])

function explainDeliveries(deliveries: Delivery[]): string[] {
  if (deliveries.length === 0) return ['Nothing was sent about this order.']
  const receivers = [...new Set(deliveries.map(receiverOf))]
  return receivers.flatMap((receiver) => {
    const own = deliveries.filter((delivery) => receiverOf(delivery) === receiver)
    return [...explainDelivered(receiver, own), ...explainWaiting(receiver, own), ...explainEnded(receiver, own)]
  })
}

function explainDelivered(receiver: string, own: Delivery[]): string[] {
  const delivered = own.filter(({ status }) => status === 'delivered')
  const last = delivered.reduce<Delivery | undefined>(
    (newest, delivery) => (newest && newest.created_at > delivery.created_at ? newest : delivery),
    undefined,
  )
  if (last === undefined) return []
  const about = `the last about ${nameInWords(last.event_name)}, ${timeInWords(last.finished_at ?? last.created_at)}`
  if (receiver === 'smtp') return [`The mail server accepted ${count(delivered.length, 'e-mail')}, ${about}.`]
  return [
    `Received by ${inWords(receiver)}: ${count(delivered.length, 'event')}, ${about}. Whether the customer was then written to is decided there.`,
  ]
}

/** The marketing systems by their names. */
function inWords(receiver: string): string {
  const names: Record<string, string> = {
    smtp: 'e-mail',
    webhook: "the shop's webhook endpoints",
    automation: 'addresses of automations',
  }
  return names[receiver] ?? receiver
}

function explainWaiting(receiver: string, own: Delivery[]): string[] {
  return own
    .filter(({ status }) => status === 'pending')
    .slice(0, 5)
    .map(({ event_name, attempt_count, next_attempt_at, attempts }) => {
      const about = `One for ${inWords(receiver)} about ${nameInWords(event_name)} waits`
      const until = next_attempt_at === null ? '' : ` until ${timeInWords(next_attempt_at)}`
      const reason = attempts.at(-1)?.reason
      if (attempt_count > 0 && reason) {
        return `${about}${until} to be tried again: after ${count(attempt_count, 'attempt')}, ${failureInWords(reason)}.`
      }
      const why = receiver === 'smtp' ? ': quiet hours, or ten minutes after the message before' : ' for its turn'
      return `${about}${until}${why}.`
    })
}

function explainEnded(receiver: string, own: Delivery[]): string[] {
  const reasons = own.flatMap((delivery) => {
    const last = delivery.attempts.at(-1)
    if (delivery.status === 'skipped') {
      return [
        `not needed by ${inWords(receiver)}: ${skipped.get(last?.error ?? '') ?? '`detail` in the data says why'}`,
      ]
    }
    if (delivery.status !== 'dead') return []
    return [`given up for ${inWords(receiver)}: ${last?.reason ? failureInWords(last.reason) : 'every attempt failed'}`]
  })
  const numbers = new Map<string, number>()
  for (const reason of reasons) numbers.set(reason, (numbers.get(reason) ?? 0) + 1)
  return [...numbers].map(([reason, number]) => `${number} ${reason}.`)
}

const silences: Record<SilentEvent['reason'], string> = {
  not_asked_to_notify: 'recorded without the wish to notify anybody (notify was not set)',
  no_event_group: 'of a kind that nobody is told about',
  too_old: 'too old when they arrived: older than the limit of every system that is switched on',
  already_told: 'not sent again: a system is told of a group of events once per parcel',
  no_receiver: 'published when no system that writes to customers was switched on for them',
}

function explainSilence(events: SilentEvent[]): string[] {
  return Object.entries(silences).flatMap(([reason, words]) => {
    const own = events.filter((event) => event.reason === reason)
    if (own.length === 0) return []
    const names = [...new Set(own.map(({ event_name }) => nameInWords(event_name)))].slice(0, 5).join(', ')
    return [`${count(own.length, 'event')} ${words}: ${names}.`]
  })
}
