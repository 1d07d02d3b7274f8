import { getMeaning } from '../../platform/catalogue/catalogue.ts'
import { shownLink } from '../../platform/foundation/web-address.ts'
import type { ProofOfDelivery, SharedProof } from './proof-schema.ts'
import type { StoredShipment } from './store.ts'

/**
 * The proof of the delivery that stands: null unless the parcel is delivered, and for the proof of an earlier delivery,
 * after which the parcel travelled on.
 */
export function standingProof(
  shipment: Pick<StoredShipment, 'phase' | 'proof_of_delivery' | 'events'>,
): ProofOfDelivery | null {
  const { phase, proof_of_delivery: proof, events } = shipment
  if (phase !== 'delivered' || proof === null) return null
  const provedAt = Date.parse(proof.time)
  // An archive of a shop may contain anything.
  if (Number.isNaN(provedAt)) return null
  const travelledOn = events.some(({ event_key, event_time }) => {
    const meaning = getMeaning(event_key)
    return isOnTheWay.has(meaning.phase) && meaning.movesPhase && Date.parse(event_time) > provedAt
  })
  if (travelledOn) return null
  return { ...proof, picture_url: shownLink(proof.picture_url), signature_url: shownLink(proof.signature_url) }
}

/** Scans in these phases show that the parcel was with its carrier. */
const isOnTheWay: ReadonlySet<string> = new Set([
  'in_transit',
  'in_delivery',
  'collect',
  'delivery_failed',
  'return_transit',
  'return_failed',
  'returned',
])

export function sharedProof(proof: ProofOfDelivery | null): SharedProof | null {
  return proof && { time: proof.time, place: proof.place, source: proof.source }
}
