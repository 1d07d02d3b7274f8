import { describe, expect, it } from 'vitest'
import type { ReportedFulfilment, ReportedOrder, ReportedScan } from '../../src/adapters/shop-systems/shop-system.ts'
import {
  expectedShipments,
  isLateProduct,
  isOlder,
  isSameSnapshot,
  mergeDeletion,
  mergeFulfilment,
  mergeOrder,
  mergeScan,
  type OrderSnapshot,
  parcelChanges,
  whatIsSaid,
  withTime,
} from '../../src/connections/shop-systems/rules.ts'
import { after, dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { permutationsOf } from '../harness/cases.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (minutes: number) => after(now, -minutes * minuteMs)

const empty: OrderSnapshot = {
  changedAt: null,
  sentAt: null,
  cancelledAt: null,
  deletedAt: null,
  quantity: null,
  expectedShipments: 1,
  isApplied: false,
  fulfilments: {},
}
const orderOf = (changedAt: Date, fields: Partial<ReportedOrder> = {}): ReportedOrder & { changedAt: Date } => ({
  id: '1',
  orderNumber: '1001',
  sentAt: undefined,
  fields: {},
  cancelledAt: null,
  isRestored: false,
  quantity: 2,
  fulfilments: [],
  hasAllFulfilments: true,
  attributes: [],
  ...fields,
  changedAt,
})
const fulfilmentOf = (changedAt: Date | undefined, fields: Partial<ReportedFulfilment> = {}): ReportedFulfilment => ({
  id: 'f-1',
  changedAt,
  sentAt: undefined,
  isActive: true,
  quantity: 1,
  parcels: [{ tracking_number: 'P-1' }],
  ...fields,
})
const merge = (known: OrderSnapshot, order: ReportedOrder & { changedAt: Date }) => mergeOrder(known, order, now)
const numbersIn = ({ fulfilments }: OrderSnapshot) =>
  Object.values(fulfilments)
    .filter(({ isActive }) => isActive)
    .flatMap(({ parcels }) => parcels.map(({ tracking_number }) => tracking_number))

describe('age of a message', () => {
  it('is that of the system, and only of one second that of the message', () => {
    const known = { changedAt: ago(5), sentAt: ago(4) }
    expect(isOlder({ changedAt: ago(6), sentAt: now }, known)).toBe(true)
    expect(isOlder({ changedAt: ago(4), sentAt: ago(9) }, known)).toBe(false)
    expect(isOlder({ changedAt: ago(5), sentAt: ago(5) }, known)).toBe(true)
    expect(isOlder({ changedAt: ago(5), sentAt: ago(4) }, known)).toBe(false)
    expect(isOlder({ changedAt: ago(5), sentAt: undefined }, known)).toBe(false)
    expect(isOlder({ changedAt: undefined, sentAt: ago(9) }, known)).toBe(false)
    expect(isOlder({ changedAt: ago(9), sentAt: ago(9) }, { changedAt: null, sentAt: null })).toBe(false)
  })

  it('is that of its arrival if it has no time', () => {
    expect(withTime(fulfilmentOf(undefined), now).changedAt).toEqual(now)
    expect(withTime(fulfilmentOf(undefined, { sentAt: ago(1) }), now).changedAt).toEqual(ago(1))
    expect(withTime(fulfilmentOf(ago(2), { sentAt: ago(1) }), now).changedAt).toEqual(ago(2))
  })
})

describe('order of several messages', () => {
  it('is the same in whatever order they arrive', () => {
    const first = orderOf(ago(30), { quantity: 3, fulfilments: [fulfilmentOf(ago(30))] })
    const second = orderOf(ago(20), { cancelledAt: ago(20), fulfilments: [fulfilmentOf(ago(20), { isActive: false })] })
    const third = orderOf(ago(10), {
      cancelledAt: null,
      fulfilments: [fulfilmentOf(ago(10), { parcels: [{ tracking_number: 'P-2' }] })],
    })
    const states = permutationsOf([first, second, third]).map((messages) =>
      messages.reduce((known, message) => merge(known, message), empty),
    )
    for (const state of states) {
      expect(state).toMatchObject({ changedAt: ago(10), cancelledAt: null, quantity: 2 })
      expect(numbersIn(state)).toEqual(['P-2'])
    }
  })

  it('keeps what an older one cannot know', () => {
    const known = merge(empty, orderOf(ago(10), { quantity: 1, fulfilments: [fulfilmentOf(ago(10))] }))
    const late = merge(known, orderOf(ago(20), { quantity: 9, cancelledAt: ago(20), fulfilments: [] }))
    expect(late).toEqual(known)
    const gone = fulfilmentOf(ago(20), { id: 'f-0', parcels: [{ tracking_number: 'P-0' }] })
    expect(merge(known, orderOf(ago(20), { fulfilments: [gone] }))).toEqual(known)
    // Its parcels count, if it does not claim that these are all.
    const partial = orderOf(ago(20), {
      hasAllFulfilments: false,
      fulfilments: [fulfilmentOf(ago(20), { id: 'f-2', parcels: [{ tracking_number: 'P-2' }] })],
    })
    expect(numbersIn(merge(known, partial))).toEqual(['P-1', 'P-2'])
  })

  it('loses fulfilments that a complete list no longer has, and no others', () => {
    const known = merge(empty, orderOf(ago(10), { fulfilments: [fulfilmentOf(ago(10))] }))
    const other = fulfilmentOf(ago(5), { id: 'f-2', parcels: [{ tracking_number: 'P-2' }] })
    expect(numbersIn(merge(known, orderOf(ago(5), { fulfilments: [other] })))).toEqual(['P-2'])
    const some = orderOf(ago(5), { fulfilments: [other], hasAllFulfilments: false })
    expect(numbersIn(merge(known, some))).toEqual(['P-1', 'P-2'])
  })

  it('keeps its quantity if a message does not say, and bounds it', () => {
    const known = merge(empty, orderOf(ago(10), { quantity: 7 }))
    expect(merge(known, orderOf(ago(5), { quantity: undefined })).quantity).toBe(7)
    expect(merge(known, orderOf(ago(5), { quantity: 0 })).quantity).toBe(0)
    expect(merge(known, orderOf(ago(5), { quantity: 1e15 })).quantity).toBe(1e9)
  })
})

describe('cancellation', () => {
  it('has its first time, never one in the future, and can be undone', () => {
    const cancelled = merge(empty, orderOf(ago(10), { cancelledAt: ago(12) }))
    expect(cancelled.cancelledAt).toEqual(ago(12))
    expect(merge(cancelled, orderOf(ago(5), { cancelledAt: ago(6) })).cancelledAt).toEqual(ago(12))
    expect(merge(cancelled, orderOf(ago(5), { cancelledAt: undefined })).cancelledAt).toEqual(ago(12))
    expect(merge(cancelled, orderOf(ago(5), { cancelledAt: null })).cancelledAt).toBeNull()
    expect(merge(empty, orderOf(ago(5), { cancelledAt: after(now, dayMs) })).cancelledAt).toEqual(now)
  })

  it('is what a deletion is, until the order is restored or changes after it', () => {
    const deleted = mergeDeletion(merge(empty, orderOf(ago(10))), ago(8), now)
    expect(deleted).toMatchObject({ deletedAt: ago(8), cancelledAt: ago(8) })
    expect(mergeDeletion(deleted, ago(2), now)).toEqual(deleted)
    expect(mergeDeletion(empty, after(now, dayMs), now).deletedAt).toEqual(now)
    expect(mergeDeletion(empty, undefined, now).deletedAt).toEqual(now)
    // An older state of the order does not bring it back.
    expect(merge(deleted, orderOf(ago(9)))).toMatchObject({ deletedAt: ago(8), cancelledAt: ago(8) })
    expect(merge(deleted, orderOf(ago(9), { isRestored: true }))).toMatchObject({ deletedAt: null, cancelledAt: null })
    expect(merge(deleted, orderOf(ago(7)))).toMatchObject({ deletedAt: null, cancelledAt: null })
    expect(merge(deleted, orderOf(ago(7), { cancelledAt: undefined }))).toMatchObject({ cancelledAt: null })
  })

  it('stays the time at which it was cancelled if it is deleted later', () => {
    const cancelled = merge(empty, orderOf(ago(10), { cancelledAt: ago(12) }))
    expect(mergeDeletion(cancelled, ago(2), now).cancelledAt).toEqual(ago(12))
  })
})

describe('message that lacks something', () => {
  const lacking = (lacks: ReportedOrder['lacks'], fields: Partial<ReportedOrder> = {}) =>
    orderOf(ago(5), {
      lacks,
      fields: { products: [{ title: 'Jacket' }], total_order_price: 9, email_id: 'ada@example.com' },
      handedOverWithoutTracking: true,
      nothingToSend: false,
      ...fields,
    })

  it('says nothing of the refunds of a known order', () => {
    const said = whatIsSaid(lacking(['refunded items']), true)
    expect(said).toMatchObject({
      fields: { email_id: 'ada@example.com' },
      quantity: undefined,
      nothingToSend: undefined,
    })
    expect(Object.keys(said.fields)).toEqual(['email_id'])
    expect(whatIsSaid(lacking(['refunded items'], { nothingToSend: true }), true).nothingToSend).toBe(true)
    expect(whatIsSaid(lacking(['refunded items']), false)).toEqual(lacking(['refunded items']))
  })

  it('says nothing of fulfilments that it does not have', () => {
    for (const isKnown of [true, false]) {
      const said = whatIsSaid(lacking(['fulfilments']), isKnown)
      expect(said).toMatchObject({ hasAllFulfilments: false, handedOverWithoutTracking: undefined, quantity: 2 })
    }
    expect(whatIsSaid(lacking([]), true)).toEqual(lacking([]))
  })

  it('does not repeat parcels that are known under another id', () => {
    const known = merge(empty, orderOf(ago(10), { fulfilments: [fulfilmentOf(ago(10))] }))
    const again = fulfilmentOf(ago(5), { id: 'other' })
    const next = merge(known, orderOf(ago(5), { lacks: ['fulfilments'], fulfilments: [again] }))
    expect(numbersIn(next)).toEqual(['P-1'])
    const more = { ...again, parcels: [{ tracking_number: 'P-1' }, { tracking_number: 'P-2' }] }
    const added = merge(known, orderOf(ago(5), { lacks: ['fulfilments'], fulfilments: [more] }))
    expect(Object.keys(added.fulfilments)).toEqual(['f-1', 'other'])
  })
})

describe('fulfilment on its own', () => {
  const known = merge(
    empty,
    orderOf(ago(10), {
      fulfilments: [
        fulfilmentOf(ago(10), { quantity: 1, parcels: [{ tracking_number: 'P-1', products: [{ sku: 'RJ' }] }] }),
      ],
    }),
  )

  it('has no more items than its order knows of, and keeps its products', () => {
    const next = mergeFulfilment(known, fulfilmentOf(ago(5), { quantity: 3 }), now)
    expect(next.fulfilments['f-1']).toMatchObject({ quantity: 1, parcels: [{ products: [{ sku: 'RJ' }] }] })
    const none = mergeFulfilment(known, fulfilmentOf(ago(5), { quantity: undefined }), now)
    expect(none.fulfilments['f-1']?.quantity).toBe(1)
    expect(mergeFulfilment(empty, fulfilmentOf(ago(5), { quantity: 3 }), now).fulfilments['f-1']?.quantity).toBe(3)
  })

  it('changes nothing if it is older', () => {
    expect(mergeFulfilment(known, fulfilmentOf(ago(20), { isActive: false }), now)).toEqual(known)
  })

  it('never takes an id for a part of every object', () => {
    const next = mergeFulfilment(empty, fulfilmentOf(ago(5), { id: 'constructor' }), now)
    expect(numbersIn(next)).toEqual(['P-1'])
  })
})

describe('steps of a parcel', () => {
  const scan = (eventName: string, time: Date, isState = false): ReportedScan => ({
    code: eventName.toLowerCase(),
    eventName,
    time,
    isState,
  })
  const stepsOf = ({ fulfilments }: OrderSnapshot) => fulfilments['f-1']?.scans?.map(({ eventName }) => eventName)

  it('are kept until the fulfilment is known, and count once within an hour', () => {
    const first = mergeScan(empty, 'f-1', scan('PARCEL_DISPATCHED', ago(90)))
    expect(first.fulfilments['f-1']).toMatchObject({ isActive: false, parcels: [] })
    expect(stepsOf(mergeScan(first, 'f-1', scan('PARCEL_DISPATCHED', ago(31))))).toHaveLength(1)
    expect(stepsOf(mergeScan(first, 'f-1', scan('PARCEL_DISPATCHED', ago(30))))).toHaveLength(2)
    expect(stepsOf(mergeScan(first, 'f-1', scan('PARCEL_DISPATCHED', now, true)))).toHaveLength(1)
    expect(stepsOf(mergeScan(first, 'f-1', scan('OUT_FOR_DELIVERY', ago(90))))).toHaveLength(2)
    const sent = merge(first, orderOf(ago(5), { fulfilments: [fulfilmentOf(ago(5))], hasAllFulfilments: false }))
    expect(stepsOf(sent)).toEqual(['PARCEL_DISPATCHED'])
    expect(numbersIn(sent)).toEqual(['P-1'])
  })

  it('belong to their number', () => {
    const known = mergeFulfilment(empty, fulfilmentOf(ago(20), { scans: [scan('PARCEL_DISPATCHED', ago(20))] }), now)
    const renumbered = fulfilmentOf(ago(5), { parcels: [{ tracking_number: 'P-2' }] })
    expect(stepsOf(mergeFulfilment(known, renumbered, now))).toBeUndefined()
    expect(stepsOf(mergeFulfilment(known, fulfilmentOf(ago(5)), now))).toEqual(['PARCEL_DISPATCHED'])
    // An older message may know a step that a newer one does not; of another number, it knows none.
    const older = fulfilmentOf(ago(30), { scans: [scan('OUT_FOR_DELIVERY', ago(30))] })
    expect(stepsOf(mergeFulfilment(known, older, now))).toEqual(['PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY'])
    const otherNumber = { ...older, parcels: [{ tracking_number: 'P-0' }] }
    expect(stepsOf(mergeFulfilment(known, otherNumber, now))).toEqual(['PARCEL_DISPATCHED'])
  })
})

describe('expected number of shipments', () => {
  const active = (quantity: number | null, parcels: number, isActive = true) => ({
    changedAt: null,
    sentAt: null,
    isActive,
    quantity,
    parcels: Array.from({ length: parcels }, (_, index) => ({ tracking_number: `P-${index}` })),
  })
  const expected = (quantity: number | null, ...fulfilments: ReturnType<typeof active>[]) =>
    expectedShipments({
      quantity,
      fulfilments: Object.fromEntries(fulfilments.map((one, index) => [`f-${index}`, one])),
    })

  it.each([
    ['nothing was sent', expected(3), 1],
    ['nothing was sent, and nobody knows how much', expected(null), 1],
    ['a part was sent', expected(3, active(1, 1)), 2],
    ['all was sent', expected(3, active(1, 1), active(2, 1)), 2],
    ['all was sent in two parcels', expected(3, active(3, 2)), 2],
    ['a part has no number yet', expected(3, active(1, 1), active(2, 0)), 2],
    ['the only one was cancelled', expected(3, active(3, 2, false)), 1],
    ['one covers everything', expected(3, active(null, 1)), 1],
    ['nobody knows how much there is', expected(null, active(1, 1)), 1],
    ['there are more than a hundred', expected(1, active(1, 150)), 100],
  ])('if %s', (_name, count, number) => {
    expect(count).toBe(number)
  })
})

describe('changes of parcels', () => {
  const withParcels = (parcels: ReportedFulfilment['parcels'], fields: Partial<ReportedFulfilment> = {}) => ({
    ...mergeFulfilment(empty, fulfilmentOf(ago(5), { parcels, ...fields }), now),
    isApplied: true,
  })
  const one = [{ tracking_number: 'P-1', tracking_company: 'DHL' }]

  it('are none if nothing changed, and all that is new before the first time', () => {
    expect(parcelChanges(withParcels(one), withParcels(one))).toEqual({ reported: [], replaced: [], removed: [] })
    const first = { ...withParcels(one), isApplied: false }
    expect(parcelChanges(first, withParcels(one)).reported).toEqual([{ ...one[0], external_shipment_id: 'f-1' }])
  })

  it('are a number that was replaced, in its place', () => {
    const changes = parcelChanges(withParcels(one), withParcels([{ tracking_number: 'P-2' }]))
    expect(changes).toMatchObject({ replaced: [{ from: 'P-1', to: { tracking_number: 'P-2' } }], removed: [] })
  })

  it('are a number that moved to another carrier', () => {
    const changes = parcelChanges(withParcels(one), withParcels([{ tracking_number: 'P-1', tracking_company: 'UPS' }]))
    expect(changes).toMatchObject({ replaced: [{ from: 'P-1', to: { tracking_company: 'UPS' } }], removed: [] })
  })

  it('are a number that is gone, or whose fulfilment was cancelled', () => {
    expect(parcelChanges(withParcels(one), withParcels([])).removed).toEqual(['P-1'])
    expect(parcelChanges(withParcels(one), withParcels(one, { isActive: false })).removed).toEqual(['P-1'])
    expect(parcelChanges(withParcels(one), { ...empty, isApplied: true }).removed).toEqual(['P-1'])
  })

  it('are not the removal of a number that another fulfilment has', () => {
    const moved = { ...mergeFulfilment(empty, fulfilmentOf(ago(4), { id: 'f-2', parcels: one }), now), isApplied: true }
    expect(parcelChanges(withParcels(one), moved)).toMatchObject({ removed: [], replaced: [] })
  })
})

describe('message that says nothing new', () => {
  it('was only sent later', () => {
    const known = merge(
      empty,
      orderOf(ago(10), { sentAt: ago(9), fulfilments: [fulfilmentOf(ago(10), { sentAt: ago(9) })] }),
    )
    const again = merge(
      known,
      orderOf(ago(10), { sentAt: ago(1), fulfilments: [fulfilmentOf(ago(10), { sentAt: ago(1) })] }),
    )
    expect(again.sentAt).toEqual(ago(1))
    expect(isSameSnapshot(known, again)).toBe(true)
    expect(
      isSameSnapshot(known, merge(known, orderOf(ago(10), { quantity: 9, fulfilments: [fulfilmentOf(ago(10))] }))),
    ).toBe(false)
    expect(isSameSnapshot(known, { ...known, isApplied: true })).toBe(false)
    const inactive = orderOf(ago(10), { fulfilments: [fulfilmentOf(ago(10), { isActive: false })] })
    expect(isSameSnapshot(known, merge(known, inactive))).toBe(false)
  })
})

describe('reported product', () => {
  const product = (changedAt: Date, isRestored = false) => ({
    id: 'p-1',
    productId: 'p-1',
    isSold: true,
    hasAllVariants: true,
    isRestored,
    variants: [],
    changedAt,
    sentAt: undefined,
  })
  const known = { productId: 'p-1', changedAt: ago(10), sentAt: null, deletedAt: null }

  it('is late if it is older, or not after its deletion', () => {
    expect(isLateProduct(product(ago(11)), known)).toBe(true)
    expect(isLateProduct(product(ago(10)), known)).toBe(false)
    const deleted = { ...known, deletedAt: ago(5) }
    expect(isLateProduct(product(ago(5)), deleted)).toBe(true)
    expect(isLateProduct(product(ago(4)), deleted)).toBe(false)
    expect(isLateProduct(product(ago(6), true), deleted)).toBe(false)
    expect(isLateProduct(product(ago(11), true), deleted)).toBe(true)
  })
})
