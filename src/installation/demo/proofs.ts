import type { ShopContext } from '../../platform/foundation/context.ts'
import { writeProofs } from '../../tracking/scans/proof-store.ts'
import { type RecordedScan, type ScannedParcel, unevennessMs } from './scans.ts'

/** Writes proofs of delivery for two of three parcels that were handed over or left at the door, as carriers differ. */
export async function recordDemoProofs(
  context: ShopContext,
  parcels: readonly ScannedParcel[],
  scans: readonly RecordedScan[],
): Promise<void> {
  const byNumber = new Map(parcels.map((parcel) => [parcel.trackingNumber, parcel]))
  const proofs = scans.flatMap(({ shopId, shipmentId, trackingNumber, eventName, eventTime, now }) => {
    const customer = byNumber.get(trackingNumber)?.customer
    const isLeft = eventName === 'SUCCESSFULLY_DELIVERED_AND_LEFT_AT_DOOR'
    if (customer === undefined || (eventName !== 'SUCCESSFULLY_DELIVERED' && !isLeft)) return []
    if (Math.floor(unevennessMs(trackingNumber) / 1_000) % 3 === 0) return []
    const proof = {
      received_by: isLeft ? null : signatureOf(customer.name),
      time: eventTime.toISOString(),
      place: isLeft ? 'Front door' : customer.city.name,
      source: 'sandbox',
      picture_url: null,
      signature_url: null,
    }
    return [{ shopId, shipmentId, proof, now }]
  })
  await writeProofs(context, proofs)
}

/** "A. Brandt", as drivers enter it. */
function signatureOf(name: string): string {
  const [first = '', ...rest] = name.split(' ')
  return [`${first.charAt(0)}.`, ...rest].join(' ')
}
