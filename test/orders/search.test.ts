import { describe, expect, it } from 'vitest'
import type { Match } from '../../src/orders/search/match-store.ts'
import { directionsOfReturns, rankMatches } from '../../src/orders/search/rules.ts'
import { permutationsOf } from '../harness/cases.ts'

const match = (orderId: string, fields: Partial<Match> = {}): Match => ({
  matched: 'order_number',
  orderId,
  shipmentId: null,
  isExact: false,
  placedAt: new Date('2026-11-01T10:00:00Z'),
  ...fields,
})
const later = new Date('2026-11-02T10:00:00Z')

describe('matches', () => {
  it('are ranked exact ones first, then the newest, in whatever order they were found', () => {
    const found = [
      match('exact', { isExact: true }),
      match('exact and newer', { isExact: true, placedAt: later }),
      match('newer', { placedAt: later }),
      match('b'),
      match('a'),
    ]
    for (const listed of permutationsOf(found)) {
      expect(rankMatches(listed).map(({ orderId }) => orderId)).toEqual(['exact and newer', 'exact', 'newer', 'b', 'a'])
    }
  })

  it('have each order once, by what says most about it', () => {
    const found = [
      match('one', { matched: 'customer_name' }),
      match('one', { matched: 'tracking_number', shipmentId: 'parcel' }),
      match('one', { matched: 'email_id' }),
    ]
    for (const listed of permutationsOf(found)) expect(rankMatches(listed)).toEqual([found[1]])
    const exact = match('one', { matched: 'customer_name', isExact: true })
    for (const listed of permutationsOf([...found, exact])) expect(rankMatches(listed)).toEqual([exact])
  })

  it('keep the first of two that say the same', () => {
    const [first, second] = [match('one', { shipmentId: 'p1' }), match('one', { shipmentId: 'p2' })]
    expect(rankMatches([first, second])).toEqual([first])
  })
})

describe('returns', () => {
  it('are what customers send, to the shop or to a partner', () => {
    expect([...directionsOfReturns].sort()).toEqual(['customer_merchant', 'customer_partner'])
  })
})
