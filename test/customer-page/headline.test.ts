import { describe, expect, it } from 'vitest'
import { headlineOf, whenOf } from '../../src/customer-page/order/headline.ts'
import type { ShownParcel } from '../../src/customer-view/order-page/parcels.ts'
import { progressOf } from '../../src/customer-view/order-page/progress.ts'
import { phases } from '../../src/platform/catalogue/catalogue.ts'
import type { Language } from '../../src/platform/foundation/languages.ts'
import { parcelOf, readingAt } from '../harness/shown-parcels.ts'

const now = new Date('2026-11-15T09:00:00Z')

const reading = (language?: Language) => readingAt(now, language)

const expected = (from: string, to: string, isFromCarrier = false) => ({
  expected: { from: new Date(from), to: new Date(to), isFromCarrier },
})

describe('headline', () => {
  it.each([
    ['today', expected('2026-11-15T08:00Z', '2026-11-15T18:00Z'), 'It should arrive today.'],
    [
      'today, at a time',
      expected('2026-11-15T12:00Z', '2026-11-15T14:00Z', true),
      'It should arrive today between 13:00 and 15:00.',
    ],
    [
      'today, at a time of the carrier that has no end',
      expected('2026-11-15T12:00Z', '2026-11-15T12:00Z', true),
      'It should arrive today.',
    ],
    ['tomorrow', expected('2026-11-15T23:30Z', '2026-11-16T18:00Z'), 'It should arrive tomorrow.'],
    ['a day', expected('2026-11-18T08:00Z', '2026-11-18T18:00Z'), 'It should arrive on Wednesday 18 November.'],
    [
      'some days',
      expected('2026-11-17T08:00Z', '2026-11-19T18:00Z'),
      'It should arrive between Tuesday 17 November and Thursday 19 November.',
    ],
    ['days that have begun', expected('2026-11-13T08:00Z', '2026-11-15T18:00Z'), 'It should arrive today.'],
    [
      'days that are over',
      expected('2026-11-10T08:00Z', '2026-11-12T18:00Z'),
      'It was expected by Thursday 12 November and is taking longer.',
    ],
    ['nothing', {}, undefined],
  ])('announces the delivery: %s', (_case, fields, words) => {
    expect(whenOf(reading(), parcelOf(fields))).toBe(words)
  })

  it('states when it was delivered, and how long it can be collected', () => {
    const delivered = parcelOf({ phase: 'delivered', deliveredAt: new Date('2026-11-14T23:30:00Z') })
    expect(whenOf(reading(), delivered)).toBe('Delivered on Sunday 15 November at 00:30.')
    const pickup = {
      type: 'shop' as const,
      name: 'Kiosk',
      lines: [],
      link: undefined,
      hours: [],
      until: new Date('2026-11-20T12:00Z'),
    }
    expect(whenOf(reading(), parcelOf({ phase: 'collect', pickup }))).toBe('Please collect it by Friday 20 November.')
  })

  it('counts the parcels of an order', () => {
    const delivered = parcelOf({ phase: 'delivered', eventKey: 'SUCCESSFULLY_DELIVERED' })
    const coming = parcelOf({ ...expected('2026-11-17T08:00Z', '2026-11-18T18:00Z') })
    expect(headlineOf(reading(), [delivered, coming])).toMatchObject({
      title: '1 of 2 parcels has arrived',
      when: expect.stringMatching(/^Next parcel: Tuesday 17.+Wednesday 18 November$/),
      parcel: undefined,
    })
    expect(headlineOf(reading(), [delivered, delivered]).title).toBe('All 2 parcels have been delivered')
    expect(headlineOf(reading(), [coming, coming, coming]).title).toBe('3 parcels are on their way')
  })

  it('is about the return once everything was delivered', () => {
    const delivered = parcelOf({ phase: 'delivered', eventKey: 'SUCCESSFULLY_DELIVERED' })
    const back = parcelOf({ isReturn: true })
    expect(headlineOf(reading(), [delivered, back]).title).toBe('Your return is on its way')
    expect(headlineOf(reading(), [parcelOf(), back]).title).toBe('Your parcel is on its way')
  })

  it('describes an order without a parcel', () => {
    expect(headlineOf(reading(), []).title).toBe('We have received your order')
  })
})

describe('progress', () => {
  it('has a step for every phase, both ways, except for cancelled ones', () => {
    for (const phase of phases) {
      for (const isReturn of [false, true]) {
        const progress = progressOf({ phase, isReturn, pickup: undefined })
        if (phase === 'order_cancelled') expect(progress).toBeUndefined()
        else expect(progress?.steps[progress.at], `${phase} ${isReturn}`).toBeDefined()
      }
    }
  })

  it('ends at the last step of the parcel', () => {
    const lastStep = (phase: ShownParcel['phase'], isReturn: boolean) => {
      const progress = progressOf({ phase, isReturn, pickup: undefined })
      return progress?.steps[progress.at]
    }
    expect(lastStep('delivered', false)).toBe('delivered')
    expect(lastStep('collect', false)).toBe('collect')
    expect(lastStep('returned', false)).toBe('returned')
    expect(lastStep('delivered', true)).toBe('return_received')
  })
})
