import { describe, expect, it } from 'vitest'
import { currentEventOf, inOrderOfTime } from '../../src/orders/events/rules.ts'
import { permutationsOf } from '../harness/cases.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 3, 10, minute))
const event = (eventKey: string, minute = 0) => ({ eventKey, eventTime: at(minute) })
const current = (...keys: string[]) => currentEventOf(keys.map((key) => event(key)))?.eventKey

describe('current event', () => {
  it.each<[name: string, inOrder: string[], expected: string | undefined]>([
    ['nothing, if nothing happened', [], undefined],
    ['the latest before there is a scan', ['ORDER_CREATED', 'ORDER_PROCESSED'], 'ORDER_PROCESSED'],
    ['a label that follows a cancellation', ['ORDER_CANCELLED', 'ORDER_PROCESSED'], 'ORDER_PROCESSED'],
    ['the latest scan', ['ORDER_PROCESSED', 'PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY'], 'OUT_FOR_DELIVERY'],
    ['a scan, however late a label is', ['PARCEL_DISPATCHED', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'], 'PARCEL_DISPATCHED'],
    [
      'a cancellation, although a label follows it',
      ['PARCEL_DISPATCHED', 'ORDER_CANCELLED', 'ORDER_PROCESSED'],
      'ORDER_CANCELLED',
    ],
    ['a scan that follows a cancellation', ['ORDER_CANCELLED', 'PARCEL_DISPATCHED'], 'PARCEL_DISPATCHED'],
    ['a cancellation before which a label was printed', ['ORDER_PROCESSED', 'ORDER_CANCELLED'], 'ORDER_CANCELLED'],
    ['what came before a note', ['OUT_FOR_DELIVERY', 'NOTIFICATION_SENT_TO_RECIPIENT'], 'OUT_FOR_DELIVERY'],
    [
      'a label, if notes are all that follows',
      ['ORDER_PROCESSED', 'NOTIFICATION_SENT_TO_RECIPIENT'],
      'ORDER_PROCESSED',
    ],
    ['nothing, if there are notes only', ['NOTIFICATION_SENT_TO_RECIPIENT'], undefined],
    ['a later attempt after a delivery', ['SUCCESSFULLY_DELIVERED', 'DELIVERY_ATTEMPTED'], 'DELIVERY_ATTEMPTED'],
  ])('is %s', (_name, inOrder, expected) => {
    expect(current(...inOrder)).toBe(expected)
  })

  it('is the last of two equal ones', () => {
    const [first, second] = [event('OUT_FOR_DELIVERY', 1), event('OUT_FOR_DELIVERY', 2)]
    expect(currentEventOf([first, second])).toBe(second)
  })
})

describe('order of time', () => {
  it('is that of the events, however they are listed', () => {
    const events = [event('ORDER_PROCESSED', 1), event('PARCEL_DISPATCHED', 2), event('OUT_FOR_DELIVERY', 3)]
    for (const listed of permutationsOf(events)) expect(inOrderOfTime(listed)).toEqual(events)
  })

  it('has what ends the journey last of those at one time, and else keeps the order', () => {
    const keys = ['SUCCESSFULLY_DELIVERED', 'OUT_FOR_DELIVERY', 'ARRIVED_AT_SORTING_CENTER']
    const sorted = inOrderOfTime(keys.map((key) => event(key))).map(({ eventKey }) => eventKey)
    expect(sorted).toEqual(['OUT_FOR_DELIVERY', 'ARRIVED_AT_SORTING_CENTER', 'SUCCESSFULLY_DELIVERED'])
    const returned = inOrderOfTime([event('SHIPMENT_RETURNED_TO_SENDER'), event('PARCEL_DISPATCHED')])
    expect(currentEventOf(returned)?.eventKey).toBe('SHIPMENT_RETURNED_TO_SENDER')
  })

  it('does not put a delivery behind what is later', () => {
    const sorted = inOrderOfTime([event('SUCCESSFULLY_DELIVERED', 1), event('DELIVERY_ATTEMPTED', 2)])
    expect(sorted.map(({ eventKey }) => eventKey)).toEqual(['SUCCESSFULLY_DELIVERED', 'DELIVERY_ATTEMPTED'])
  })

  it('leaves the list as it was', () => {
    const listed = [event('OUT_FOR_DELIVERY', 2), event('PARCEL_DISPATCHED', 1)]
    inOrderOfTime(listed)
    expect(listed.map(({ eventKey }) => eventKey)).toEqual(['OUT_FOR_DELIVERY', 'PARCEL_DISPATCHED'])
  })
})
