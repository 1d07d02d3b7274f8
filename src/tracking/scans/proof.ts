import type { ParcelReport, ReportedProof, Scan } from '../../adapters/carriers/provider.ts'
import type { ProviderName } from '../../adapters/carriers/registry.ts'
import type { ProofOfDelivery } from '../../orders/shipments/proof-schema.ts'
import { getMeaning } from '../../platform/catalogue/catalogue.ts'
import { hourMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { cutText } from '../../platform/foundation/storable-text.ts'
import { webAddress } from '../../platform/foundation/web-address.ts'
import { lockProofs, writeProofs } from './proof-store.ts'
import { isOfThisJourney } from './rules.ts'

/** The part of a report about one of our shipments that a proof is read from. */
export interface ProvingReport {
  shopId: string
  shipmentId: string
  provider: ProviderName
  fulfilledAt: Date
  report: ParcelReport
  now: Date
}

const maxTextLength = 200
/** A longer address is no link to a picture. */
const maxLinkLength = 2_000

/** Times of one delivery may be this far apart: carriers write some in an unnamed time zone. */
const sameDeliveryMs = 14 * hourMs

/**
 * Records the proofs of delivery of these reports, before their events, whose notifications show them. Call it inside
 * the transaction. A report without a proof removes none.
 */
export async function recordProofs(context: Context, reports: ProvingReport[]): Promise<void> {
  const proofs = reports.flatMap((source) => {
    const proof = proofOf(source)
    return proof === undefined ? [] : [{ source, proof }]
  })
  if (proofs.length === 0) return
  // All shipments of the reports: their events lock them next, and every transaction locks them in one order.
  const known = await lockProofs(context, reports)
  const changed = proofs.flatMap(({ source: { shopId, shipmentId, now }, proof }) => {
    const before = known.get(shipmentId)
    const after = mergeProofs(before ?? null, proof)
    return before === undefined || isSame(before, after) ? [] : [{ shopId, shipmentId, proof: after, now }]
  })
  await writeProofs(context, changed)
}

/** With the town of the scan, which is a place only if no better one is known. */
export type ReadProof = ProofOfDelivery & { town: string | null }

/** The proof in a report; undefined if there is none, or if the parcel was not delivered. */
export function proofOf(source: ProvingReport): ReadProof | undefined {
  const { provider, report, fulfilledAt, now } = source
  const { proof } = report
  if (proof === undefined) return undefined
  const scan = deliveryOf(report.scans, proof.time)
  const time = scan?.time ?? proof.time
  if (time === undefined || !isOfThisJourney({ time }, fulfilledAt, now)) return undefined
  return {
    received_by: shortText(proof.receivedBy),
    time: time.toISOString(),
    place: shortText(proof.place),
    town: shortText(scan?.location?.place ?? scan?.location?.city),
    source: provider,
    picture_url: linkOf(proof.pictureUrl),
    signature_url: linkOf(proof.signatureUrl),
  }
}

/** The scan of the delivery that a proof is of: the nearest to its time; the last if it has none. */
function deliveryOf(scans: readonly Scan[], time: ReportedProof['time']): Scan | undefined {
  const deliveries = scans.filter(({ eventName }) => {
    const meaning = eventName === undefined ? undefined : getMeaning(eventName)
    return meaning?.phase === 'delivered' && meaning.movesPhase
  })
  if (time === undefined) return deliveries.at(-1)
  const distance = (scan: Scan) => Math.abs(scan.time.getTime() - time.getTime())
  const [nearest] = deliveries.sort((left, right) => distance(left) - distance(right))
  return nearest && distance(nearest) <= sameDeliveryMs ? nearest : undefined
}

/**
 * The proof of a delivery after a further report. A report of the same delivery fills the missing fields and corrects
 * those that it has; that of a later delivery replaces the proof, and that of an earlier one is ignored.
 */
export function mergeProofs(known: ProofOfDelivery | null, { town, ...reported }: ReadProof): ProofOfDelivery {
  const alone = { ...reported, place: reported.place ?? town }
  if (known === null) return alone
  const laterMs = Date.parse(reported.time) - Date.parse(known.time)
  if (Math.abs(laterMs) > sameDeliveryMs) return laterMs > 0 ? alone : known
  return {
    received_by: reported.received_by ?? known.received_by,
    time: reported.time,
    place: reported.place ?? known.place ?? town,
    source: reported.source,
    picture_url: reported.picture_url ?? known.picture_url,
    signature_url: reported.signature_url ?? known.signature_url,
  }
}

const fields = ['received_by', 'time', 'place', 'source', 'picture_url', 'signature_url'] as const

function isSame(left: ProofOfDelivery | null, right: ProofOfDelivery): boolean {
  return left !== null && fields.every((field) => left[field] === right[field])
}

function shortText(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : cutText(trimmed, maxTextLength)
}

/** Pictures that come within a report are not kept: a row would hold megabytes. */
function linkOf(text: string | undefined): string | null {
  return text === undefined || text.length > maxLinkLength ? null : (webAddress(text) ?? null)
}
