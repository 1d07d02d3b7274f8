import type { WooCommerceAccount } from '../../adapters/shop-systems/woocommerce/rest-api.ts'
import {
  listWebhooks,
  putWebhook,
  type StoreWebhook,
  type WebhookFailure,
  webhookTopics,
} from '../../adapters/shop-systems/woocommerce/webhooks.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { getInboundSecret } from '../../shops/settings/inbound-secret-store.ts'
import { inboundAddress } from '../shop-systems/register-webhook.ts'
import type { WebhookTopics } from '../shop-systems/webhook-store.ts'
import { wooCommerceCall } from '../shop-systems/woocommerce-account.ts'

/**
 * The webhooks to create or activate. `all`: every topic, each with the current secret; `broken`: those that
 * WooCommerce has disabled; `broken or missing`: also those that are gone. A webhook paused by hand stays paused,
 * except for `all`.
 */
export type WebhookRepair = 'none' | 'broken' | 'broken or missing' | 'all'

export interface PutWebhooks {
  /** Undefined if they could not be read. */
  topics: WebhookTopics | undefined
  failed: (Pick<WebhookFailure, 'key' | 'message'> & { topic: string })[]
  /** The reason why they could not be read. */
  failure: WebhookFailure | undefined
}

/** Reads the webhooks of the store that send to us, and creates or activates those that `repair` names. */
export async function putWooCommerceWebhooks(
  context: ShopContext,
  account: WooCommerceAccount,
  repair: WebhookRepair,
): Promise<PutWebhooks> {
  const call = wooCommerceCall(context, account)
  const address = inboundAddress(context, 'woocommerce')
  const found = await listWebhooks(call, account, address)
  if (found.result === 'failed') return { topics: undefined, failed: [], failure: found }
  const secret = repair === 'none' ? '' : await getInboundSecret(context, context.shop.id)
  const state: WebhookTopics = { sending: [], disabled: [], missing: [] }
  const failed: PutWebhooks['failed'] = []
  let stopped: WebhookFailure | undefined
  for (const topic of webhookTopics) {
    const known = bestOf(found.webhooks, topic)
    if (!isWanted(known, repair)) {
      state[stateOf(known)].push(topic)
      continue
    }
    // Each call may take ten seconds: after one without a response, or without the right, the others are not made.
    const put = stopped ?? (await putWebhook(call, account, { topic, address, secret }, known?.id))
    if (put.result === 'put') {
      state.sending.push(topic)
      continue
    }
    stopped = put
    state[stateOf(known)].push(topic)
    failed.push({ topic, key: put.key, message: put.message })
  }
  return { topics: state, failed, failure: undefined }
}

/** Of several for one topic, one that sends. */
function bestOf(webhooks: StoreWebhook[], topic: string): StoreWebhook | undefined {
  const ofTopic = webhooks.filter((webhook) => webhook.topic === topic)
  return ofTopic.find(({ status }) => status === 'active') ?? ofTopic[0]
}

function stateOf(known: StoreWebhook | undefined): keyof WebhookTopics {
  if (known === undefined) return 'missing'
  return known.status === 'active' ? 'sending' : 'disabled'
}

function isWanted(known: StoreWebhook | undefined, repair: WebhookRepair): boolean {
  if (repair === 'all') return true
  if (repair === 'none') return false
  return known === undefined ? repair === 'broken or missing' : known.status === 'disabled'
}
