import { describe, expect, it } from 'vitest'
import type { Scan } from '../../src/adapters/carriers/provider.ts'
import { sharedProof, standingProof } from '../../src/orders/shipments/proof.ts'
import type { ProofOfDelivery } from '../../src/orders/shipments/proof-schema.ts'
import { mergeProofs, proofOf } from '../../src/tracking/scans/proof.ts'

const proof: ProofOfDelivery = {
  received_by: 'E. Muster',
  time: '2026-11-03T08:41:00.000Z',
  place: 'Front desk',
  source: 'ups',
  picture_url: 'https://proofs.example/p/1',
  signature_url: null,
}

const event = (event_key: string, event_time: string) => ({
  event_key,
  event_time,
  timezone: null,
  location: null,
  additional_info: null,
})
const delivered = event('SUCCESSFULLY_DELIVERED', proof.time)

describe('proof that stands', () => {
  it('is that of the delivery that the parcel shows', () => {
    const events = [event('OUT_FOR_DELIVERY', '2026-11-03T07:00:00Z'), delivered]
    expect(standingProof({ phase: 'delivered', proof_of_delivery: proof, events })).toEqual(proof)
    const later = event('MORE_INFO_ON_CARRIER_WEBSITE', '2026-11-04T07:00:00Z')
    expect(standingProof({ phase: 'delivered', proof_of_delivery: proof, events: [...events, later] })).toEqual(proof)
  })

  it.each(['returned', 'return_transit', 'in_transit', 'in_delivery', 'collect', 'delivery_failed', 'order_cancelled'])(
    'is none while the parcel is in the phase %s',
    (phase) => {
      expect(standingProof({ phase, proof_of_delivery: proof, events: [delivered] })).toBeNull()
    },
  )

  it.each([
    'OUT_FOR_DELIVERY',
    'SHIPMENT_RETURNING_TO_SENDER',
    'DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN',
    'ARRIVED_AT_SORTING_CENTER',
  ])('is none if the parcel travelled on before it was delivered again: %s', (key) => {
    const again = [event(key, '2026-11-03T12:00:00Z'), event('SUCCESSFULLY_DELIVERED', '2026-11-03T15:00:00Z')]
    expect(standingProof({ phase: 'delivered', proof_of_delivery: proof, events: [delivered, ...again] })).toBeNull()
  })

  it('is none without a time that can be read', () => {
    const odd = { ...proof, time: 'yesterday' }
    expect(standingProof({ phase: 'delivered', proof_of_delivery: odd, events: [delivered] })).toBeNull()
  })

  it('links web addresses only', () => {
    const odd = { ...proof, picture_url: 'javascript:alert(1)', signature_url: 'data:image/png;base64,AA' }
    expect(standingProof({ phase: 'delivered', proof_of_delivery: odd, events: [delivered] })).toMatchObject({
      picture_url: null,
      signature_url: null,
    })
  })

  it('is shared without name, picture and signature', () => {
    expect(sharedProof(proof)).toEqual({ time: proof.time, place: 'Front desk', source: 'ups' })
    expect(sharedProof(null)).toBeNull()
  })
})

const read = (found: ProofOfDelivery, town: string | null = null) => ({ ...found, town })

describe('proofs of a parcel', () => {
  it('have the town of the scan as their place if no better one is known', () => {
    const placeless = { ...proof, place: null }
    expect(mergeProofs(null, read(placeless, 'Köln')).place).toBe('Köln')
    expect(mergeProofs(null, read(proof, 'Köln'))).toEqual(proof)
    expect(mergeProofs(proof, read(placeless, 'Köln')).place).toBe('Front desk')
    expect(mergeProofs({ ...proof, place: 'Köln' }, read(proof, 'Köln')).place).toBe('Front desk')
  })

  it('of one delivery fill and correct each other, and remove nothing', () => {
    const bare = { ...proof, received_by: null, place: null, picture_url: null, source: 'aftership' }
    expect(mergeProofs(null, read(bare))).toEqual(bare)
    expect(mergeProofs(bare, read(proof))).toEqual(proof)
    expect(mergeProofs(proof, read(bare))).toEqual({ ...proof, source: 'aftership' })
    expect(mergeProofs(proof, read({ ...proof, received_by: 'Eva Muster' })).received_by).toBe('Eva Muster')
  })

  it('of a later delivery replace the earlier one, whose proof may arrive late', () => {
    const later = { ...proof, time: '2026-11-05T08:00:00.000Z', received_by: null, picture_url: null }
    expect(mergeProofs(proof, read(later))).toEqual(later)
    expect(mergeProofs(later, read(proof))).toEqual(later)
  })
})

describe('proof in a report', () => {
  const scan = (eventName: string | undefined, time: string, city?: string): Scan => ({
    code: 'D',
    text: null,
    eventName,
    time: new Date(time),
    timezone: null,
    location: city === undefined ? null : { city },
  })
  const source = (scans: Scan[], reported: Parameters<typeof proofOf>[0]['report']['proof']) => ({
    shopId: 'shop',
    shipmentId: 'shipment',
    provider: 'dhl' as const,
    fulfilledAt: new Date('2026-11-01T08:00:00Z'),
    isNotified: true,
    now: new Date('2026-11-09T08:00:00Z'),
    report: { trackingNumber: '1', scans, ...(reported ? { proof: reported } : {}) },
  })
  const first = scan('SUCCESSFULLY_DELIVERED', '2026-11-03T08:41:00Z', 'Köln')
  const second = scan('SUCCESSFULLY_DELIVERED', '2026-11-06T08:00:00Z', 'Bonn')
  const scans = [first, scan('OUT_FOR_DELIVERY', '2026-11-06T06:00:00Z'), second]

  it('has the time and the town of its delivery', () => {
    expect(proofOf(source(scans, { receivedBy: 'Eva' }))).toMatchObject({
      time: '2026-11-06T08:00:00.000Z',
      town: 'Bonn',
    })
    // Carriers write the time without its zone.
    const time = new Date('2026-11-03T09:41:00Z')
    expect(proofOf(source(scans, { receivedBy: 'Eva', time }))).toMatchObject({
      time: '2026-11-03T08:41:00.000Z',
      town: 'Köln',
      source: 'dhl',
    })
    const alone = new Date('2026-11-04T20:00:00Z')
    expect(proofOf(source(scans, { time: alone }))).toMatchObject({ time: alone.toISOString(), town: null })
  })

  it('is none without a delivery, or of another journey', () => {
    expect(proofOf(source(scans, undefined))).toBeUndefined()
    expect(proofOf(source([scan('OUT_FOR_DELIVERY', '2026-11-06T06:00:00Z')], { receivedBy: 'Eva' }))).toBeUndefined()
    expect(proofOf(source([scan(undefined, '2026-11-06T06:00:00Z')], { receivedBy: 'Eva' }))).toBeUndefined()
    expect(proofOf(source([], { receivedBy: 'Eva', time: new Date('2026-08-01T06:00:00Z') }))).toBeUndefined()
  })

  it('has short texts and web addresses only', () => {
    const given = { receivedBy: `${'é'.repeat(500)}\0`, place: '   ', pictureUrl: 'ftp://proofs.example/1' }
    const read = proofOf(source([first], { ...given, signatureUrl: `https://proofs.example/${'a'.repeat(3_000)}` }))
    expect(read?.received_by).toHaveLength(200)
    expect(read).toMatchObject({ place: null, town: 'Köln', picture_url: null, signature_url: null })
    const withPassword = proofOf(source([first], { pictureUrl: 'https://me:secret@proofs.example/1' }))
    expect(withPassword?.picture_url).toBe('https://proofs.example/1')
  })
})
