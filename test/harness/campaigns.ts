import { uniqueNumber } from './orders.ts'
import type { ShopCaller } from './shop.ts'

/** A campaign as a merchant sends it. */
export function campaignOf(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: `Campaign ${uniqueNumber()}`,
    segment: 'default',
    promotion_type: 'basic',
    promotion_properties: { title: 'Warm feet', subtitle: 'All winter', cta_label: 'To the socks' },
    ...fields,
  }
}

/** Creates a campaign and returns it. */
export async function createCampaign(shop: ShopCaller, fields: Record<string, unknown> = {}) {
  const { status, body, text } = await shop.post('/campaigns', campaignOf(fields))
  if (status !== 200) throw new Error(text)
  return body
}

/** Creates a test of as many campaigns as there are allocations, none of them enabled. */
export async function createTest(
  shop: ShopCaller,
  allocations: readonly number[] = [50, 50],
  fields: Record<string, unknown> = {},
) {
  const campaigns = []
  for (const allocation of allocations) {
    const { uuid } = await createCampaign(shop, fields.segment ? { segment: fields.segment } : {})
    campaigns.push({ campaign_id: uuid, allocation })
  }
  const test = { name: 'Which one?', segment: 'default', campaign_type: 'basic', campaigns, ...fields }
  const { status, body, text } = await shop.post('/ab-tests', test)
  if (status !== 200) throw new Error(text)
  return body
}
