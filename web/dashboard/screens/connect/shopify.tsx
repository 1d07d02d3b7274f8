import { t } from '../../texts/texts.ts'
import { arrivedWords } from './arrived.tsx'
import type { ShopSystem } from './data.ts'
import { ShopifyAccess } from './shopify-access.tsx'
import { ShopifySecret } from './shopify-secret.tsx'
import { ShopifyWebhooks } from './shopify-webhooks.tsx'
import { isReachable, storeWords } from './store-words.ts'
import { SystemPage } from './system-page.tsx'

export function Shopify() {
  return <SystemPage name="shopify" steps={stepsOf} />
}

function stepsOf(system: ShopSystem, goTo: (step: string) => void) {
  const { registered, missing } = system.webhooks
  return [
    {
      name: 'access',
      title: t('connect.shopify.access'),
      isDone: isReachable(system),
      isWrong: system.has_credentials && system.state === 'failing',
      summary: storeWords(system) ?? t('connect.shopify.access_summary'),
      children: <ShopifyAccess system={system} />,
    },
    {
      name: 'webhooks',
      title: t('connect.shopify.webhooks'),
      isDone: registered.length > 0 && missing.length === 0,
      summary:
        registered.length > 0
          ? t('connect.shopify.registered', { count: registered.length, all: registered.length + missing.length })
          : t('connect.shopify.webhooks_summary'),
      children: <ShopifyWebhooks system={system} />,
    },
    {
      name: 'secret',
      title: t('connect.shopify.secret'),
      isDone: system.last_received_at !== null,
      summary: arrivedWords(system) ?? t('connect.shopify.secret_summary'),
      children: <ShopifySecret system={system} onLater={() => goTo('orders')} />,
    },
  ]
}
