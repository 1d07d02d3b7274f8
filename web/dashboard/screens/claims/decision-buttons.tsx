import { useEffect, useRef } from 'react'
import { Button } from '../../kit/button.tsx'
import { isTyping } from '../../kit/list/table.tsx'
import { t } from '../../texts/texts.ts'
import { useDecide } from './decide.ts'
import { type Claim, decisionKeys, nextStatuses, type Status } from './query.ts'

interface DecisionButtonsProps {
  claim: Claim
  /** Undefined: the answer stays as it is. */
  reply: string | null | undefined
  onDecided: () => void
}

/** One press, or one key, decides; undo is offered instead of a question. */
export function DecisionButtons({ claim, reply, onDecided }: DecisionButtonsProps) {
  const { decide } = useDecide()
  const possible = nextStatuses[claim.status]
  const act = (status: Status) => {
    decide({ claims: [claim], status, reply })
    onDecided()
  }
  useDecisionKeys(possible, act)
  if (possible.length === 0) return null
  return (
    <div className="row claim-actions">
      {possible.map((status) => (
        <Button
          key={status}
          variant={status === 'accepted' ? 'primary' : 'secondary'}
          aria-keyshortcuts={decisionKeys[status]}
          onClick={() => act(status)}
        >
          {t(`claims.act.${status}`)} <kbd>{decisionKeys[status]}</kbd>
        </Button>
      ))}
    </div>
  )
}

/** Not while somebody types, and not behind a dialog. */
function useDecisionKeys(possible: readonly Status[], act: (status: Status) => void): void {
  const current = useRef({ possible, act })
  current.current = { possible, act }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return
      if (document.querySelector('dialog[open], [role=menu]') !== null) return
      const { possible, act } = current.current
      const status = possible.find((status) => decisionKeys[status].toLowerCase() === event.key.toLowerCase())
      if (status) act(status)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
