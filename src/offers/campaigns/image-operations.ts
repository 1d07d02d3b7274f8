import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { created, operation, type ReplyWithHeaders, type Upload } from '../../platform/foundation/operation.ts'
import { Type } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { imageUrl } from '../../shops/images/address.ts'
import type { ImageType } from '../../shops/images/schema.ts'
import { storeImage } from '../../shops/images/store-image.ts'
import { announceOffers } from '../../shops/offer-versions/store.ts'
import { auditedCampaign } from './audit.ts'
import { toCampaign } from './present.ts'
import { campaignNotFound } from './rules.ts'
import { Campaign, type ContentProperties, type ProductProperties } from './schema.ts'
import { findCampaign, type StoredCampaign, updateCampaign } from './store.ts'

export const uploadCampaignImage = operation({
  name: 'uploadCampaignImage',
  summary: 'Upload the image of a campaign',
  description:
    'For basic campaigns and banners: it becomes their image_url. A product campaign has images of products.',
  area: 'Campaigns',
  route: 'POST /v1/shops/{slug}/campaigns/{uuid}/image',
  needs: 'editor',
  file: 'image',
  reply: Campaign,
  errors: ['campaign_not_found', 'campaign_type_invalid', 'image_media_unsupported'],
  callsOut: true,
  audit: auditedCampaign,
  handle: (context, { path, upload }) =>
    storeImageFor(context, path.uuid, { imageType: 'background', upload }, withImage),
})

export const uploadCampaignProductImage = operation({
  name: 'uploadCampaignProductImage',
  summary: 'Upload the image of a product of a campaign',
  description: 'product_position counts from 0, in the order of the products of the campaign.',
  area: 'Campaigns',
  route: 'POST /v1/shops/{slug}/campaigns/{uuid}/products/{product_position}/image',
  needs: 'editor',
  pathSchemas: { product_position: Type.String({ pattern: '^[0-9]{1,4}$', examples: ['0'] }) },
  file: 'image',
  reply: Campaign,
  errors: ['campaign_not_found', 'campaign_product_not_found', 'image_media_unsupported'],
  callsOut: true,
  audit: { ...auditedCampaign, id: (_context, { path }) => path.uuid },
  handle: (context, { path, upload }) => {
    const position = Number(path.product_position)
    return storeImageFor(context, path.uuid, { imageType: 'product', upload }, (campaign, url) =>
      withProductImage(campaign, position, url),
    )
  },
})

type Placed = (campaign: StoredCampaign, url: string) => ContentProperties | ProductProperties

/** Stores the image and sets its address in the campaign; a campaign without a place for it is rejected first. */
async function storeImageFor(
  context: ShopContext,
  id: string,
  { imageType, upload }: { imageType: ImageType; upload: Upload | undefined },
  place: Placed,
): Promise<ReplyWithHeaders<Campaign>> {
  place(await getCampaign(context, id), '')
  const { bytes } = upload as Upload // a form without the file was rejected before
  const key = await storeImage(context, imageType, async () => bytes)
  const url = imageUrl(context, key)
  const campaign = await inTransaction(context, async (context) => {
    await announceOffers(context)
    const known = await getCampaign(context, id)
    const changes = { promotion_properties: place(known, url), updated_at: context.now }
    await updateCampaign(context, id, changes)
    return { ...known, ...changes }
  })
  return created(`/v1/images/${key}`, toCampaign(context, campaign))
}

function withImage(campaign: StoredCampaign, url: string): ContentProperties {
  if (campaign.promotion_type === 'product') {
    throw invalid(
      ['path', 'uuid'],
      'is a product campaign: send an image for one of its products',
      'campaign_type_invalid',
    )
  }
  return { ...(campaign.promotion_properties as ContentProperties), image_url: url } // stored with this type
}

function withProductImage(campaign: StoredCampaign, position: number, url: string): ProductProperties {
  const properties = campaign.promotion_properties as ProductProperties // others have no products and are rejected
  const products = properties.products ?? []
  if (products[position] === undefined) {
    throw new ApiError('campaign_product_not_found', `The campaign ${campaign.id} has no product at ${position}.`)
  }
  return {
    ...properties,
    products: products.map((product, index) => (index === position ? { ...product, image_url: url } : product)),
  }
}

async function getCampaign(context: ShopContext, id: string): Promise<StoredCampaign> {
  const campaign = await findCampaign(context, id)
  if (campaign === undefined) throw campaignNotFound(id)
  return campaign
}
