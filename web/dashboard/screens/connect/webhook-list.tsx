import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { hasText, rich, t } from '../../texts/texts.ts'
import { type ShopSystem, useRegisterWebhooks } from './data.ts'
import { nameOf } from './words.tsx'

/** The webhooks as the system itself lists them, and a button that creates or repairs them. */
export function WooCommerceWebhookList({ system }: { system: ShopSystem }) {
  const register = useRegisterWebhooks('woocommerce')
  const { webhooks } = system
  const topics = [...webhooks.registered, ...webhooks.disabled, ...webhooks.missing].sort()
  const failed = new Map(register.data?.failed.map(({ topic, message }) => [topic, message]))
  const isWhole = webhooks.disabled.length === 0 && webhooks.missing.length === 0
  return (
    <div className="stack">
      <WebhookProblem system={system} />
      {register.error && <Problem error={register.error} />}
      {failed.size > 0 && (
        <Banner tone="wrong" title={t('connect.webhooks.failed', { count: failed.size })}>
          <p>{[...new Set(failed.values())].join(' ')}</p>
        </Banner>
      )}
      {webhooks.checked_at !== null && (
        <ul className="ticks" aria-label={t('connect.woocommerce.webhooks')}>
          {topics.map((topic) => (
            <Topic key={topic} topic={topic} state={stateOf(system, topic)} />
          ))}
        </ul>
      )}
      {webhooks.is_pending && <p className="soft">{t('connect.webhooks.pending')}</p>}
      <div>
        <Button
          variant={isWhole && webhooks.checked_at !== null ? 'secondary' : 'primary'}
          isBusy={register.isPending}
          onClick={() => register.mutate()}
        >
          {t(buttonOf(system))}
        </Button>
      </div>
      {webhooks.checked_at !== null && (
        <p className="help">{rich('connect.webhooks.checked', { time: <RelativeTime at={webhooks.checked_at} /> })}</p>
      )}
    </div>
  )
}

/** A problem with the webhooks of a system: they are disabled, or cannot be read. */
export function WebhookProblem({ system }: { system: ShopSystem }) {
  const { disabled, problem } = system.webhooks
  const name = nameOf(system.name)
  return (
    <>
      {disabled.length > 0 && (
        <Banner tone="wrong" title={t('connect.webhooks.disabled', { system: name })}>
          <p>{t(`connect.webhooks.disabled_text.${system.name === 'shopware' ? 'shopware' : 'other'}`)}</p>
          <p>
            {disabled.map((topic) => (
              <code key={topic} className="scope">
                {topic}
              </code>
            ))}
          </p>
        </Banner>
      )}
      {problem !== null && system.has_credentials && (
        <Banner tone="late" title={t('connect.webhooks.unread', { system: name })}>
          <p>{problem}</p>
        </Banner>
      )}
    </>
  )
}

function buttonOf({ webhooks }: ShopSystem) {
  if (webhooks.disabled.length > 0) return 'connect.webhooks.repair'
  if (webhooks.registered.length === 0) return 'connect.webhooks.create'
  return webhooks.missing.length > 0 ? 'connect.webhooks.create_rest' : 'connect.webhooks.renew'
}

type TopicState = 'sending' | 'disabled' | 'missing'

function stateOf({ webhooks }: ShopSystem, topic: string): TopicState {
  if (webhooks.registered.includes(topic)) return 'sending'
  return webhooks.disabled.includes(topic) ? 'disabled' : 'missing'
}

function Topic({ topic, state }: { topic: string; state: TopicState }) {
  const key = `connect.topic.${topic.replace('.', '_')}`
  return (
    <li className={state === 'sending' ? 'ticked' : ''}>
      <span className="tick">{state === 'sending' && <Icon name="check" />}</span>
      <div>
        {hasText(key) ? t(key) : topic} <code className="soft">{topic}</code>{' '}
        {state === 'sending' ? (
          <span className="unseen">{t('connect.webhooks.state.sending')}</span>
        ) : (
          <span className="soft">{t(`connect.webhooks.state.${state}`)}</span>
        )}
      </div>
    </li>
  )
}
