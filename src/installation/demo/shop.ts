import { updateDeliveryTarget } from '../../figures/delivery-times/operations.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { replaceCalendarSettings } from '../../shops/calendar/operations.ts'
import { updateBrandPalette } from '../../shops/settings/operations.ts'
import type { BrandPalette } from '../../shops/settings/palette.ts'
import { createShop, updateShopBySlug } from '../../shops/shops/operations.ts'
import type { ShopCreation } from '../../shops/shops/schema.ts'
import { findShopIdentity } from '../../shops/shops/store.ts'
import type { DemoParts } from './parts.ts'
import { perform } from './perform.ts'

export const slug = 'demo'
export const shopUrl = 'https://river-and-pine.example'

const riverAndPine: ShopCreation = {
  name: 'River & Pine',
  slug,
  description: 'Outdoor clothing that lasts. A demo shop: its customers, orders and parcels are invented.',
  organization: 'River & Pine Outdoor',
  language: 'en',
  contact_email: 'hello@river-and-pine.example',
  contact_phone: '+49 30 23125 042',
  industry: 'clothing_and_accessories',
  shop_provider: 'api',
  shop_url: shopUrl,
  shop_faq_url: `${shopUrl}/faq`,
  shop_service_url: `${shopUrl}/service`,
}

/** Pine green and river blue, dark enough to be readable on every light background. */
const palette: BrandPalette = {
  primary_dark: '#1E4637',
  primary_light: '#DCEBE2',
  secondary_dark: '#1D4A63',
  secondary_light: '#DDEBF2',
  background: '#FFFFFF',
  surface: '#F6F4EE',
}

/** Creates the empty shop. */
export async function openShop(context: Context): Promise<ShopContext['shop']> {
  await perform(context, createShop, riverAndPine)
  const shop = await findShopIdentity(context, slug)
  if (shop === undefined) throw new Error('the demo shop is not there after it was made')
  return shop
}

export async function paintShop(context: ShopContext, { pictures }: DemoParts): Promise<void> {
  await perform(context, updateBrandPalette, palette)
  await perform(context, updateShopBySlug, { logo_url: pictures.logoUrl })
}

export async function setTarget(context: ShopContext): Promise<void> {
  await perform(context, updateDeliveryTarget, { days: 4, unit: 'business', since: 'placed' })
  const year = context.now.getUTCFullYear()
  const closed_days = [
    { date: `${year}-12-24`, name: 'Christmas Eve' },
    { date: `${year}-12-31`, name: 'Stocktaking' },
  ]
  // Demo parcels move on Saturdays too.
  await perform(context, replaceCalendarSettings, { weekend: [7], closed_days, open_days: [] })
}
