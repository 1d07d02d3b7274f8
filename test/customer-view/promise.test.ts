import { describe, expect, it } from 'vitest'
import { progressOf } from '../../src/customer-view/order-page/progress.ts'
import { isComing, promiseStage } from '../../src/customer-view/order-page/promise.ts'
import type { PagePromise } from '../../src/customer-view/order-page/store.ts'
import type { Phase } from '../../src/platform/catalogue/catalogue.ts'

const noon = new Date('2026-11-05T12:00:00Z')
const outward = (phase: Phase) => ({ isReturn: false, phase })
const back = (phase: Phase) => ({ isReturn: true, phase })

const promise: PagePromise = { state: 'open', earliest: '2026-11-04', latest: '2026-11-05', delivered_on: null }
const stage = (
  parcels: { isReturn: boolean; phase: Phase }[],
  fields: { state?: PagePromise['state']; now?: Date; country_code?: string; nothing_to_send?: boolean } = {},
) => {
  const { state = 'open', now = noon, country_code = 'DE', nothing_to_send = false } = fields
  return promiseStage(now, { promise: { ...promise, state }, country_code, nothing_to_send }, parcels)
}

describe('promise on the page', () => {
  it('is open until its last day is over where the customer lives', () => {
    expect(stage([outward('in_transit')])).toBe('open')
    expect(stage([])).toBe('open')
    expect(stage([outward('in_transit')], { now: new Date('2026-11-05T22:59:00Z') })).toBe('open')
    expect(stage([outward('in_transit')], { now: new Date('2026-11-05T23:00:00Z') })).toBe('late')
    const british = { now: new Date('2026-11-05T23:59:00Z'), country_code: 'GB' }
    expect(stage([outward('in_transit')], british)).toBe('open')
  })

  it('is at risk or late as it was decided', () => {
    expect(stage([outward('in_transit')], { state: 'at_risk' })).toBe('at_risk')
    expect(stage([outward('in_transit')], { state: 'broken' })).toBe('late')
    expect(stage([outward('delivered'), outward('in_delivery')], { state: 'at_risk' })).toBe('at_risk')
  })

  it('is kept or broken when everything has arrived', () => {
    for (const state of ['kept', 'broken'] as const) {
      expect(stage([outward('delivered'), outward('order_cancelled')], { state })).toBe(state)
    }
    expect(stage([outward('delivered')])).toBeUndefined()
  })

  it('is not mentioned any more to who sends something back', () => {
    expect(stage([outward('delivered'), back('in_transit')], { state: 'broken' })).toBeUndefined()
    expect(stage([outward('delivered'), back('delivered')], { state: 'kept' })).toBeUndefined()
    // A return says nothing of a parcel that is still on its way.
    expect(stage([outward('in_transit'), back('delivered')])).toBe('open')
  })

  it.each<[name: string, parcels: { isReturn: boolean; phase: Phase }[]]>([
    ['waits at a pick-up point', [outward('collect')]],
    ['goes back', [outward('return_transit')]],
    ['was cancelled', [outward('order_cancelled')]],
    ['comes back', [back('in_transit')]],
  ])('is not mentioned if all that %s', (_name, parcels) => {
    expect(stage(parcels, { state: 'broken' })).toBeUndefined()
  })

  it('is none without one, or with nothing to send', () => {
    expect(promiseStage(noon, { promise: null, country_code: 'DE', nothing_to_send: false }, [])).toBeUndefined()
    expect(stage([], { nothing_to_send: true })).toBeUndefined()
    expect(stage([outward('in_transit')], { state: 'kept' })).toBeUndefined()
  })
})

describe('parcel that is coming', () => {
  it('is one to the customer, before it arrives or waits', () => {
    for (const phase of ['order_created', 'order_processed', 'in_transit', 'in_delivery'] as const) {
      expect(isComing(outward(phase))).toBe(true)
      expect(isComing(back(phase))).toBe(false)
    }
    for (const phase of ['collect', 'delivered', 'delivery_failed', 'return_transit'] as const) {
      expect(isComing(outward(phase))).toBe(false)
    }
  })
})

describe('steps of a parcel', () => {
  const at = (parcel: { isReturn: boolean; phase: Phase }) => {
    const progress = progressOf({ ...parcel, pickup: undefined })
    return progress && `${progress.at + 1} of ${progress.steps.length}: ${progress.steps[progress.at]}`
  }

  it.each<[phase: Phase, outward: string | undefined, back: string | undefined]>([
    ['order_created', '1 of 5: ordered', '1 of 3: return_registered'],
    ['order_processed', '2 of 5: packed', '1 of 3: return_registered'],
    ['in_transit', '3 of 5: transit', '2 of 3: return_transit'],
    ['in_delivery', '4 of 5: delivery', '2 of 3: return_transit'],
    ['collect', '4 of 5: collect', '2 of 3: return_transit'],
    ['delivery_failed', '4 of 5: failed', '2 of 3: return_transit'],
    ['delivered', '5 of 5: delivered', '3 of 3: return_received'],
    ['return_transit', '3 of 4: back', '2 of 3: return_transit'],
    ['returned', '4 of 4: returned', '3 of 3: return_received'],
    ['return_received', '4 of 4: returned', '3 of 3: return_received'],
    ['order_cancelled', undefined, undefined],
  ])('%s', (phase, toCustomer, toShop) => {
    expect(at(outward(phase))).toBe(toCustomer)
    expect(at(back(phase))).toBe(toShop)
  })
})
