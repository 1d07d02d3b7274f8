import { t } from '../../texts/texts.ts'
import { arrivedWords } from './arrived.tsx'
import type { ShopSystem } from './data.ts'
import { isReachable, storeWords } from './store-words.ts'
import { SystemPage } from './system-page.tsx'
import { WooCommerceKey } from './woocommerce-key.tsx'
import { WooCommerceWebhooks } from './woocommerce-webhooks.tsx'

export function WooCommerce() {
  return <SystemPage name="woocommerce" steps={stepsOf} />
}

function stepsOf(system: ShopSystem) {
  return [
    {
      name: 'webhooks',
      title: t('connect.woocommerce.webhooks'),
      isDone: system.last_ping_at !== null || system.last_received_at !== null,
      summary: arrivedWords(system) ?? t('connect.woocommerce.webhooks_summary'),
      children: <WooCommerceWebhooks system={system} />,
    },
    {
      name: 'key',
      title: t('connect.woocommerce.key'),
      isDone: isReachable(system),
      isWrong: system.has_credentials && system.state === 'failing',
      summary: storeWords(system) ?? t('connect.woocommerce.key_summary'),
      children: <WooCommerceKey system={system} />,
    },
  ]
}
