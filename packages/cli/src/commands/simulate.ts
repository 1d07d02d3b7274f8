import type { Client } from 'doorstep-client'
import { followEvents } from 'doorstep-client/feed'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/errors.ts'
import { untilInterrupted } from '../frame/streams.ts'
import { lineOf } from './events.ts'
import { createSampleOrder, randomEnding } from './sample-order.ts'

const journeys = ['delivered', 'delayed', 'lost', 'returned', 'neighbor', 'locker', 'failed', 'letterbox'] as const

/** The phases in which a journey ends. */
const finalEvents =
  /\/(SUCCESSFULLY_\w+|SHIPMENT_LOST_IN_TRANSPORT|SHIPMENT_RETURNED_TO_SENDER|RETURNED_TO_DELIVERY_DEPOT)$/

export const simulate = command({
  name: 'simulate',
  summary: 'Send a sandbox parcel on its way, at the speed you choose',
  details:
    'Creates a sample order whose parcel is scanned once per step until the journey ends, as a real one would be. Nothing\n' +
    'leaves the service but what your shop sends: webhooks, integrations, messages.',
  needs: 'shop',
  arguments: [{ name: 'journey', summary: 'how it ends', choices: journeys }],
  options: {
    step: {
      type: 'string',
      value: 'TIME',
      summary: 'Between two scans: 1s to 99999s, 1m to 9999m, 1h to 99h',
      default: '5s',
    },
    email: { type: 'string', value: 'ADDRESS', summary: 'The customer, to see the messages yourself' },
    watch: { type: 'boolean', short: 'w', summary: 'Show the events until the journey ends' },
  },
  examples: [
    { line: 'simulate delivered --step 2s --watch', says: 'A whole journey within half a minute' },
    { line: 'simulate delayed --step 1h --email you@example.com', says: 'At the pace of a real one' },
  ],
  async run({ client, shop, arguments: { journey }, options, io, signal, output }) {
    const step = readStep(options.step)
    const trackingNumber = `SBX-${journey.toUpperCase()}-${step}-${randomEnding()}`
    const start = options.watch ? await latestCursor(client, shop) : undefined
    const order = await createSampleOrder(
      client,
      shop,
      { trackingNumber, carrier: 'sandbox' },
      { email: options.email, now: io.now() },
    )
    const text = () =>
      output.fields([
        ['parcel', order.tracking_number],
        ['order', order.order_number],
        ['page', order.page],
      ])
    if (options.watch) output.item(order, text)
    else output.result(order, text)
    await warnIfNotFollowed()
    if (start === undefined) return
    output.note(`\nThe first scan comes after ${options.step}. Ctrl+C ends watching, not the journey.`)
    await untilInterrupted(signal, async () => {
      for await (const event of followEvents(client, shop, { after: start, types: ['shipments'], signal })) {
        if (event.context.order?.order_number !== order.order_number) continue
        output.item(event, () => lineOf(event, output))
        if (finalEvents.test(event.ref)) return
      }
    })

    async function warnIfNotFollowed(): Promise<void> {
      const params = { path: { slug: shop } }
      const { carriers } = await client.get('/v1/shops/{slug}/settings', { params })
      const { sandbox } = await client.get('/v1/shops/{slug}/settings/carriers/providers', { params })
      if (!carriers.shipment_updates) {
        output.warn(
          'Updates from carriers are off in this shop, so the parcel does not move. Switch them on in its settings.',
        )
      } else if (sandbox.status !== 'live') {
        output.warn(`The sandbox is ${sandbox.status} in this shop: see its settings, under carriers.`)
      }
    }
  },
})

/** `5s` as `5S`. */
function readStep(text: string): string {
  if (!/^([1-9]\d{0,4}s|[1-9]\d{0,3}m|[1-9]\d?h)$/i.test(text)) {
    throw new UsageError(`--step must be a time such as 5s, 10m or 1h, not "${text}".`)
  }
  return text.toUpperCase()
}

async function latestCursor(client: Client, slug: string): Promise<string> {
  const query = { after: 'latest', limit: 1 }
  return (await client.get('/v1/shops/{slug}/events', { params: { path: { slug }, query } })).next
}
