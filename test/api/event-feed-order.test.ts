import { describe, expect, it } from 'vitest'
import { recordAndPublish } from '../../src/orders/events/record.ts'
import { findMeaning } from '../../src/platform/catalogue/catalogue.ts'
import { inTransaction } from '../../src/platform/foundation/transaction.ts'
import type { Service } from '../../src/service.ts'
import { shopIdOf } from '../harness/customers.ts'
import { type FeedEvent, readOn, sendParcel } from '../harness/event-feed.ts'
import { engine, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const writers = 32
const names = ['PARCEL_DISPATCHED', 'ARRIVED_AT_SORTING_CENTER', 'AT_TRANSPORT_HUB', 'OUT_FOR_DELIVERY']

/** Records an event in a transaction of its own, which commits when `hold` is over. */
async function record(
  service: Service,
  parcel: { shopId: string; shipmentId: string },
  eventKey: string,
  hold: () => Promise<unknown>,
): Promise<void> {
  const meaning = findMeaning(eventKey)
  if (meaning === undefined) throw new Error(`${eventKey} is not a known event`)
  await inTransaction(service.context(), async (context) => {
    await recordAndPublish(context, [
      {
        ...parcel,
        trackingNumber: null,
        eventKey,
        phase: meaning.phase,
        flag: meaning.flag,
        movesPhase: true,
        isAllowedForDrafts: false,
        eventTime: context.now,
        externalId: null,
        timezone: null,
        location: null,
        additionalInfo: null,
        source: 'test',
        isNotified: true,
        pickup: undefined,
        now: context.now,
      },
    ])
    await hold()
  })
}

function makeGate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

/** Some turns of the event loop, so that transactions overlap and commit in another order than they began. */
async function yieldTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

/** Reads until it is stopped and has all; after some pages it crashes in the middle of one and resumes. */
async function readAndCrash(shop: ShopCaller, begin: string, isComplete: (events: FeedEvent[]) => boolean) {
  const processed: FeedEvent[] = []
  let crashes = 0
  let next = begin
  for (let page = 1; !isComplete(processed); page += 1) {
    const { status, body, text } = await shop.get('/events', { after: next, limit: 1 + (page % 7), wait: page % 2 })
    expect(status, text).toBe(200)
    const isCrash = page % 3 === 0 && body.events.length > 1
    const survived: FeedEvent[] = isCrash ? body.events.slice(0, Math.ceil(body.events.length / 2)) : body.events
    processed.push(...survived)
    next = isCrash ? (survived.at(-1)?.cursor ?? next) : body.next
    if (isCrash) crashes += 1
  }
  return { processed, crashes }
}

async function makeParcels(count: number) {
  const service = await theService()
  const made = await makeShop()
  const shop = made.as('admin')
  const shopId = await shopIdOf(service, made)
  const parcels: { number: string; shipmentId: string; shopId: string }[] = []
  for (let n = 0; n < count; n += 1) parcels.push({ ...(await sendParcel(shop)), shopId })
  return { service, made, shop, parcels, begin: (await made.as('viewer').get('/events')).body.next as string }
}

const keyOf = ({ event_data }: FeedEvent) => `${event_data.tracking_number} ${event_data.event_name}`

describe('order of the event feed', () => {
  it('skips and repeats nothing while 32 writers commit and the reader crashes', { timeout: 120_000 }, async () => {
    const { service, made, parcels, begin } = await makeParcels(writers)
    const expected = parcels.flatMap(({ number }) => names.map((name) => `${number} ${name}`))
    const writing = Promise.all(
      parcels.map(async ({ shopId, shipmentId }, writer) => {
        for (const [round, name] of names.entries()) {
          await record(service, { shopId, shipmentId }, name, () => yieldTurns((writer * 7 + round * 3) % 11))
        }
      }),
    )
    const reading = readAndCrash(made.as('viewer'), begin, (events) => events.length >= expected.length)
    await writing
    const { processed, crashes } = await reading
    expect(processed.map(keyOf).toSorted()).toEqual(expected.toSorted())
    expect(crashes).toBeGreaterThan(0)
    for (const { number } of parcels) {
      const own = processed.map(keyOf).filter((key) => key.startsWith(`${number} `))
      expect(own).toEqual(names.map((name) => `${number} ${name}`))
    }
    expect(await readOn(made.as('viewer'), begin, 500)).toEqual(processed)
  })

  // The embedded store has one connection, and with it one transaction at a time.
  it.skipIf(engine === 'embedded')('has what commits late after what was committed before it', async () => {
    const { service, made, parcels, begin } = await makeParcels(3)
    const [late, undone, quick] = parcels
    if (!late || !undone || !quick) throw new Error('three parcels are needed')
    const [gate, lateIsOpen, undoneIsOpen] = [makeGate(), makeGate(), makeGate()]
    const committing = record(service, late, 'OUT_FOR_DELIVERY', async () => {
      lateIsOpen.open()
      await gate.passed
    })
    const failing = record(service, undone, 'OUT_FOR_DELIVERY', async () => {
      undoneIsOpen.open()
      await gate.passed
      throw new Error('rolled back')
    })
    const isUndone = expect(failing).rejects.toThrow('rolled back')
    await Promise.all([lateIsOpen.passed, undoneIsOpen.passed])
    await record(service, quick, 'OUT_FOR_DELIVERY', () => yieldTurns(1))
    const early = await readOn(made.as('viewer'), begin)
    expect(early.map(keyOf)).toEqual([`${quick.number} OUT_FOR_DELIVERY`])
    const waiting = made.as('viewer').get('/events', { after: early[0]?.cursor ?? '', wait: 30 })
    await expect.poll(() => service.context().services.feedReaders.waiting, { timeout: 60_000 }).toBe(1)
    gate.open()
    await committing
    await isUndone
    const { body } = await waiting
    expect(body.events.map(keyOf)).toEqual([`${late.number} OUT_FOR_DELIVERY`])
    expect(await readOn(made.as('viewer'), begin)).toEqual([...early, ...body.events])
  })
})
