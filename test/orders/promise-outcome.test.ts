import { describe, expect, it } from 'vitest'
import { outcomeOf, type PromisedParcel, type PromiseFacts } from '../../src/orders/promises/outcome.ts'

const at = (text: string) => new Date(`${text}:00Z`)
const dueAt = at('2026-11-05T23:00')
const before = at('2026-11-04T10:00')
const afterwards = at('2026-11-06T10:00')

let parcels = 0
const parcel = (fields: Partial<PromisedParcel> = {}): PromisedParcel => {
  parcels += 1
  return {
    id: `parcel-${parcels}`,
    isDraft: false,
    direction: 'merchant_customer',
    phase: 'in_transit',
    carrierReference: 'dhl',
    service: null,
    originCountry: 'DE',
    destinationCountry: 'DE',
    createdAt: at('2026-11-01T10:00'),
    placedAt: at('2026-11-01T10:00'),
    inTransitAt: null,
    deliveredAt: null,
    ...fields,
  }
}
const arrived = (text: string, fields: Partial<PromisedParcel> = {}) =>
  parcel({ phase: 'delivered', deliveredAt: at(text), ...fields })

const facts = (list: PromisedParcel[], fields: Partial<PromiseFacts> = {}): PromiseFacts => ({
  latest: '2026-11-05',
  destinationCountry: 'DE',
  dueAt,
  isUntold: false,
  parcels: list,
  ...fields,
})

const outcome = (list: PromisedParcel[], now: Date, fields: Partial<PromiseFacts> = {}) =>
  outcomeOf(facts(list, fields), new Map(), null, now)

describe('promise', () => {
  it('is kept if the last parcel arrives before the end of the last day', () => {
    const both = [arrived('2026-11-03T10:00'), arrived('2026-11-05T22:59')]
    expect(outcome(both, afterwards)).toEqual({
      state: 'kept',
      chance: null,
      deliveredOn: '2026-11-05',
      isDecided: true,
      checkAt: null,
    })
    expect(outcome([arrived('2026-11-05T23:00')], afterwards).state).toBe('broken')
    expect(outcome([arrived('2026-11-03T10:00'), arrived('2026-11-06T08:00')], afterwards)).toMatchObject({
      state: 'broken',
      deliveredOn: '2026-11-06',
    })
  })

  it('names the day of arrival as the customer counts it', () => {
    expect(outcome([arrived('2026-11-03T23:30')], before).deliveredOn).toBe('2026-11-04')
    expect(outcome([arrived('2026-11-03T23:30')], before, { destinationCountry: 'US' }).deliveredOn).toBe('2026-11-03')
  })

  it('is open while a parcel is on its way, and is looked at again when it is due', () => {
    const some = [arrived('2026-11-03T10:00'), parcel()]
    expect(outcome(some, before)).toMatchObject({ state: 'open', isDecided: false, checkAt: dueAt, deliveredOn: null })
    expect(outcome(some, dueAt)).toMatchObject({ state: 'broken', isDecided: true, checkAt: null })
  })

  it('is decided by what the customer was to get', () => {
    const back = parcel({ direction: 'customer_merchant' })
    const cancelled = parcel({ phase: 'order_cancelled' })
    expect(outcome([arrived('2026-11-03T10:00'), back, cancelled], afterwards).state).toBe('kept')
    expect(outcome([back, cancelled], afterwards)).toMatchObject({ state: 'open', isDecided: false, checkAt: null })
    expect(outcome([], afterwards)).toMatchObject({ state: 'open', checkAt: null })
  })

  it('is not broken by a replacement that is sent later, unless there is nothing else', () => {
    const replacement = parcel({ createdAt: dueAt })
    expect(outcome([arrived('2026-11-03T10:00'), replacement], afterwards).state).toBe('kept')
    expect(outcome([replacement], afterwards).state).toBe('broken')
  })

  it('stays open if nobody will tell when it arrives', () => {
    expect(outcome([parcel()], afterwards, { isUntold: true })).toMatchObject({ state: 'open', checkAt: null })
    expect(outcome([arrived('2026-11-03T10:00')], afterwards, { isUntold: true }).state).toBe('kept')
  })

  it('is at risk by the parcel that is least likely to arrive in time', () => {
    const [first, second] = [parcel(), parcel()]
    const chances = new Map([
      [first.id, 0.9],
      [second.id, 0.4],
    ])
    const state = (limit: number | null) => outcomeOf(facts([first, second]), chances, limit, before)
    expect(state(0.5)).toMatchObject({ state: 'at_risk', chance: 0.4, isDecided: false, checkAt: dueAt })
    expect(state(0.4)).toMatchObject({ state: 'open', chance: 0.4 })
    expect(state(null)).toMatchObject({ state: 'open', chance: 0.4 })
    expect(outcomeOf(facts([first, second]), new Map(), 0.5, before)).toMatchObject({ state: 'open', chance: null })
  })
})
