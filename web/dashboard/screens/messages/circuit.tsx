import type { Schemas } from 'doorstep-client'
import { Button } from '../../kit/button.tsx'
import { Banner } from '../../kit/problem.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { FailureSentence } from './health.tsx'

interface CircuitBannerProps {
  endpoint: Schemas['WebhookEndpoint']
  circuit: Schemas['EndpointCircuit']
  isTrying: boolean
  onTry: () => void
}

/** The endpoint kept failing, and its messages wait: why, when the next one is tried, and a way to try now. */
export function CircuitBanner({ endpoint: { health }, circuit, isTrying, onTry }: CircuitBannerProps) {
  const isDue = new Date(circuit.next_attempt_at) <= new Date()
  return (
    <Banner tone="wrong" title={t('messages.waiting_title')}>
      <div className="stack">
        <p>
          <FailureSentence health={health} isEndpoint />
        </p>
        <p>
          {t('messages.waiting_text')}{' '}
          {isDue
            ? t('messages.next_try_due')
            : rich('messages.next_try', { time: <RelativeTime at={circuit.next_attempt_at} /> })}
        </p>
        <div className="row">
          <Button icon="send" isBusy={isTrying} onClick={onTry}>
            {t('messages.try_now')}
          </Button>
        </div>
      </div>
    </Banner>
  )
}
