import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { claimReasons } from '../../src/claims/claims/schema.ts'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { CaseCounter } from '../harness/cases.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const service = await startTestService({}, await openTestDatabase())
// The job would run at today's time between changes that the clock puts into the past, and miss those.
await service.schedule.stop()
afterAll(() => service.stop())
afterEach(() => clock.reset())

const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)

/** A claim of a random history. */
interface Step {
  daysAgo: number
  carrier: string
  reason: (typeof claimReasons)[number]
  skus: string[]
  decision: 'accepted' | 'rejected' | 'closed' | undefined
  hours: number
  isClosedLater: boolean
}

const steps = fc.array(
  fc.record<Step>({
    daysAgo: fc.integer({ min: 0, max: 6 }),
    carrier: fc.constantFrom('dhl', 'gls', 'ups'),
    reason: fc.constantFrom(...claimReasons),
    skus: fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 3 }),
    decision: fc.constantFrom('accepted', 'rejected', 'closed', undefined),
    hours: fc.integer({ min: 1, max: 40 }),
    isClosedLater: fc.boolean(),
  }),
  { minLength: 4, maxLength: 10 },
)

const plain: Step = {
  daysAgo: 0,
  carrier: 'dhl',
  reason: 'damage',
  skus: [],
  decision: undefined,
  hours: 1,
  isClosedLater: false,
}

/** Every decision and reason; an odd and an even number of decisions, whose median is of one and of two. */
const mixed: Step[] = [
  ...claimReasons.map((reason, index) => ({ ...plain, reason, daysAgo: index, skus: ['A', 'A'] })),
  { ...plain, decision: 'accepted', hours: 3, skus: ['A', 'B'], isClosedLater: true },
  { ...plain, decision: 'rejected', hours: 8, carrier: 'gls', skus: ['B', 'A', 'B'] },
  { ...plain, decision: 'closed', hours: 26, carrier: 'ups', daysAgo: 2 },
]
const examples: [steps: Step[]][] = [
  [mixed],
  [[...mixed, { ...plain, decision: 'rejected', hours: 15, isClosedLater: true }]],
]

const cases = new CaseCounter<Step[]>({
  ...Object.fromEntries(
    claimReasons.map((wanted) => [wanted, (steps: Step[]) => steps.some(({ reason }) => reason === wanted)]),
  ),
  'an odd number of decisions': (steps) => decidedOf(steps).length % 2 === 1,
  'an even number of decisions': (steps) => decidedOf(steps).length > 0 && decidedOf(steps).length % 2 === 0,
  'a claim that is closed after its decision': (steps) =>
    steps.some(({ decision, isClosedLater }) => isClosedLater && (decision === 'accepted' || decision === 'rejected')),
  'a claim that is closed at once': (steps) => steps.some(({ decision }) => decision === 'closed'),
  'a product twice in a claim': (steps) => steps.some(({ skus }) => new Set(skus).size < skus.length),
  'a claim without products': (steps) => steps.some(({ skus }) => skus.length === 0),
})

function decidedOf(steps: readonly Step[]): Step[] {
  return steps.filter(({ decision }) => decision !== undefined)
}

async function perform(shop: ShopCaller, step: Step): Promise<void> {
  // Long enough ago for every decision to be in the past.
  clock.advance(-(step.daysAgo * dayMs + 50 * hourMs))
  const order = await createOrder(shop, { order_placed_at: undefined }, [
    { tracking_number: uniqueNumber('F-'), carrier_reference: step.carrier },
  ])
  const { id } = order.trackings[0]
  await shop.post(`/shipments/${id}/events`, { event_name: 'SUCCESSFULLY_DELIVERED' })
  const selected_items = step.skus.map((sku) => ({ sku, title: `Product ${sku}` }))
  const { body } = await shop.post('/claims', { shipment_id: id, reason: step.reason, selected_items })
  if (step.decision) {
    clock.advance(step.hours * hourMs)
    await shop.put(`/claims/${body.uuid}`, { status: step.decision })
    if (step.isClosedLater && step.decision !== 'closed') await shop.put(`/claims/${body.uuid}`, { status: 'closed' })
  }
  clock.reset()
}

/** The same figures, counted one by one. */
function countPlainly(steps: readonly Step[]) {
  const hours = decidedOf(steps).map((step) => step.hours)
  const sorted = hours.toSorted((left, right) => left - right)
  const middle = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0]
  const decided = (outcome: Step['decision']) => steps.filter(({ decision }) => decision === outcome).length
  return {
    claims: steps.length,
    by_reason: Object.fromEntries(
      claimReasons.map((name) => [name, steps.filter(({ reason }) => reason === name).length]),
    ),
    accepted: decided('accepted'),
    rejected: decided('rejected'),
    closed: decided('closed'),
    open: decided(undefined),
    median_hours_to_decision: sorted.length === 0 ? null : ((middle[0] ?? 0) + (middle[1] ?? 0)) / 2,
  }
}

describe('figures of claims', () => {
  it('are those of a plain count, whatever happened', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        cases.count(steps)
        const shop = (await makeShop({}, service)).as('editor')
        for (const step of steps) await perform(shop, step)
        const { status, body } = await shop.get('/claims/figures', { from: day(12), to: day(0) })
        expect(status).toBe(200)
        expect(body).toMatchObject({ from: day(12), to: day(0), is_truncated: false, total: countPlainly(steps) })
        for (const carrier of ['dhl', 'gls', 'ups']) {
          const own = steps.filter((step) => step.carrier === carrier)
          const found = body.carriers.filter(
            ({ carrier_reference }: { carrier_reference: string | null }) => carrier_reference === carrier,
          )
          expect(found).toMatchObject(
            own.length === 0 ? [] : [{ ...countPlainly(own), delivered: own.length, share: 1 }],
          )
        }
        for (const sku of ['A', 'B', 'C', null]) {
          const own = steps.filter(({ skus }) => (sku === null ? skus.length === 0 : skus.includes(sku)))
          const found = body.products.filter((product: { sku: string | null }) => product.sku === sku)
          expect(found).toMatchObject(
            own.length === 0 ? [] : [{ ...countPlainly(own), title: sku && `Product ${sku}` }],
          )
        }
      }),
      { numRuns: 5, examples },
    )
    cases.expectEach()
  })

  it('are of the last 30 days by default, without deleted claims and those of other shops', async () => {
    const shop = (await makeShop({}, service)).as('editor')
    await perform((await makeShop({}, service)).as('editor'), plain)
    await perform(shop, { ...plain, daysAgo: 40 })
    await perform(shop, plain)
    await perform(shop, plain)
    const { claims } = (await shop.get('/claims', { per_page: 1 })).body
    await shop.delete(`/claims/${claims[0].uuid}`)
    const { body } = await shop.get('/claims/figures')
    expect(body.total.claims).toBe(1)
    expect((await shop.get('/claims/figures', { from: day(60) })).body.total.claims).toBe(2)
  })

  it('names what is wrong with a period', async () => {
    const shop = (await makeShop({}, service)).as('viewer')
    expect((await shop.get('/claims/figures', { from: day(0), to: day(1) })).status).toBe(422)
    expect((await shop.get('/claims/figures', { from: day(400) })).status).toBe(422)
    expect((await shop.get('/claims/figures', { from: 'yesterday' })).status).toBe(422)
    expect((await shop.get('/claims/figures')).body).toMatchObject({ total: { claims: 0 }, carriers: [], products: [] })
  })
})
