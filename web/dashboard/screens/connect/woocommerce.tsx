import { t } from '../../texts/texts.ts'
import { arrivedWords } from './arrived.tsx'
import type { ShopSystem } from './data.ts'
import { isReachable, storeWords } from './store-words.ts'
import { SystemPage } from './system-page.tsx'
import { WooCommerceApproval } from './woocommerce-approval.tsx'
import { WooCommerceWebhooks } from './woocommerce-webhooks.tsx'

export function WooCommerce() {
  return <SystemPage name="woocommerce" steps={stepsOf} />
}

function stepsOf(system: ShopSystem) {
  const { checked_at: listedAt, disabled, missing } = system.webhooks
  const isHeard = system.last_ping_at !== null || system.last_received_at !== null
  return [
    {
      name: 'key',
      title: t('connect.woocommerce.key'),
      isDone: isReachable(system),
      isWrong: system.has_credentials && system.problem !== null && system.problem.key !== 'webhooks_disabled',
      summary: storeWords(system) ?? t('connect.woocommerce.key_summary'),
      children: <WooCommerceApproval system={system} />,
    },
    {
      name: 'webhooks',
      title: t('connect.woocommerce.webhooks'),
      isDone: listedAt === null ? isHeard : !missing.some(isOfOrders) && disabled.length === 0,
      isWrong: disabled.length > 0,
      summary: arrivedWords(system) ?? t('connect.woocommerce.webhooks_summary'),
      children: <WooCommerceWebhooks system={system} />,
    },
  ]
}

function isOfOrders(topic: string): boolean {
  return topic.startsWith('order.')
}
