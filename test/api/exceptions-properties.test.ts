import fc from 'fast-check'
import { type Selectable, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import type { Service } from '../../src/service.ts'
import { EvaluationMemory, evaluateExceptions } from '../../src/tracking/exceptions/evaluate.ts'
import { CaseCounter } from '../harness/cases.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

let service: Service
beforeAll(async () => {
  service = await theService()
})
afterAll(() => clock.reset())

const events = [
  'PARCEL_DATA_SUBMITTED_TO_CARRIER',
  'PARCEL_DISPATCHED',
  'ARRIVED_AT_SORTING_CENTER',
  'MORE_INFO_ON_CARRIER_WEBSITE',
  'OUT_FOR_DELIVERY',
  'DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN',
  'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME',
  'ARRIVED_AT_PARCEL_SHOP',
  'SHIPMENT_LOST_IN_TRANSIT',
  'SHIPMENT_RETURNING_TO_SENDER',
  'SHIPMENT_RETURNED_TO_SENDER',
  'SUCCESSFULLY_DELIVERED',
  'ORDER_CANCELLED',
]

type Step =
  | { do: 'report'; parcel: number; event: string; hoursAgo: number }
  | { do: 'promise'; parcel: number; days: number; source: 'expected' | 'pickup' }
  | { do: 'decide'; parcel: number; change: 'resolve' | 'open' | 'snooze' | 'assign' }
  | { do: 'delete'; parcel: number }
  | { do: 'limit'; days: number }
  | { do: 'wait'; hours: number }

const parcel = fc.nat({ max: 4 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('report' as const),
        parcel,
        event: fc.constantFrom(...events),
        hoursAgo: fc.nat({ max: 100 }),
      }),
    },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 150 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('promise' as const),
        parcel,
        days: fc.integer({ min: -3, max: 6 }),
        source: fc.constantFrom('expected' as const, 'pickup' as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('decide' as const),
        parcel,
        change: fc.constantFrom('resolve' as const, 'open' as const, 'snooze' as const, 'assign' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), parcel }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), days: fc.integer({ min: 1, max: 9 }) }) },
  ),
  { minLength: 5, maxLength: 25 },
)

const report = (parcel: number, event: string, hoursAgo = 0): Step => ({ do: 'report', parcel, event, hoursAgo })
const wait = (hours: number): Step => ({ do: 'wait', hours })
const decide = (parcel: number, change: Extract<Step, { do: 'decide' }>['change']): Step => ({
  do: 'decide',
  parcel,
  change,
})
const promise = (parcel: number, days: number, source: 'expected' | 'pickup'): Step => ({
  do: 'promise',
  parcel,
  days,
  source,
})

/** One parcel of each kind, then decisions that end: a time that is over, a more serious kind, a later event. */
const problems: Step[] = [
  report(0, 'SHIPMENT_LOST_IN_TRANSIT'),
  report(1, 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'),
  report(2, 'SHIPMENT_RETURNING_TO_SENDER'),
  report(3, 'ARRIVED_AT_PARCEL_SHOP'),
  report(4, 'OUT_FOR_DELIVERY'),
  wait(100),
  decide(0, 'resolve'),
  decide(2, 'snooze'),
  decide(3, 'assign'),
  decide(4, 'resolve'),
  wait(20),
  report(0, 'SHIPMENT_LOST_IN_TRANSIT'),
  report(4, 'SHIPMENT_RETURNING_TO_SENDER'),
  wait(20),
  { do: 'delete', parcel: 0 },
]

/** A parcel whose carrier delivers another one with scans, and that has none itself. */
const withoutScans: Step[] = [
  report(0, 'PARCEL_DISPATCHED', 50),
  report(0, 'ARRIVED_AT_SORTING_CENTER', 30),
  report(0, 'SUCCESSFULLY_DELIVERED'),
  wait(50),
  wait(60),
  report(1, 'SUCCESSFULLY_DELIVERED'),
]

/** Later than expected, then lost; and a parcel at a shop that keeps it for two days only. */
const overdue: Step[] = [
  report(0, 'ARRIVED_AT_SORTING_CENTER'),
  promise(0, 1, 'expected'),
  report(3, 'ARRIVED_AT_PARCEL_SHOP'),
  promise(3, 2, 'pickup'),
  { do: 'limit', days: 9 },
  wait(70),
  decide(0, 'resolve'),
  report(0, 'SHIPMENT_LOST_IN_TRANSIT'),
  { do: 'limit', days: 1 },
  report(1, 'ARRIVED_AT_SORTING_CENTER'),
  promise(1, 0, 'expected'),
  wait(30),
]

/** A parcel without events for sixty days. */
const forgotten: Step[] = [report(0, 'ARRIVED_AT_SORTING_CENTER'), ...Array.from({ length: 11 }, () => wait(140))]

const out = 'merchant_customer'
const back = 'customer_merchant'
const examples: [steps: Step[], directions: string[]][] = [
  [problems, [out, out, out, out, out]],
  [problems, [back, back, back, back, back]],
  [withoutScans, [out, out, back, out, back]],
  [overdue, [out, back, out, out, back]],
  [forgotten, [out, out, back, out, back]],
]

/** The plain evaluation of a parcel at a moment. */
interface Found {
  phase: string
  isReturn: boolean
  kinds: string[]
  state: 'open' | 'snoozed' | 'resolved' | 'not listed'
  /** The reason why it came back after a person had put it aside. */
  backFor: 'time' | 'severity' | 'cause' | undefined
  isForgotten: boolean
}

const cases = new CaseCounter<Found>({
  ...Object.fromEntries(
    ['lost', 'failed', 'returning', 'stuck', 'waiting', 'late'].map((kind) => [
      kind,
      ({ kinds }: Found) => kinds[0] === kind,
    ]),
  ),
  'stuck before its first scan': ({ kinds, phase }) => kinds.includes('stuck') && phase === 'order_processed',
  'a return that is stuck': ({ kinds, isReturn }) => kinds.includes('stuck') && isReturn,
  'a return that comes back as it should': ({ kinds, isReturn, phase }) =>
    isReturn && phase === 'return_transit' && !kinds.includes('returning'),
  'a return at a parcel shop': ({ isReturn, phase }) => isReturn && phase === 'collect',
  'several kinds at once': ({ kinds }) => kinds.length > 1,
  'put aside for a time': ({ state }) => state === 'snoozed',
  resolved: ({ state }) => state === 'resolved',
  'back because the time is over': ({ backFor }) => backFor === 'time',
  'back because it is worse': ({ backFor }) => backFor === 'severity',
  'back because it happened again': ({ backFor }) => backFor === 'cause',
  'given up': ({ isForgotten }) => isForgotten,
})

describe('exceptions', () => {
  it('are what a plain evaluation of all parcels finds, whatever happens when', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.constantFrom(out, back), { minLength: 5, maxLength: 5 }), run),
      { numRuns: 25, examples },
    )
    cases.expectEach()
  }, 240_000)
})

async function run(steps: Step[], directions: string[]): Promise<void> {
  const made = await makeShop()
  const admin = made.as('admin')
  const { id: shopId } = await service.database.db
    .selectFrom('shops')
    .where('slug', '=', made.slug)
    .select('id')
    .executeTakeFirstOrThrow()
  const parcels = await Promise.all(directions.map((direction) => send(admin, direction)))
  const model = new Map<string, Dismissal>()
  for (const step of steps) {
    await take({ shop: admin, shopId, parcels }, step, model)
    await compare(shopId, model)
  }
  // The job goes through all shops; the next run has one of its own.
  expect((await made.as('superadmin').delete('')).status).toBe(200)
}

async function send(shop: ShopCaller, direction: string) {
  const number = uniqueNumber('P')
  const order = await createOrder(shop, { order_placed_at: clock.now().toISOString() }, [
    { tracking_number: number, carrier_reference: 'dhl' },
  ])
  const id = order.trackings[0].uuid as string
  await service.database.db.updateTable('shipments').set({ direction }).where('id', '=', id).execute()
  return { id, number, orderNumber: order.order_number as string }
}

interface ShopWithParcels {
  shop: ShopCaller
  shopId: string
  parcels: Awaited<ReturnType<typeof send>>[]
}

async function take(
  { shop, shopId, parcels }: ShopWithParcels,
  step: Step,
  model: Map<string, Dismissal>,
): Promise<void> {
  if (step.do === 'wait') return clock.advance(step.hours * hourMs)
  if (step.do === 'limit') {
    await shop.patch('/settings/exceptions', { stuck_days_in_transit: step.days, pickup_days: step.days })
    return
  }
  const parcel = parcels[step.parcel]
  if (parcel === undefined) throw new Error('there are five parcels')
  const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  const { db } = service.database
  if (step.do === 'report') {
    const event_time = at(-step.hoursAgo * hourMs)
    await shop.post(`/shipments/${parcel.id}/events`, { event_name: step.event, event_time })
  } else if (step.do === 'promise') {
    const column = step.source === 'expected' ? sql`expected_delivery` : sql`pickup`
    const value =
      step.source === 'expected'
        ? { start: at(0), end: at(step.days * dayMs), source: 'carrier' }
        : { type: 'shop', name: 'Kiosk', date_to: at(step.days * dayMs).slice(0, 10) }
    await sql`
      update shipments set ${column} = ${JSON.stringify(value)}::jsonb, updated_at = ${clock.now()}
      where shop_id = ${shopId} and id = ${parcel.id}`.execute(db)
  } else if (step.do === 'delete') {
    await shop.delete(`/orders/${parcel.orderNumber}/shipments/${parcel.number}`)
  } else {
    const row = await db.selectFrom('exceptions').where('shipment_id', '=', parcel.id).selectAll().executeTakeFirst()
    const changes = {
      resolve: { resolved: true },
      open: { resolved: false, snoozed_until: null },
      snooze: { snoozed_until: at(30 * hourMs) },
      assign: { assigned_to: 'Ada' },
    }
    const { status } = await shop.patch(`/exceptions/${parcel.id}`, changes[step.change])
    expect(status).toBe(row === undefined ? 404 : 200)
    if (row === undefined) return
    const known = model.get(parcel.id)
    if (step.change === 'open') model.delete(parcel.id)
    if (step.change === 'snooze') model.set(parcel.id, dismissalOf(row, clock.now().getTime() + 30 * hourMs))
    if (step.change === 'resolve' && known?.until !== Number.POSITIVE_INFINITY) {
      model.set(parcel.id, dismissalOf(row, Number.POSITIVE_INFINITY))
    }
  }
}

/** A decision to put a parcel aside: until when, and how serious it was then. */
interface Dismissal {
  until: number
  rank: number
  cause: number
}

function dismissalOf(row: Selectable<Tables['exceptions']>, until: number): Dismissal {
  return { until, rank: seriousFirst.indexOf(row.kind), cause: row.caused_at?.getTime() ?? 0 }
}

const seriousFirst = ['lost', 'failed', 'returning', 'stuck', 'waiting', 'late']

/** Of the process that runs the job, as in the service. */
const memory = new EvaluationMemory()

/** Runs the job, and compares its rows with a plain evaluation of every parcel of the shop. */
async function compare(shopId: string, model: Map<string, Dismissal>): Promise<void> {
  const context = service.context()
  await evaluateExceptions(context, memory)
  const { db } = service.database
  const stored = await db.selectFrom('exceptions').where('shop_id', '=', shopId).selectAll().execute()
  const shipments = await db.selectFrom('shipments').where('shop_id', '=', shopId).selectAll().execute()
  const progress = await db
    .selectFrom('exception_progress')
    .where('shop_id', '=', shopId)
    .selectAll()
    .executeTakeFirstOrThrow()
  const settings = await db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('exceptions')
    .executeTakeFirstOrThrow()
  const known = {
    carriers: (progress.learnt as { carriers: string[] }).carriers,
    days: (settings.exceptions as { pickup_days?: number }).pickup_days,
  }
  const expected = shipments.flatMap((shipment) => {
    const reasons = plainly(shipment, known, context.now)
    const [first, ...others] = reasons
    const found: Found = {
      phase: shipment.phase,
      isReturn: shipment.direction === back,
      kinds: [],
      state: 'not listed',
      backFor: undefined,
      isForgotten: context.now.getTime() - shipment.latest_event_at.getTime() >= 60 * dayMs,
    }
    if (first === undefined) {
      cases.count(found)
      model.delete(shipment.id)
      return []
    }
    const cause = Math.max(0, ...reasons.map((reason) => reason.cause))
    const put = model.get(shipment.id)
    const backFor = put && reasonToReturn(put, first.kind, cause, context.now)
    if (backFor) model.delete(shipment.id)
    const dismissed = model.get(shipment.id)
    const state = dismissed ? (dismissed.until === Number.POSITIVE_INFINITY ? 'resolved' : 'snoozed') : 'open'
    cases.count({ ...found, kinds: reasons.map(({ kind }) => kind), state, backFor })
    return [
      { id: shipment.id, kind: first.kind, others: others.map(({ kind }) => kind), since: iso(first.since), state },
    ]
  })
  const found = stored.map((row) => ({
    id: row.shipment_id,
    kind: row.kind,
    others: row.other_kinds,
    since: row.since.toISOString(),
    state: row.state,
  }))
  const byId = (left: { id: string }, right: { id: string }) => left.id.localeCompare(right.id)
  expect(found.sort(byId)).toEqual(expected.sort(byId))
}

function reasonToReturn({ until, rank, cause }: Dismissal, kind: string, newest: number, now: Date): Found['backFor'] {
  if (until <= now.getTime()) return 'time'
  if (seriousFirst.indexOf(kind) < rank) return 'severity'
  return newest > cause ? 'cause' : undefined
}

/** The kinds that apply to a parcel, most serious first: the rules in the plainest form. */
function plainly(
  shipment: Selectable<Tables['shipments']>,
  known: { carriers: string[]; days: number | undefined },
  at: Date,
): { kind: string; since: number; cause: number }[] {
  const now = at.getTime()
  const latest = shipment.latest_event_at.getTime()
  const current = shipment.current_event_at.getTime()
  const isOutgoing = shipment.direction === 'merchant_customer'
  const isLost = shipment.current_event_key === 'SHIPMENT_LOST_IN_TRANSIT'
  if (shipment.tracking_number === null || now - latest >= 60 * dayMs) return []
  if (['delivered', 'order_cancelled', 'returned'].includes(shipment.phase)) return []
  const found: { kind: string; since: number; cause: number }[] = []
  if (isLost) found.push({ kind: 'lost', since: current, cause: current })
  else if (shipment.flag === 'error') found.push({ kind: 'failed', since: current, cause: current })
  if (isOutgoing && shipment.phase === 'return_transit')
    found.push({ kind: 'returning', since: current, cause: current })
  const stuckDays = {
    order_processed: isOutgoing && known.carriers.includes('dhl') ? 4 : undefined,
    in_transit: known.days ?? 4,
    in_delivery: 2,
    return_transit: 7,
  }[shipment.phase]
  if (stuckDays !== undefined) found.push({ kind: 'stuck', since: latest + stuckDays * dayMs, cause: latest })
  if (isOutgoing && shipment.phase === 'collect') {
    const pickup = shipment.pickup as { date_to: string } | null
    const deadline = pickup ? Date.parse(`${pickup.date_to}T23:59:59.999Z`) - 2 * dayMs : Number.POSITIVE_INFINITY
    const since = Math.max(current, Math.min(current + (known.days ?? 3) * dayMs, deadline))
    found.push({ kind: 'waiting', since, cause: current })
  }
  const promised = shipment.expected_delivery as { end: string } | null
  if (
    promised &&
    !isLost &&
    ['order_processed', 'in_transit', 'in_delivery', 'delivery_failed'].includes(shipment.phase)
  ) {
    found.push({ kind: 'late', since: Date.parse(`${promised.end.slice(0, 10)}T00:00:00Z`) + dayMs, cause: 0 })
  }
  return found.filter(({ since }) => since <= now)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
