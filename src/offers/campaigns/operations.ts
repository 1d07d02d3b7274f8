import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { created, operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { instant, NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { isDuplicate } from '../../platform/store/errors.ts'
import { announceOffers } from '../../shops/offer-versions/store.ts'
import { discountNotFound } from '../discounts/schema.ts'
import { lockDiscount } from '../discounts/store.ts'
import { auditedCampaign } from './audit.ts'
import { findOpenTestOf } from './open-test-store.ts'
import { toCampaign } from './present.ts'
import { campaignNotFound, checkPeriod, promotionTypeOf, propertiesOf } from './rules.ts'
import {
  Campaign,
  CampaignFilter,
  CampaignSwitch,
  type CampaignWrite,
  CampaignWrite as CampaignWriteSchema,
} from './schema.ts'
import {
  type CampaignRow,
  deleteCampaign,
  findCampaign,
  findRival,
  insertCampaign,
  listCampaigns,
  type StoredCampaign,
  updateCampaign,
} from './store.ts'

export const createCampaign = operation({
  name: 'createCampaign',
  summary: 'Create a campaign',
  description:
    'One enabled campaign is shown for a segment, promotion type and period. Campaigns that an A/B test compares need not be enabled: the test shows them.',
  area: 'Campaigns',
  route: 'POST /v1/shops/{slug}/campaigns',
  needs: 'editor',
  body: CampaignWriteSchema,
  reply: Campaign,
  errors: ['campaign_exists', 'campaign_active_segment_exists', 'campaign_type_invalid', 'discount_not_found'],
  audit: auditedCampaign,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      const campaign: CampaignRow = {
        shop_id: context.shop.id,
        id: newId(context.now),
        ...required(body),
        enabled: body.enabled ?? false,
        start_date: body.start_date ? instant(body.start_date) : context.now,
        end_date: body.end_date ? instant(body.end_date) : null,
        discount_id: body.discount_id ?? null,
        created_at: context.now,
        updated_at: context.now,
        deleted_at: null,
      }
      await check(context, campaign)
      if (!(await insertCampaign(context, campaign))) throw exists(campaign.name)
      const stored = await getCampaign(context, campaign.id)
      return created(`/v1/shops/${context.shop.slug}/campaigns/${campaign.id}`, toCampaign(context, stored))
    }),
})

export const searchCampaigns = operation({
  name: 'searchCampaigns',
  summary: 'Search campaigns',
  description: 'Newest first. Texts are in the language of Accept-Language, if there is a translation.',
  area: 'Campaigns',
  route: 'GET /v1/shops/{slug}/campaigns',
  needs: 'viewer',
  query: CampaignFilter,
  reply: PageOf(Campaign),
  async handle(context, { query }) {
    const page = await listCampaigns(context, query)
    return { ...page, items: page.items.map((stored) => toCampaign(context, stored)) }
  },
})

export const getCampaignById = operation({
  name: 'getCampaign',
  summary: 'Get a campaign',
  area: 'Campaigns',
  route: 'GET /v1/shops/{slug}/campaigns/{uuid}',
  needs: 'viewer',
  reply: Campaign,
  errors: ['campaign_not_found'],
  async handle(context, { path }) {
    return toCampaign(context, await getCampaign(context, path.uuid))
  },
})

export const changeCampaign = operation({
  name: 'updateCampaign',
  summary: 'Update a campaign',
  description:
    'The required fields are replaced. Of the others, absent ones stay as they are, and null empties end_date and discount_id.',
  area: 'Campaigns',
  route: 'PUT /v1/shops/{slug}/campaigns/{uuid}',
  needs: 'editor',
  body: CampaignWriteSchema,
  reply: Campaign,
  errors: [
    'campaign_not_found',
    'campaign_exists',
    'campaign_active_segment_exists',
    'campaign_type_invalid',
    'discount_not_found',
  ],
  audit: auditedCampaign,
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      const { discount: _discount, ...known } = await getCampaign(context, path.uuid)
      const campaign: CampaignRow = {
        ...known,
        ...required(body),
        enabled: body.enabled ?? known.enabled,
        start_date: body.start_date ? instant(body.start_date) : known.start_date,
        end_date: body.end_date ? instant(body.end_date) : body.end_date === null ? null : known.end_date,
        discount_id: body.discount_id === undefined ? known.discount_id : body.discount_id,
        updated_at: context.now,
      }
      await checkOpenTest(context, known, campaign)
      await check(context, campaign)
      try {
        await updateCampaign(context, campaign.id, campaign)
      } catch (error) {
        if (isDuplicate(error, 'campaigns_name')) throw exists(campaign.name)
        throw error
      }
      return toCampaign(context, await getCampaign(context, campaign.id))
    }),
})

export const switchCampaign = operation({
  name: 'updateCampaignState',
  summary: 'Enable or disable a campaign',
  description: 'Everything else about it stays as it is.',
  area: 'Campaigns',
  route: 'PATCH /v1/shops/{slug}/campaigns/{uuid}',
  needs: 'editor',
  body: CampaignSwitch,
  reply: Campaign,
  errors: ['campaign_not_found', 'campaign_active_segment_exists'],
  audit: auditedCampaign,
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      const { discount, ...known } = await getCampaign(context, path.uuid)
      const campaign: CampaignRow = { ...known, enabled: body.enabled, updated_at: context.now }
      await checkRival(context, campaign)
      await updateCampaign(context, campaign.id, { enabled: campaign.enabled, updated_at: campaign.updated_at })
      return toCampaign(context, { ...campaign, discount })
    }),
})

export const removeCampaign = operation({
  name: 'deleteCampaign',
  summary: 'Delete a campaign',
  description: 'It is no longer shown, and its name is free again. Results of tests that compared it stay.',
  area: 'Campaigns',
  route: 'DELETE /v1/shops/{slug}/campaigns/{uuid}',
  needs: 'editor',
  reply: NullReply,
  errors: ['campaign_not_found'],
  audit: auditedCampaign,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      if (!(await deleteCampaign(context, path.uuid))) throw campaignNotFound(path.uuid)
      return null
    }),
})

function required(body: CampaignWrite) {
  const type = promotionTypeOf(body.promotion_type)
  return {
    name: body.name,
    segment: body.segment,
    promotion_type: type,
    promotion_properties: propertiesOf(type, body.promotion_properties),
  }
}

async function check(context: ShopContext, campaign: CampaignRow): Promise<void> {
  checkPeriod({ start: campaign.start_date, end: campaign.end_date })
  if (campaign.discount_id !== null && (await lockDiscount(context, campaign.discount_id)) === undefined) {
    throw discountNotFound(campaign.discount_id)
  }
  await checkRival(context, campaign)
}

async function checkRival(context: ShopContext, campaign: CampaignRow): Promise<void> {
  const rival = campaign.enabled ? await findRival(context, campaign) : undefined
  if (rival !== undefined) {
    throw new ApiError(
      'campaign_active_segment_exists',
      `The ${campaign.promotion_type} campaign ${JSON.stringify(rival.name)} is enabled for the segment ${JSON.stringify(campaign.segment)} in this period. Disable it, or choose another period.`,
    )
  }
}

/** A test compares campaigns of one segment and type; until it is over, those of its campaigns cannot change. */
async function checkOpenTest(context: ShopContext, known: CampaignRow, next: CampaignRow): Promise<void> {
  const changed = (['promotion_type', 'segment'] as const).find((name) => known[name] !== next[name])
  const test = changed && (await findOpenTestOf(context, known.id))
  if (changed && test) {
    const sentence = `must stay ${known[changed]} while the A/B test ${JSON.stringify(test.name)} is not over`
    throw invalid(['body', changed], sentence, 'campaign_type_invalid')
  }
}

async function getCampaign(context: ShopContext, id: string): Promise<StoredCampaign> {
  const campaign = await findCampaign(context, id)
  if (campaign === undefined) throw campaignNotFound(id)
  return campaign
}

function exists(name: string): ApiError {
  return new ApiError('campaign_exists', `This shop has a campaign ${JSON.stringify(name)} already.`)
}
