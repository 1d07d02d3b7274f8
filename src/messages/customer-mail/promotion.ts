import type { Campaign } from '../../offers/campaigns/schema.ts'
import { targetName } from '../../offers/campaigns/targets.ts'
import type { Offers } from '../../offers/decision/schema.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { money } from '../../platform/foundation/formats.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { webAddress } from '../../platform/foundation/web-address.ts'
import type { LinkKind } from '../figures/links.ts'
import type { MailView } from './view.ts'

interface Promotion {
  language: Language
  offers: Offers
  unsubscribeUrl: string
  /** The order's page, through which clicks on the campaign are counted; undefined: they are not. */
  countingUrl: string | undefined
  /** The link through which clicks on it are counted, if the shop wants that. */
  counted: (kind: LinkKind, url: string) => string
}

const maxDeals = 6
const maxAnnouncements = 3

/** Campaign, deals and announcements as the order's page shows them; null if there are none. */
export function promotionOf(context: Context, promotion: Promotion): MailView['promotion'] {
  const { offers, unsubscribeUrl, counted } = promotion
  const { publicUrl } = context.services
  const dealUrl = (url: string | undefined) => (url === undefined ? null : counted('deal', url))
  const shown = {
    campaign: offers.campaign && campaignOf(publicUrl, promotion, offers.campaign),
    deals: offers.deals.slice(0, maxDeals).map((deal) => ({
      title: deal.title || deal.discount.title || null,
      text: deal.description,
      imageUrl: pictureUrl(publicUrl, deal.brand_image_url ?? deal.brand_logo_url),
      url: dealUrl(webAddress(deal.cta_url)),
      code: deal.discount.code || null,
    })),
    announcements: offers.announcements.slice(0, maxAnnouncements).map(({ text }) => ({ title: '', text, url: null })),
  }
  const isEmpty = shown.campaign === null && shown.deals.length + shown.announcements.length === 0
  return isEmpty ? null : { ...shown, unsubscribeUrl }
}

type MailPromotion = NonNullable<MailView['promotion']>

function campaignOf(publicUrl: string, promotion: Promotion, campaign: Campaign): MailPromotion['campaign'] {
  const { promotion_properties: properties } = campaign
  const { language, countingUrl } = promotion
  const linkTo = (target: string | null) => {
    const address = webAddress(target)
    if (target === null || address === undefined) return null
    return countingUrl === undefined ? address : `${countingUrl}/go/${campaign.uuid}/${targetName(target)}`
  }
  const products = 'products' in properties ? properties.products : []
  return {
    title: properties.title,
    text: properties.subtitle,
    imageUrl: 'products' in properties ? null : pictureUrl(publicUrl, properties.image_url),
    ctaLabel: properties.cta_label,
    ctaUrl: linkTo(properties.cta_url),
    discountCode: properties.discount_code || campaign.discount?.code || null,
    products: products.map((product) => ({
      title: product.title ?? '',
      variant: null,
      quantity: 1,
      price: product.price ? money(language, product.price, product.currency) : null,
      imageUrl: pictureUrl(publicUrl, product.image_url),
      url: linkTo(product.product_url),
    })),
  }
}

/** The absolute address of a picture: https, or our own however we are reached. Null for others, which clients block. */
export function pictureUrl(publicUrl: string, text: string | null | undefined): string | null {
  const address = webAddress(text)
  if (address === undefined) return null
  return /^https:/i.test(address) || address.startsWith(`${publicUrl}/`) ? address : null
}
