import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { hasText, t } from '../../texts/texts.ts'
import { type ShopSystem, useRegisterWebhooks } from './data.ts'

/** Registers the webhooks at Shopify: one press, and a tick for each. */
export function ShopifyWebhooks({ system }: { system: ShopSystem }) {
  const register = useRegisterWebhooks('shopify')
  const { registered, missing, address } = system.webhooks
  const failed = new Map(register.data?.failed.map(({ topic, message }) => [topic, message]))
  return (
    <>
      <p>{t('connect.shopify.webhooks_text')}</p>
      {register.error && <Problem error={register.error} />}
      {failed.size > 0 && (
        <Banner tone="wrong" title={t('connect.shopify.webhooks_failed', { count: failed.size })}>
          <p>{t('connect.shopify.webhooks_failed_text')}</p>
        </Banner>
      )}
      <ul className="ticks" aria-label={t('connect.shopify.webhooks')}>
        {[...registered, ...missing].sort(byImportance).map((topic) => (
          <Topic key={topic} topic={topic} isRegistered={registered.includes(topic)} problem={failed.get(topic)} />
        ))}
      </ul>
      <p className="help">{t('connect.shopify.webhooks_address', { address })}</p>
      {missing.length > 0 &&
        (system.has_credentials ? (
          <div>
            <Button variant="primary" isBusy={register.isPending} onClick={() => register.mutate()}>
              {t(registered.length > 0 ? 'connect.shopify.register_rest' : 'connect.shopify.register')}
            </Button>
          </div>
        ) : (
          <p className="soft">{t('connect.needs_access')}</p>
        ))}
    </>
  )
}

const subjects = ['orders', 'fulfillments', 'fulfillment_events', 'products']

/** Orders first; registering one moves none. */
function byImportance(left: string, right: string): number {
  const rank = (topic: string) => subjects.indexOf(topic.split('/')[0] ?? '')
  return rank(left) - rank(right) || left.localeCompare(right)
}

interface TopicProps {
  topic: string
  isRegistered: boolean
  problem: string | undefined
}

function Topic({ topic, isRegistered, problem }: TopicProps) {
  const key = `connect.topic.${topic.replace('/', '_')}`
  return (
    <li className={isRegistered ? 'ticked' : ''}>
      <span className="tick">{isRegistered && <Icon name="check" />}</span>
      <div>
        {hasText(key) ? t(key) : topic} <code className="soft">{topic}</code>
        <span className="unseen">{t(isRegistered ? 'connect.registered' : 'connect.not_registered')}</span>
        {problem && <p className="field-error">{problem}</p>}
      </div>
    </li>
  )
}
