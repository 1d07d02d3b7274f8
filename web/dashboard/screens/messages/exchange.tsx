import type { Schemas } from 'doorstep-client'
import { useId, useState } from 'react'
import { Badge } from '../../kit/badge.tsx'
import { Code, CopyButton } from '../../kit/copy.tsx'
import { formatDuration } from '../../kit/format.ts'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { reasonHint, reasonWords } from './health.tsx'

export type DeliveryDetail = Schemas['DeliveryDetail']
type Attempt = DeliveryDetail['attempts'][number]
type SentRequest = NonNullable<Attempt['request']>

/** One attempt: how it ended and why, with the request and the response behind a click. */
export function AttemptExchange({ attempt, body, isOpen }: { attempt: Attempt; body: string; isOpen: boolean }) {
  const isFailed = attempt.reason !== null
  return (
    <article className="attempt stack tight" aria-label={t('messages.attempt', { number: attempt.number })}>
      <header className="row apart">
        <div className="row">
          <h3>{t('messages.attempt', { number: attempt.number })}</h3>
          <Badge tone={isFailed ? 'wrong' : 'good'}>{endWords(attempt)}</Badge>
        </div>
        <p className="soft small">
          <RelativeTime at={attempt.started_at} /> · {formatDuration(attempt.duration_ms)}
        </p>
      </header>
      {attempt.reason && (
        <p>
          <strong className="strong">{reasonWords(attempt.reason)}.</strong>{' '}
          {reasonHint(attempt.reason, attempt.request !== null)}
          {attempt.error && attempt.stage !== 'status' && <code className="error-text">{attempt.error}</code>}
        </p>
      )}
      <ExchangeTabs attempt={attempt} body={body} isOpen={isOpen} />
    </article>
  )
}

function endWords({ reason, status_code }: Attempt): string {
  if (status_code !== null) return t('messages.answered', { status: String(status_code) })
  return reason === null ? t('messages.skipped') : t('messages.no_answer')
}

const sides = ['request', 'response'] as const

/** Request and response, side by side if there is space, otherwise below each other. */
function ExchangeTabs({ attempt, body, isOpen }: { attempt: Attempt; body: string; isOpen: boolean }) {
  const [isShown, setShown] = useState(isOpen)
  const id = useId()
  return (
    <div className="stack tight">
      <button
        type="button"
        className="reveal"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? t('messages.hide_exchange') : t('messages.show_exchange')}
      </button>
      <div id={id} className="exchange" hidden={!isShown}>
        {isShown &&
          sides.map((side) => (
            <section key={side} className="stack tight" aria-label={t(`messages.${side}`)}>
              <h4>{t(`messages.${side}`)}</h4>
              {side === 'request' ? (
                <RequestView request={attempt.request} body={body} />
              ) : (
                <ResponseView attempt={attempt} />
              )}
            </section>
          ))}
      </div>
    </div>
  )
}

function RequestView({ request, body }: { request: SentRequest | null; body: string }) {
  if (request === null) return <p className="soft">{t('messages.request_by_adapter')}</p>
  const head = [
    `${request.method} ${request.url}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\n')
  return (
    <>
      {request.changed_since.length > 0 && (
        <p className="small late-text">
          {request.changed_since.map((part) => t(`messages.changed.${part}`)).join(' ')}
        </p>
      )}
      <Copyable label={t('messages.headers')} text={head} />
      <Copyable label={t('messages.body')} text={pretty(body)} copied={body} />
    </>
  )
}

function ResponseView({ attempt }: { attempt: Attempt }) {
  if (attempt.status_code === null) return <p className="soft">{t('messages.no_response')}</p>
  return (
    <>
      <p>
        <strong className="strong number">{attempt.status_code}</strong>
      </p>
      {attempt.answer ? (
        <Copyable label={t('messages.answer')} text={attempt.answer} />
      ) : (
        <p className="soft">{t('messages.empty_answer')}</p>
      )}
    </>
  )
}

/** Text in a box with a button that copies it; the copy is byte for byte the text that was sent. */
export function Copyable({ label, text, copied = text }: { label: string; text: string; copied?: string }) {
  return (
    <div className="copyable">
      <Code label={label}>{text}</Code>
      <CopyButton value={copied} isIconOnly />
    </div>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
