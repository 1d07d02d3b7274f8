import { describe, expect, it } from 'vitest'
import { aftership as describedAftership } from '../../../src/adapters/carriers/aftership/description.ts'
import { dhl as describedDhl } from '../../../src/adapters/carriers/dhl/description.ts'
import { easypost as describedEasypost } from '../../../src/adapters/carriers/easypost/description.ts'
import { fedex as describedFedex } from '../../../src/adapters/carriers/fedex/description.ts'
import type { ProviderCredentials, ReportedProof } from '../../../src/adapters/carriers/provider.ts'
import type { TrackingProvider } from '../../../src/adapters/carriers/registry.ts'
import { openProvider } from '../../../src/adapters/carriers/registry.ts'
import { ups as describedUps } from '../../../src/adapters/carriers/ups/description.ts'
import type { Call } from '../../../src/platform/foundation/call.ts'
import { callTo } from '../direct-call.ts'
import { createFakeAftership } from './fakes/aftership-server.ts'
import { clients, keys } from './fakes/credentials.ts'
import { createFakeDhl } from './fakes/dhl-server.ts'
import { createFakeEasypost } from './fakes/easypost-server.ts'
import { createFakeFedex } from './fakes/fedex-server.ts'
import { createFakeUps } from './fakes/ups-server.ts'
import { parcelOf } from './parcels.ts'

const number = '1234567890'

/** The proof in the report of a parcel to Köln. */
async function proofOf(
  provider: TrackingProvider,
  call: Call,
  credentials: ProviderCredentials,
): Promise<ReportedProof | undefined> {
  const parcel = parcelOf(provider.carriers[0] ?? '', number)
  const reply = await provider.track(call, { shopId: 'shop', credentials }, [parcel])
  if (reply.result !== 'found') throw new Error(reply.detail)
  return reply.reports[0]?.proof
}

const dhl = (details: unknown) =>
  proofOf(openProvider(describedDhl), callTo(createFakeDhl({ id: number, service: 'express', details })), {
    api_key: keys.right,
  })
const ups = (deliveryInformation: unknown) =>
  proofOf(
    openProvider(describedUps),
    callTo(createFakeUps({ trackingNumber: number, deliveryInformation })),
    clients.right,
  )
const fedex = (deliveryDetails: unknown) =>
  proofOf(openProvider(describedFedex), callTo(createFakeFedex(number, { deliveryDetails })), clients.right)
const easypost = (fields: object) =>
  proofOf(
    openProvider(describedEasypost),
    callTo(createFakeEasypost({ tracking_code: number, carrier: 'USPS', ...fields })),
    {
      api_key: keys.right,
    },
  )
const aftership = (fields: object) =>
  proofOf(
    openProvider(describedAftership),
    callTo(createFakeAftership({ tracking_number: number, slug: 'dhl', ...fields })),
    {
      api_key: keys.right,
    },
  )

describe('proof of delivery', () => {
  it('is read from DHL’s proofOfDelivery', async () => {
    const signed = { '@type': 'Person', familyName: 'Muster', givenName: 'Eva', name: '' }
    const links = { signatureUrl: 'https://proofs.example/s/1', documentUrl: 'https://proofs.example/d/1' }
    expect(await dhl({ proofOfDelivery: { timestamp: '2026-11-03T09:41:00+01:00', signed, ...links } })).toEqual({
      receivedBy: 'Eva Muster',
      time: new Date('2026-11-03T08:41:00Z'),
      pictureUrl: links.documentUrl,
      signatureUrl: links.signatureUrl,
    })
    const named = { timestamp: '2026-11-03T09:41:00', signed: { name: 'E. MUSTER' } }
    // Without an offset it is in the time zone of the destination.
    expect(await dhl({ proofOfDelivery: named })).toEqual({
      receivedBy: 'E. MUSTER',
      time: new Date('2026-11-03T08:41:00Z'),
    })
  })

  it('is read from UPS’s deliveryInformation, without pictures that are in the reply itself', async () => {
    const bytes = 'iVBORw0KGgoAAAANSUhEUg'.repeat(1_000)
    expect(
      await ups({
        location: 'Front Desk',
        receivedBy: 'MUSTER',
        signature: { image: bytes },
        deliveryPhoto: { photo: bytes, photoCaptureInd: 'Y', isNonPostalCodeCountry: false, photoDispositionCode: 'V' },
      }),
    ).toEqual({ receivedBy: 'MUSTER', place: 'Front Desk' })
  })

  it('is read from FedEx’s deliveryDetails', async () => {
    const delivered = {
      receivedByName: 'E.MUSTER',
      locationDescription: 'Receptionist/Front Desk',
      deliveryAttempts: '0',
    }
    expect(await fedex(delivered)).toEqual({ receivedBy: 'E.MUSTER', place: 'Receptionist/Front Desk' })
    expect(await fedex({ signedByName: 'E.MUSTER' })).toEqual({ receivedBy: 'E.MUSTER' })
  })

  it('is read from EasyPost’s signed_by', async () => {
    expect(await easypost({ signed_by: 'E MUSTER' })).toEqual({ receivedBy: 'E MUSTER' })
  })

  it('is read from AfterShip’s signed_by, delivery_location_type and proof_of_delivery', async () => {
    const picture = { type: 'image', url: 'https://proofs.example/p/1.jpg' }
    const fields = { destination_country_region: 'DEU', delivery_location_type: 'Front porch' }
    const expected = { receivedBy: 'Eva Muster', place: 'Front porch', pictureUrl: picture.url }
    for (const proof_of_delivery of [[picture], picture]) {
      expect(await aftership({ ...fields, signed_by: 'Eva Muster', proof_of_delivery })).toEqual(expected)
    }
    const shipment_delivery_date = '2026-11-03T09:41:00'
    expect(await aftership({ ...fields, shipment_delivery_date })).toEqual({
      place: 'Front porch',
      time: new Date('2026-11-03T08:41:00Z'),
    })
    // A day alone is not when it was handed over.
    expect(await aftership({ ...fields, shipment_delivery_date: '2026-11-03' })).toEqual({ place: 'Front porch' })
  })

  it('is absent if the provider has none, or in another shape', async () => {
    for (const none of [undefined, null, 'text', 7, [], {}]) {
      expect(await dhl({ proofOfDelivery: none })).toBeUndefined()
      expect(await ups(none)).toBeUndefined()
      expect(await fedex(none)).toBeUndefined()
      expect(await easypost({ signed_by: typeof none === 'object' ? none : null })).toBeUndefined()
      expect(await aftership({ signed_by: null, proof_of_delivery: none })).toBeUndefined()
    }
    expect(await dhl(undefined)).toBeUndefined()
    expect(await ups({ receivedBy: ' ', location: null })).toBeUndefined()
  })
})
