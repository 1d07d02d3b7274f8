import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SendResult } from '../../src/delivery/queue/attempt.ts'
import { decideTiming, recordSent } from '../../src/messages/timing/decide.ts'
import { quietUntil } from '../../src/messages/timing/rules.ts'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { queueMail, startDispatcher } from '../harness/mail-deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let service: Service
let made: TestShop
let shopId: string

beforeAll(async () => {
  // Without workers: each test has a dispatcher of its own.
  service = await startTestService({ ROLE: 'api' }, await openTestDatabase())
  made = await makeShop({}, service)
  shopId = await idOf(made)
})
afterAll(() => service.stop())
afterEach(() => clock.reset())

async function idOf({ slug }: TestShop): Promise<string> {
  const { id } = await service.database.db
    .selectFrom('shops')
    .where('slug', '=', slug)
    .select('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The next time that clocks in Berlin show this hour, at least a day from now. */
function moveToHour(hour: number): void {
  clock.advance(24 * hourMs)
  const now = clock.now()
  const passed = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', hourCycle: 'h23' }).format(now),
  )
  clock.advance(((hour - passed + 24) % 24) * hourMs - (now.getTime() % hourMs))
}

const succeeded: SendResult = {
  verdict: 'delivered',
  statusCode: 250,
  responseBody: null,
  stage: null,
  error: null,
  retryAfterMs: undefined,
}

/** An order with two parcels, and a worker that sends as the mail sender does. */
async function start(country = 'DE') {
  const order = await createOrder(
    made.as('admin'),
    {
      order_placed_at: undefined,
      address: { name: 'Ada', street: 'A 1', city: 'B', zip_code: '1', country_code: country },
    },
    [{ tracking_number: uniqueNumber('MT') }, { tracking_number: uniqueNumber('MT') }],
  )
  const sent: string[] = []
  const references: string[][] = []
  const results: string[] = []
  const behaviour = { outcome: (): SendResult => succeeded }
  const worker = startDispatcher(service, async (delivery) => {
    const context = service.context()
    const timing = await decideTiming(context, delivery, JSON.parse(delivery.body.toString()), context.now)
    results.push(`${delivery.eventGroup} ${Object.keys(timing)[0]}`)
    if ('wait' in timing) return { verdict: 'wait', until: timing.wait }
    if ('skip' in timing) return { ...succeeded, verdict: 'skipped', statusCode: null, error: timing.skip }
    const outcome = behaviour.outcome()
    if (outcome.verdict !== 'delivered') return outcome
    sent.push(delivery.eventGroup)
    references.push(timing.references)
    await recordSent(context, {
      shopId,
      deliveryId: delivery.id,
      messageId: `${delivery.id}@shop.example`,
      sentAt: clock.now(),
    })
    return outcome
  })
  const queue = (eventGroup: string, parcel = 0) =>
    queueMail(service, {
      shopId,
      orderId: order.uuid,
      shipmentId: order.trackings[parcel].id,
      eventGroup,
      body: {
        event_data: { shipment_id: order.trackings[parcel].id },
        context: { order, customer: {}, shipments: order.trackings, claims: [] },
      },
    })
  return {
    sent,
    references,
    results,
    behaviour,
    order,
    queue,
    async run(eventGroup?: string, parcel = 0) {
      const id = eventGroup === undefined ? '' : await queue(eventGroup, parcel)
      await worker.runDue()
      await worker.runDue()
      return id
    },
    delivery: async (id: string) => (await made.as('admin').get(`/deliveries/${id}`)).body,
  }
}

describe('messages to customers › merging', () => {
  it('the first one of an order leaves at once, later ones within ten minutes become one', async () => {
    moveToHour(12)
    const { run, sent, delivery } = await start()
    await run('shipment_pre_transit')
    expect(sent).toEqual(['shipment_pre_transit'])
    clock.advance(minuteMs)
    const older = await run('shipment_in_transit')
    clock.advance(minuteMs)
    const newer = await run('shipment_carrier_delay', 1)
    expect(sent).toHaveLength(1)
    expect(await delivery(older)).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [] })
    clock.advance(8 * minuteMs)
    await run()
    expect(sent).toEqual(['shipment_pre_transit', 'shipment_carrier_delay'])
    expect(await delivery(older)).toMatchObject({
      status: 'skipped',
      attempts: [{ error: 'merged into a later message' }],
    })
    expect(await delivery(newer)).toMatchObject({ status: 'delivered' })
  })

  it('of several that are queued together only the newest leaves', async () => {
    moveToHour(12)
    const { run, sent, queue } = await start()
    await queue('shipment_pre_transit')
    await queue('shipment_in_transit')
    await run('shipment_in_transit', 1)
    expect(sent).toEqual(['shipment_in_transit'])
  })

  it('urgent ones leave at once, and what waited before them is merged into them', async () => {
    moveToHour(12)
    const { run, sent, results } = await start()
    await run('shipment_pre_transit')
    await run('shipment_in_transit')
    await run('shipment_out_for_delivery')
    await run('shipment_delivered_to_parcel_shop', 1)
    await run('shipment_delivery_failed')
    expect(sent).toEqual([
      'shipment_pre_transit',
      'shipment_out_for_delivery',
      'shipment_delivered_to_parcel_shop',
      'shipment_delivery_failed',
    ])
    clock.advance(11 * minuteMs)
    await run()
    expect(results.at(-1)).toBe('shipment_in_transit skip')
  })

  it('receipts leave at once, and merge with nothing', async () => {
    moveToHour(12)
    const { run, sent } = await start()
    await run('shipment_pre_transit')
    await run('shipment_in_transit')
    await run('claim_created')
    await run('withdrawal_received')
    expect(sent).toEqual(['shipment_pre_transit', 'claim_created', 'withdrawal_received'])
    clock.advance(11 * minuteMs)
    await run()
    expect(sent.at(-1)).toBe('shipment_in_transit')
  })

  it('receipts leave at night too, and the first message about the parcels is still the first after them', async () => {
    moveToHour(23)
    const { run, sent } = await start()
    const messages = ['withdrawal_received', 'claim_created', 'shipment_pre_transit']
    for (const message of messages) await run(message)
    expect(sent).toEqual(messages)
  })

  it('one that no server has accepted was not the first', async () => {
    moveToHour(12)
    const { run, sent, behaviour } = await start()
    behaviour.outcome = () => ({ ...succeeded, verdict: 'give up', statusCode: 550, stage: 'status', error: 'no' })
    await run('shipment_pre_transit')
    behaviour.outcome = () => succeeded
    clock.advance(3 * minuteMs)
    await run('shipment_in_transit')
    expect(sent).toEqual(['shipment_in_transit'])
  })

  it('one that a merchant sends again leaves at once', async () => {
    moveToHour(12)
    const { run, sent, delivery } = await start()
    await run('shipment_pre_transit')
    const older = await run('shipment_in_transit')
    await run('shipment_out_for_delivery')
    clock.advance(11 * minuteMs)
    await run()
    expect(await delivery(older)).toMatchObject({ status: 'skipped' })
    await made.as('admin').post(`/deliveries/${older}/resend`)
    await run()
    expect(sent.at(-1)).toBe('shipment_in_transit')
  })
})

describe('messages to customers › quiet hours', () => {
  it('what is not urgent waits until the morning of the customer', async () => {
    moveToHour(20)
    const { run, sent, delivery } = await start()
    await run('shipment_pre_transit')
    clock.advance(2 * hourMs)
    const id = await run('shipment_in_transit')
    expect(sent).toHaveLength(1)
    const { next_attempt_at } = await delivery(id)
    const shown = new Date(next_attempt_at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })
    expect(shown).toBe('07:00:00')
    clock.advance(8 * hourMs)
    await run('shipment_out_for_delivery')
    expect(sent).toEqual(['shipment_pre_transit', 'shipment_out_for_delivery'])
    clock.advance(hourMs + minuteMs)
    const last = await run('shipment_delivered')
    clock.advance(10 * minuteMs)
    await run()
    expect(await delivery(id)).toMatchObject({ status: 'skipped' })
    expect(await delivery(last)).toMatchObject({ status: 'delivered' })
  })

  it('what customs wants does not wait for the morning, as delays do', async () => {
    moveToHour(20)
    const { run, sent, delivery } = await start()
    await run('shipment_pre_transit')
    clock.advance(2 * hourMs)
    const delay = await run('shipment_carrier_delay')
    expect(await delivery(delay)).toMatchObject({ status: 'pending' })
    await run('shipment_customs_action_needed')
    expect(sent).toEqual(['shipment_pre_transit', 'shipment_customs_action_needed'])
  })

  it('the first message of an order does not wait for the morning', async () => {
    moveToHour(23)
    const { run, sent } = await start()
    await run('shipment_pre_transit')
    expect(sent).toEqual(['shipment_pre_transit'])
  })

  it('are those of the address: at night in Berlin it is day in Tokyo', async () => {
    moveToHour(3)
    const { run, sent } = await start('JP')
    await run('shipment_pre_transit')
    clock.advance(11 * minuteMs)
    await run('shipment_in_transit')
    expect(sent).toEqual(['shipment_pre_transit', 'shipment_in_transit'])
  })

  it.each([
    // Within one day, over midnight, at both ends, and none.
    ['13:00', '15:00', '2026-11-16T13:30:00Z', '2026-11-16T14:00:00Z'],
    ['21:00', '07:00', '2026-11-16T20:00:00Z', '2026-11-17T06:00:00Z'],
    ['21:00', '07:00', '2026-11-16T03:00:00Z', '2026-11-16T06:00:00Z'],
    ['21:00', '07:00', '2026-11-16T06:00:00Z', undefined],
    ['21:00', '07:00', '2026-11-16T19:59:59Z', undefined],
    ['07:00', '07:00', '2026-11-16T03:00:00Z', undefined],
    // The nights in which the clocks change.
    ['21:00', '07:00', '2026-10-24T22:00:00Z', '2026-10-25T06:00:00Z'],
    ['21:00', '07:00', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
    ['21:00', '02:30', '2026-03-28T22:00:00Z', '2026-03-29T01:30:00Z'],
  ])('%s to %s in Berlin, at %s: until %s', (from, to, at, until) => {
    expect(quietUntil({ from, to }, 'Europe/Berlin', new Date(at))?.toISOString()).toBe(
      until === undefined ? undefined : new Date(until).toISOString(),
    )
  })
})

describe('messages to customers › threads', () => {
  it('name the first and the last message of the same parcel', async () => {
    moveToHour(12)
    const { run, references } = await start()
    const first = await run('shipment_pre_transit')
    clock.advance(11 * minuteMs)
    const second = await run('shipment_in_transit')
    clock.advance(11 * minuteMs)
    await run('shipment_in_transit', 1)
    clock.advance(11 * minuteMs)
    await run('shipment_out_for_delivery')
    expect(references).toEqual([[], [`${first}@shop.example`], [], [`${first}@shop.example`, `${second}@shop.example`]])
  })

  it('are forgotten when the customer is erased', async () => {
    moveToHour(12)
    const { run, order } = await start()
    await run('shipment_pre_transit')
    const count = async () => {
      const rows = service.database.db.selectFrom('mail_messages').where('order_id', '=', order.uuid).select('order_id')
      return (await rows.execute()).length
    }
    expect(await count()).toBe(1)
    await made.as('admin').post('/privacy/erase', { email: order.email_id })
    expect(await count()).toBe(0)
  })
})
