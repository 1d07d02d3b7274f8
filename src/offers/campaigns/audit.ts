import type { ShopContext } from '../../platform/foundation/context.ts'
import { findCampaign } from './store.ts'

/** A campaign in the audit log: its own fields in all languages, without those of its discount. */
export const auditedCampaign = {
  kind: 'campaign',
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const { discount: _discount, ...campaign } = (await findCampaign(context, id)) ?? {}
    return 'name' in campaign ? campaign : undefined
  },
}
