import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea } from '../../kit/field.tsx'
import { t } from '../../texts/texts.ts'
import { useDecide } from './decide.ts'
import { type Claim, nextStatuses, type Status } from './query.ts'

interface BulkProps {
  claims: readonly Claim[]
  onDone: () => void
}

/** The decisions that all selected claims allow, with one reply to every customer if one is written. */
export function BulkDecisions({ claims, onDone }: BulkProps) {
  const { decide } = useDecide()
  const [isWriting, setWriting] = useState(false)
  const possible = (Object.keys(nextStatuses) as Status[]).filter((status) =>
    claims.every((claim) => nextStatuses[claim.status].includes(status)),
  )
  const send = (status: Status, reply?: string) => {
    decide({ claims, status, reply })
    onDone()
  }
  if (possible.length === 0) return <p className="soft">{t('claims.nothing_common')}</p>
  return (
    <>
      {possible.map((status) => (
        <Button key={status} isSmall onClick={() => send(status)}>
          {t(`claims.act.${status}`)}
        </Button>
      ))}
      <Button isSmall icon="note" onClick={() => setWriting(true)}>
        {t('claims.with_answer')}
      </Button>
      {isWriting && (
        <AnswerDialog count={claims.length} possible={possible} onSend={send} onClose={() => setWriting(false)} />
      )}
    </>
  )
}

interface AnswerProps {
  count: number
  possible: readonly Status[]
  onSend: (status: Status, reply: string) => void
  onClose: () => void
}

function AnswerDialog({ count, possible, onSend, onClose }: AnswerProps) {
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  return (
    <Dialog
      title={t('claims.answer_to', { count })}
      onClose={onClose}
      closesLightly={isEmpty}
      actions={possible.map((status) => (
        <Button key={status} disabled={isEmpty} onClick={() => !isEmpty && onSend(status, text.trim())}>
          {t(`claims.act.${status}`)}
        </Button>
      ))}
    >
      <TextArea
        label={t('claims.answer')}
        help={t('claims.answer_help')}
        rows={5}
        maxLength={10_000}
        value={text}
        onChange={setText}
      />
    </Dialog>
  )
}
