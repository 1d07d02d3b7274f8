import { type FeedEvent, followEvents } from 'doorstep-client/feed'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/errors.ts'
import type { Output } from '../frame/output.ts'
import { timeOfDay, untilInterrupted } from '../frame/streams.ts'
import { findEventName, recordEvent } from './record-event.ts'

/** Of every command that reads the event feed. */
export const feedOptions = {
  events: {
    type: 'string',
    short: 'e',
    value: 'EVENTS',
    summary: 'Only these: claims, shipments/delivered, shipments/in_delivery/OUT_FOR_DELIVERY',
    isRepeatable: true,
  },
} as const

export const eventsTail = command({
  name: 'events tail',
  summary: 'Watch the events of a shop as they happen',
  details:
    'Reads the event feed: everything that webhooks are told, without an endpoint. It continues where it was after a\n' +
    'disconnect, and ends with Ctrl+C. With --json, each line is the payload of a webhook and its cursor.',
  needs: 'shop',
  options: {
    ...feedOptions,
    from: {
      type: 'string',
      value: 'PLACE',
      summary: 'Where to begin: latest, oldest, or the cursor of an event',
      default: 'latest',
    },
    'until-now': { type: 'boolean', summary: 'End when all events that are there have been read' },
  },
  examples: [
    { line: 'events tail', says: 'From now on' },
    { line: 'events tail --events shipments/delivered,claims', says: 'Only deliveries and claims' },
    {
      line: 'events tail --from oldest --until-now --json > events.jsonl',
      says: 'Everything that is kept, into a file',
    },
  ],
  async run({ client, shop, options, signal, output }) {
    const isEndless = !options['until-now']
    if (isEndless) output.note(`Watching the events of ${shop}. Ctrl+C ends it.`)
    await untilInterrupted(signal, async () => {
      const following = followEvents(client, shop, {
        ...(options.from === 'oldest' ? {} : { after: options.from }),
        ...(options.events.length > 0 ? { types: options.events } : {}),
        ...(isEndless ? {} : { waitSeconds: 0 }),
        signal,
      })
      for await (const event of following) output.item(event, () => lineOf(event, output))
    })
  },
})

export const eventsSend = command({
  name: 'events send',
  summary: 'Record an event of a parcel',
  details:
    'As a carrier or a warehouse reports it. Webhooks, integrations and messages to the customer follow, unless --quiet is\n' +
    'given. The event is a name, or a phase such as "delivered", for the usual event of that phase.',
  needs: 'shop',
  arguments: [{ name: 'event', summary: 'what happened, such as OUT_FOR_DELIVERY or delivered' }],
  options: {
    parcel: { type: 'string', value: 'NUMBER', summary: 'The tracking number of the parcel' },
    order: { type: 'string', value: 'NUMBER', summary: 'The number of an order, for all its parcels' },
    time: { type: 'string', value: 'TIME', summary: 'When it happened, such as 2026-11-16T14:00:00Z; otherwise now' },
    quiet: { type: 'boolean', summary: 'Notify nobody' },
  },
  examples: [
    { line: 'events send OUT_FOR_DELIVERY --parcel 00340434161094042557', says: 'One parcel' },
    { line: 'events send delivered --order 1001 --quiet', says: 'All parcels of an order, without notifications' },
  ],
  async run({ client, shop, arguments: { event }, options: { parcel, order, time, quiet }, output }) {
    const [id, other] = [parcel, order].filter((given) => given !== undefined)
    if (id === undefined || other !== undefined) throw new UsageError('Give --parcel or --order.')
    const name = await findEventName(client, event)
    const idType = parcel === undefined ? 'order_number' : 'tracking_number'
    const recorded = await recordEvent(client, shop, { name, id, idType, time, isQuiet: quiet })
    output.result(recorded, `Recorded ${name} for ${idType === 'tracking_number' ? 'parcel' : 'order'} ${id}.`)
  },
})

export const eventsNames = command({
  name: 'events names',
  summary: 'List the names of events',
  needs: 'service',
  options: { phase: { type: 'string', value: 'PHASE', summary: 'Only those of this phase, such as in_delivery' } },
  examples: [
    { line: 'events names', says: 'Each with its phase and what customers read' },
    { line: 'events names --phase delivered', says: 'Those that end a journey well' },
  ],
  async run({ client, options: { phase }, output }) {
    const all = await client.get('/v1/event-names')
    const found = all.filter((each) => phase === undefined || each.phase === phase)
    const phases = [...new Set(all.map((each) => each.phase))]
    if (found.length === 0) throw new UsageError(`"${phase}" is not a phase.`, `The phases are ${phases.join(', ')}.`)
    output.result(found, () =>
      output.table(
        ['NAME', 'PHASE', 'TEXT'],
        found.map((each) => [each.event_name, each.phase, each.text]),
      ),
    )
  },
})

/** `14:03:09  shipments/delivered/SUCCESSFULLY_DELIVERED  order 1001`, with what happened to it before its name. */
export function lineOf(event: FeedEvent, { paint }: Output, outcome?: string): string {
  const { order } = event.context
  return [
    paint.dim(timeOfDay(new Date(event.triggered_at))),
    ...(outcome === undefined ? [] : [outcome]),
    paint.cyan(event.ref),
    ...(order ? [paint.dim(`order ${order.order_number}`)] : []),
  ].join('  ')
}
