import type { Context } from '../foundation/operation.ts'
import type { Account, IntegrationName } from '../marketing/integration.ts'
import { findCredentials } from '../resources/integration-keys/store.ts'
import { getTriggerSettings } from '../resources/settings/store.ts'
import { findAdminUrl } from '../resources/shops/store.ts'

/** A shop's account at a marketing system; undefined where no credentials are set. */
export async function accountOf(
  context: Context,
  shopId: string,
  integration: IntegrationName,
): Promise<Account | undefined> {
  const credentials = await findCredentials(context, shopId, integration)
  if (credentials === undefined) return undefined
  const { instance_id, rest_endpoint, portal_id } = (await getTriggerSettings(context, shopId, integration)).extra
  return {
    shopId,
    credentials,
    settings: { instance_id, rest_endpoint, portal_id, shop_admin_url: await findAdminUrl(context, shopId) },
  }
}
