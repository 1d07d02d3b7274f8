import { useEffect, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { t } from '../../texts/texts.ts'
import { undoMs, useDecide } from './decide.ts'
import type { Claim } from './query.ts'

/** "Accepted in 7 s", with undo; nothing if no decision is pending. */
export function PendingDecision({ claim, mayAct }: { claim: Claim; mayAct: boolean }) {
  const { undo } = useDecide()
  const pending = claim.pending_decision
  const seconds = useSecondsUntil(pending?.takes_effect_at)
  if (pending === null) return null
  return (
    <span className="row tight claim-pending">
      <span className="number">
        {seconds > 0 ? t(`claims.pending.${pending.status}`, { seconds }) : t('claims.taking_effect')}
      </span>
      {mayAct && seconds > 0 && (
        <Button isSmall variant="quiet" icon="undo" onClick={() => undo([claim])}>
          {t('kit.undo')}
        </Button>
      )}
    </span>
  )
}

/** The clock of this machine may be wrong: it is never more than the whole time. */
function useSecondsUntil(moment: string | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (moment === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [moment])
  if (moment === undefined) return 0
  return Math.min(undoMs / 1_000, Math.max(0, Math.ceil((Date.parse(moment) - now) / 1_000)))
}
