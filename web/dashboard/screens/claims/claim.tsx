import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Notes } from '../../app/notes.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { TextArea } from '../../kit/field.tsx'
import { Card } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import { keepDraft, readDraft } from './drafts.ts'
import { ParcelCard } from './parcel.tsx'
import { PendingDecision } from './pending.tsx'
import { Photos } from './photos.tsx'
import { type Claim, claimQuery } from './query.ts'
import { StatusBadge } from './status.tsx'
import { Answers, Items } from './told.tsx'
import { Statement, titleOf } from './withdrawal.tsx'

interface ClaimDetailProps {
  uuid: string
  /** As the queue has it: shown at once. */
  known: Claim | undefined
  /** Called when it was decided: the next one may open. */
  onDecided: () => void
}

/** One claim: what the customer says and shows, what is known of the parcel, and the decision. */
export function ClaimDetail({ uuid, known, onDecided }: ClaimDetailProps) {
  const slug = useSlug()
  const query = useQuery({ ...claimQuery(slug, uuid), placeholderData: known })
  if (query.isError && !query.data) return <Problem error={query.error} retry={() => void query.refetch()} />
  if (!query.data) {
    return (
      <div className="stack">
        <SkeletonLines />
        <SkeletonBox rows={6} />
      </div>
    )
  }
  return <Shown claim={query.data} onDecided={onDecided} />
}

function Shown({ claim, onDecided }: { claim: Claim; onDecided: () => void }) {
  const mayAct = useMay('editor')
  const answer = useAnswer(claim)
  return (
    <article className="stack claim" aria-labelledby="claim-title">
      <Head claim={claim} mayAct={mayAct}>
        {mayAct && <DecisionButtons claim={claim} reply={answer.reply} onDecided={onDecided} />}
      </Head>
      <Statement claim={claim} />
      <Photos claim={claim} />
      {claim.description && <blockquote className="claim-words">{claim.description}</blockquote>}
      <Answers claim={claim} />
      <Items claim={claim} />
      {mayAct && claim.status !== 'closed' ? (
        <TextArea
          label={t('claims.answer')}
          help={t('claims.answer_help')}
          rows={3}
          maxLength={10_000}
          value={answer.text}
          onChange={answer.write}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      ) : (
        claim.reply && (
          <Card title={t('claims.answered')}>
            <p className="claim-reply">{claim.reply}</p>
          </Card>
        )
      )}
      <ParcelCard claim={claim} />
      <Notes orderId={claim.order_id} shipmentId={claim.shipment_id} />
    </article>
  )
}

function Head({ claim, mayAct, children }: { claim: Claim; mayAct: boolean; children: React.ReactNode }) {
  const slug = useSlug()
  const wanted = claim.resolution_preference
  return (
    <header className="claim-head">
      <div className="stack claim-head-words">
        <div className="row">
          <h2 id="claim-title">{titleOf(claim)}</h2>
          <StatusBadge status={claim.status} />
          {claim.withdrawal?.is_late && <Badge tone="late">{t('claims.withdrawal.late')}</Badge>}
          <PendingDecision claim={claim} mayAct={mayAct} />
        </div>
        <p className="soft">
          {rich('claims.from', {
            name: claim.customer_name ?? t('claims.no_customer'),
            order: (
              <Link to="/$slug/orders/$orderId" params={{ slug, orderId: claim.order_id }}>
                {claim.order_number}
              </Link>
            ),
            time: <RelativeTime at={claim.created_at} />,
          })}
          {wanted && ` ${t(`claims.wants.${wanted}`)}`}
        </p>
      </div>
      {children}
    </header>
  )
}

/** The reply while it is written. It stays in this browser until it is sent with a decision. */
function useAnswer(claim: Claim) {
  const stored = claim.pending_decision?.reply ?? claim.reply ?? ''
  const [typed, setTyped] = useState(() => readDraft(claim.uuid))
  const text = typed ?? stored
  const reply = text.trim() === '' ? null : text.trim()
  return {
    text,
    /** Undefined: nothing new to say. */
    reply: reply === claim.reply ? undefined : reply,
    write(text: string) {
      setTyped(text)
      keepDraft(claim.uuid, text === stored ? undefined : text)
    },
  }
}
