import { formatTime } from '../kit/format.ts'
import { Card, Facts } from '../kit/page.tsx'
import { t } from '../texts/texts.ts'
import type { Reply } from './api.ts'
import { labelOf } from './systems.ts'

export type Proof = NonNullable<Reply<'/v1/shops/{slug}/shipments/{shipment_id}'>['proof_of_delivery']>

/** The proof of delivery: who took the parcel, when and where, with the carrier's picture and signature. */
export function ProofCard({ proof }: { proof: Proof }) {
  return (
    <Card title={t('shipments.proof.title')}>
      <Facts
        facts={[
          [t('shipments.proof.received_by'), proof.received_by],
          [t('shipments.proof.time'), formatTime(proof.time)],
          [t('shipments.proof.place'), proof.place],
          [t('shipments.proof.picture'), linkTo(proof.picture_url)],
          [t('shipments.proof.signature'), linkTo(proof.signature_url)],
          [t('shipments.proof.source'), labelOf(proof.source)],
        ]}
      />
    </Card>
  )
}

/** The proof in a line: "A. Example · Front door". */
export function proofLine({ received_by, place }: Proof): string | undefined {
  const known = [received_by && t('shipments.proof.to', { name: received_by }), place].filter(Boolean)
  return known.length === 0 ? undefined : known.join(' · ')
}

function linkTo(url: string | null) {
  return (
    url && (
      <a href={url} target="_blank" rel="noopener noreferrer">
        {t('shipments.proof.open')}
      </a>
    )
  )
}
