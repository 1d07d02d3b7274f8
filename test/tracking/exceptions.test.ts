import { describe, expect, it } from 'vitest'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import {
  causeOf,
  changeDecision,
  type Decision,
  defaultLimits,
  evaluateParcel,
  keepDecision,
  type Learnt,
  type Limits,
  type Parcel,
  routeKey,
  severityOf,
  undecided,
} from '../../src/tracking/exceptions/rules.ts'
import { exceptionKinds } from '../../src/tracking/exceptions/schema.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (days: number) => after(now, -days * dayMs)
const nothingLearnt: Learnt = { carriers: [], routes: {} }

const parcelOf = (fields: Partial<Parcel> = {}): Parcel => ({
  isDraft: false,
  direction: 'merchant_customer',
  phase: 'in_transit',
  flag: 'normal',
  currentEventKey: 'ARRIVED_AT_SORTING_CENTER',
  currentEventAt: ago(1),
  latestEventAt: ago(1),
  expectedBy: undefined,
  pickupBy: undefined,
  carrierReference: 'dhl',
  destinationCountry: 'DE',
  isPolled: false,
  ...fields,
})

interface Known {
  limits?: Limits
  learnt?: Learnt
}

const evaluate = (fields: Partial<Parcel>, { limits = defaultLimits, learnt = nothingLearnt }: Known = {}) =>
  evaluateParcel(parcelOf(fields), limits, learnt, now)
const kindsOf = (fields: Partial<Parcel>, known?: Known) => evaluate(fields, known).reasons.map(({ kind }) => kind)

/** Its last event of any kind was so many days ago. */
const silent = (days: number, fields: Partial<Parcel> = {}): Partial<Parcel> => ({
  latestEventAt: ago(days),
  currentEventAt: ago(days),
  ...fields,
})

describe('exception', () => {
  it('is no parcel that is on its way', () => {
    expect(evaluate({})).toMatchObject({ reasons: [], stuckAfterDays: 4, checkAt: ago(-3) })
  })

  it.each([
    ['a draft', { isDraft: true }],
    ['delivered', { phase: 'delivered' }],
    ['cancelled', { phase: 'order_cancelled' }],
    ['returned', { phase: 'returned' }],
    ['back at the shop', { phase: 'return_received' }],
    ['without any event for sixty days', silent(60)],
  ])('is no parcel that is %s, whatever else is wrong with it', (_name, fields) => {
    const wrong = { flag: 'error', currentEventKey: 'SHIPMENT_LOST', latestEventAt: ago(30), expectedBy: ago(20) }
    const { reasons, checkAt } = evaluate({ ...wrong, ...fields })
    expect({ reasons, checkAt }).toEqual({ reasons: [], checkAt: undefined })
  })

  it.each([
    ['lost', { currentEventKey: 'SHIPMENT_LOST_IN_TRANSIT', flag: 'error' }],
    ['lost', { currentEventKey: 'DELIVERY_FAILED_SHIPMENT_DESTROYED', phase: 'delivery_failed' }],
    ['failed', { flag: 'error' }],
    ['failed', { phase: 'delivery_failed' }],
    ['failed', { phase: 'return_failed', direction: 'customer_merchant' }],
    ['returning', { phase: 'return_transit' }],
  ])('is %s from its event on', (kind, fields) => {
    const [reason] = evaluate(fields).reasons
    expect(reason).toEqual({ kind, since: ago(1), causedAt: ago(1) })
  })

  it('is no return that comes back as it should', () => {
    for (const direction of ['customer_merchant', 'customer_partner']) {
      expect(kindsOf({ phase: 'return_transit', direction })).toEqual([])
    }
    expect(kindsOf({ phase: 'return_transit', direction: 'partner_customer' })).toEqual(['returning'])
  })

  it.each([
    ['in_transit', 4],
    ['in_delivery', 2],
    ['return_transit', 7],
  ] as const)('is stuck in %s after %i days without an event', (phase, days) => {
    const isStuck = (age: number) => kindsOf(silent(age, { phase, direction: 'customer_merchant' })).includes('stuck')
    expect(isStuck(days)).toBe(true)
    expect(isStuck(days - 0.001)).toBe(false)
    const limits = { ...defaultLimits, stuckDays: { ...defaultLimits.stuckDays, [phase]: days + 2 } }
    expect(kindsOf(silent(days, { phase }), { limits })).not.toContain('stuck')
  })

  it.each(['order_created', 'collect', 'delivery_failed'])('is never stuck in %s', (phase) => {
    expect(kindsOf(silent(50, { phase }))).not.toContain('stuck')
  })

  it('is stuck by its latest event, even one that does not move it', () => {
    expect(kindsOf({ currentEventAt: ago(9), latestEventAt: ago(1) })).toEqual([])
  })

  it('waits for its first scan only if we would see that', () => {
    const label = silent(5, { phase: 'order_processed' })
    expect(kindsOf(label)).toEqual([])
    expect(kindsOf({ ...label, isPolled: true })).toEqual(['stuck'])
    expect(kindsOf(label, { learnt: { carriers: ['dhl'], routes: {} } })).toEqual(['stuck'])
    expect(kindsOf({ ...label, carrierReference: null }, { learnt: { carriers: ['dhl'], routes: {} } })).toEqual([])
    // Customers take their time to send something back.
    expect(kindsOf({ ...label, isPolled: true, direction: 'customer_merchant' })).toEqual([])
  })

  it('is stuck after what its route has shown, on its way to a customer', () => {
    const learnt = { carriers: ['dhl'], routes: { [routeKey('dhl', 'DE')]: { days: 9, usualHours: 12 } } }
    expect(evaluate(silent(5), { learnt })).toMatchObject({ reasons: [], stuckAfterDays: 9, usualScanHours: 12 })
    expect(kindsOf(silent(9), { learnt })).toEqual(['stuck'])
    expect(kindsOf(silent(5, { destinationCountry: 'AT' }), { learnt })).toEqual(['stuck'])
    expect(kindsOf(silent(5, { direction: 'customer_merchant' }), { learnt })).toEqual(['stuck'])
    expect(kindsOf(silent(5, { phase: 'in_delivery' }), { learnt })).toEqual(['stuck'])
  })

  it('waits at a pick-up point after three days, or two days before it goes back', () => {
    const at = (days: number, fields: Partial<Parcel> = {}) => kindsOf(silent(days, { phase: 'collect', ...fields }))
    expect(at(2.9)).toEqual([])
    expect(at(3)).toEqual(['waiting'])
    expect(at(1, { pickupBy: after(now, 2 * dayMs) })).toEqual(['waiting'])
    expect(at(1, { pickupBy: after(now, 2 * dayMs + hourMs) })).toEqual([])
    expect(at(9, { direction: 'customer_merchant' })).toEqual([])
    const patient = { ...defaultLimits, pickupDays: 5 }
    expect(kindsOf(silent(4, { phase: 'collect' }), { limits: patient })).toEqual([])
    // Not before it is there, even if it has to be picked up at once.
    expect(evaluate(silent(0.5, { phase: 'collect', pickupBy: ago(1) })).reasons).toMatchObject([{ since: ago(0.5) }])
  })

  it('is late from the day after the expected one, or when its promise has passed', () => {
    const today = new Date('2026-11-20T18:00:00Z')
    expect(kindsOf({ expectedBy: today })).toEqual([])
    expect(evaluate({ expectedBy: today }).checkAt).toEqual(new Date('2026-11-21T00:00:00Z'))
    expect(kindsOf({ expectedBy: new Date('2026-11-19T01:00:00Z') })).toEqual(['late'])
    expect(kindsOf({ promisedUntil: now })).toEqual(['late'])
    expect(kindsOf({ promisedUntil: after(now, 1) })).toEqual([])
    expect(kindsOf({ expectedBy: today, promisedUntil: ago(1) })).toEqual(['late'])
  })

  it.each(['order_processed', 'in_delivery', 'delivery_failed'])('may be late in %s', (phase) => {
    expect(kindsOf({ phase, promisedUntil: now })).toContain('late')
  })

  it.each(['order_created', 'collect', 'return_transit'])('is never late in %s', (phase) => {
    expect(kindsOf({ phase, promisedUntil: now })).not.toContain('late')
  })

  it('is neither late nor at risk if it is lost', () => {
    const lost = { currentEventKey: 'SHIPMENT_LOST', promisedUntil: ago(2), atRiskSince: ago(3) }
    expect(kindsOf(lost)).toEqual(['lost'])
    expect(kindsOf({ ...lost, currentEventKey: 'ARRIVED_AT_SORTING_CENTER' })).toEqual(['late', 'at_risk'])
  })

  it('has its kinds by seriousness, customs first', () => {
    const wrong = silent(5, { flag: 'error', promisedUntil: ago(1), atRiskSince: ago(2) })
    expect(kindsOf(wrong)).toEqual(['failed', 'stuck', 'late', 'at_risk'])
    const order = exceptionKinds.toSorted((left, right) => severityOf(right) - severityOf(left))
    expect(order).toEqual([...exceptionKinds])
    expect(severityOf('late')).toBe(1)
  })

  it('is looked at again when the next kind applies, its chance changes, or it is given up', () => {
    const chance = { atRiskSince: ago(1), chanceCheckAt: after(now, hourMs) }
    expect(evaluate(chance).checkAt).toEqual(after(now, hourMs))
    expect(evaluate({ atRiskSince: ago(1) }).checkAt).toEqual(ago(-3))
    expect(evaluate(silent(10)).checkAt).toEqual(ago(-50))
    expect(evaluate({ phase: 'order_created' }).checkAt).toBeUndefined()
  })
})

describe('decision about an exception', () => {
  const stuck = { severity: severityOf('stuck'), causedAt: ago(5) }
  const by = { name: 'Ada', now }
  const resolve = (decision: Decision = undecided) => changeDecision(decision, { isResolved: true }, stuck, by)
  const snooze = (until: Date) => changeDecision(undecided, { snoozedUntil: until }, stuck, by)

  it('names who resolved it, and keeps that when it is resolved again', () => {
    const resolved = resolve()
    expect(resolved).toMatchObject({ state: 'resolved', resolvedBy: 'Ada', resolvedAt: now, snoozedUntil: null })
    expect(changeDecision(resolved, { isResolved: true }, stuck, { name: 'Ben', now: ago(-1) })).toEqual(resolved)
    expect(changeDecision(resolved, { isResolved: true, assignedTo: 'Cy' }, stuck, by)).toEqual({
      ...resolved,
      assignedTo: 'Cy',
    })
  })

  it('is opened again by taking it back, and keeps who has it', () => {
    const resolved = resolve({ ...undecided, assignedTo: 'Cy' })
    expect(changeDecision(resolved, { isResolved: false }, stuck, by)).toEqual({ ...undecided, assignedTo: 'Cy' })
    const snoozed = snooze(ago(-1))
    expect(changeDecision(snoozed, { snoozedUntil: null }, stuck, by)).toEqual(undecided)
    expect(changeDecision(snoozed, { isResolved: false }, stuck, by)).toEqual(snoozed)
    expect(changeDecision(resolved, { snoozedUntil: null }, stuck, by)).toEqual(resolved)
  })

  it('moves from resolved to snoozed and back', () => {
    const snoozed = changeDecision(resolve(), { snoozedUntil: ago(-1) }, stuck, by)
    expect(snoozed).toMatchObject({ state: 'snoozed', snoozedUntil: ago(-1), resolvedAt: null, resolvedBy: null })
    expect(resolve(snoozed)).toMatchObject({ state: 'resolved', snoozedUntil: null })
  })

  it('assigns and removes without changing anything else', () => {
    const assigned = changeDecision(snooze(ago(-1)), { assignedTo: 'Cy' }, stuck, by)
    expect(assigned).toEqual({ ...snooze(ago(-1)), assignedTo: 'Cy' })
    expect(changeDecision(assigned, { assignedTo: null }, stuck, by)).toEqual(snooze(ago(-1)))
  })

  it('is kept while nothing gets worse', () => {
    expect(keepDecision(resolve(), stuck, ago(-30))).toEqual(resolve())
    expect(keepDecision(resolve(), { severity: severityOf('late'), causedAt: null }, now)).toEqual(resolve())
    expect(keepDecision(resolve(), { ...stuck, causedAt: ago(6) }, now)).toEqual(resolve())
    expect(keepDecision({ ...undecided, assignedTo: 'Cy' }, stuck, now)).toEqual({ ...undecided, assignedTo: 'Cy' })
  })

  it('ends when it gets more serious, or happens again', () => {
    const resolved = resolve({ ...undecided, assignedTo: 'Cy' })
    const open = { ...undecided, assignedTo: 'Cy' }
    expect(keepDecision(resolved, { ...stuck, severity: severityOf('lost') }, now)).toEqual(open)
    expect(keepDecision(resolved, { ...stuck, causedAt: ago(4) }, now)).toEqual(open)
    const late = changeDecision(undecided, { isResolved: true }, { severity: 1, causedAt: null }, by)
    expect(keepDecision(late, { severity: 1, causedAt: ago(1) }, now)).toEqual(undecided)
  })

  it('ends a snooze at its time, and never a resolved one', () => {
    const until = ago(-1)
    expect(keepDecision(snooze(until), stuck, after(until, -1)).state).toBe('snoozed')
    expect(keepDecision(snooze(until), stuck, until)).toEqual(undecided)
  })

  it('compares with the newest cause', () => {
    const reason = (causedAt: Date | undefined) => ({ kind: 'stuck' as const, since: now, causedAt })
    expect(causeOf([reason(ago(5)), reason(undefined), reason(ago(2))])).toEqual(ago(2))
    expect(causeOf([reason(undefined)])).toBeNull()
  })
})
