import { checkWooCommerce } from '../../adapters/shop-systems/woocommerce/check.ts'
import type { WooCommerceAccount } from '../../adapters/shop-systems/woocommerce/rest-api.ts'
import { listMasked, putCredentials } from '../../credentials/integration-keys/store.ts'
import type { CheckOutcome } from '../../platform/foundation/connection-check.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { CredentialHostError } from '../../platform/foundation/credential-hosts.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { OutgoingError } from '../../platform/outgoing/errors.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { changesBetween } from '../../shops/audit-log/changes.ts'
import { recordChange } from '../../shops/audit-log/record.ts'
import { wantWebhooks } from '../shop-systems/webhook-store.ts'
import { wooCommerceCall } from '../shop-systems/woocommerce-account.ts'
import type { GrantRow } from './grant-store.ts'
import type { GrantedKey } from './schema.ts'
import { putCheck } from './store.ts'

/**
 * Stores a key that the store accepts at the address that was typed, and has its webhooks created. Returns why not
 * otherwise. The store has created the key before it sends it, so it can be tried at once.
 */
export async function keepGrantedKey(
  context: ShopContext,
  { store_url }: GrantRow,
  { consumer_key, consumer_secret }: GrantedKey,
): Promise<string | undefined> {
  const account = { storeUrl: store_url, consumerKey: consumer_key, consumerSecret: consumer_secret }
  const checked = await tryKey(context, account)
  if (typeof checked === 'string') return checked
  await inTransaction(context, async (context) => {
    const { id } = context.shop
    const before = (await listMasked(context, id)).get('woocommerce')
    const credentials = { store_url, consumer_key, consumer_secret }
    await putCredentials(context, id, 'woocommerce', credentials, { host: null, formerUntil: context.now })
    await putCheck(context, 'woocommerce', checked)
    await wantWebhooks(context, 'woocommerce')
    const after = (await listMasked(context, id)).get('woocommerce')
    await recordChange(context, {
      shopId: id,
      action: 'receiveWooCommerceGrant',
      area: 'Connections',
      kind: 'credentials',
      id: 'woocommerce',
      changes: changesBetween(before, after),
    })
    wakeOnceCommitted(context, 'webhookChecks')
  })
  return undefined
}

async function tryKey(context: ShopContext, account: WooCommerceAccount): Promise<CheckOutcome | string> {
  try {
    const outcome = await checkWooCommerce(wooCommerceCall(context, account), account)
    if (outcome.result === 'ok') return outcome
    return outcome.detail ?? `The store does not accept the key: ${outcome.result}.`
  } catch (error) {
    if (error instanceof OutgoingError || error instanceof CredentialHostError) return error.message
    throw error
  }
}
