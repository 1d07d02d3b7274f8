import type { Campaign, CampaignProduct } from '../../offers/campaigns/schema.ts'
import { targetName } from '../../offers/campaigns/targets.ts'
import type { Deal } from '../../offers/deals/schema.ts'
import { formatTag, money } from '../../platform/foundation/formats.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { pictureAddress, webAddress } from '../addresses.ts'
import { linkTo, type Viewer } from '../viewer.ts'

/** The base of the offer links: `/track/<shop>/<token>`. */
export interface OfferPlace {
  viewer: Viewer
  root: string
}

/** The campaign chosen for the customer, rendered by its type. */
export function renderCampaign(place: OfferPlace, campaign: Campaign): Html {
  const { texts } = place.viewer
  const properties = campaign.promotion_properties
  const title = properties.title ? html`<h2>${properties.title}</h2>` : html`<h2>${texts.say('offer.label')}</h2>`
  const cta = properties.cta_url
    ? html`
        <a class="button" href="${goLink(place, campaign, properties.cta_url)}" rel="noopener">
          ${properties.cta_label || texts.say('offer.open')}
        </a>`
    : undefined
  const subtitle = properties.subtitle ? html`<p>${properties.subtitle}</p>` : undefined
  const given = properties.discount_code || campaign.discount?.code
  const code = given
    ? html`
        <p>
          <span class="soft small">${texts.say('offer.code')}</span> <span class="code">${given}</span>
        </p>`
    : undefined
  if ('products' in properties) {
    const items = properties.products.map((product) => renderProduct(place, campaign, product))
    return html`
      <section class="offer product">
        <div class="said">
          ${title}
          ${subtitle}
          <ul class="goods-grid">${items}</ul>
          ${code}
          ${cta}
        </div>
      </section>`
  }
  const image = pictureAddress(place.viewer, properties.image_url)
  const picture =
    image === undefined ? undefined : html`<img src="${image}" alt="" width="640" height="360" loading="lazy">`
  return html`
    <section class="offer ${campaign.promotion_type}">
      ${picture}
      <div class="said">
        ${title}
        ${subtitle}
        ${code}
        ${cta}
      </div>
    </section>`
}

function renderProduct(place: OfferPlace, campaign: Campaign, product: CampaignProduct): Html {
  const { viewer } = place
  const image = pictureAddress(viewer, product.image_url)
  const picture =
    image === undefined
      ? html`<span class="blank"></span>`
      : html`<img src="${image}" alt="" width="300" height="300" loading="lazy">`
  const tag = tagOf(viewer, product)
  const price = product.price ? money(viewer.language, product.price, product.currency) : undefined
  const link = goLink(place, campaign, product.product_url)
  const title = product.title || viewer.texts.say('parcel.unnamed_product')
  return html`
    <li>
      <a href="${link}" rel="noopener">
        ${picture}
        <span class="title">${title}</span>
        ${price === undefined ? undefined : html`<span class="number">${price}</span>`}
        ${tag === undefined ? undefined : html`<span class="tag">${tag}</span>`}
      </a>
    </li>`
}

function tagOf({ texts, language }: Viewer, { discount, category, currency }: CampaignProduct): string | undefined {
  if (discount?.category === 'free_shipping') return texts.say('offer.free_shipping')
  if (discount?.category === 'percentage' && discount.amount) {
    const percent = new Intl.NumberFormat(formatTag(language), { style: 'percent', maximumFractionDigits: 1 })
    return texts.say('offer.discount_percentage', { amount: percent.format(discount.amount / 100) })
  }
  if (discount?.category === 'fixed_amount' && discount.amount) {
    return texts.say('offer.discount_amount', { amount: money(language, discount.amount, currency) })
  }
  return category ? texts.say(`offer.${category}`) : undefined
}

/** A counted link. */
function goLink({ viewer, root }: OfferPlace, campaign: Campaign, target: string): string {
  return linkTo(viewer, `${root}/go/${campaign.uuid}/${targetName(target)}`)
}

export function renderDeals({ viewer }: OfferPlace, deals: readonly Deal[]): Html | undefined {
  if (deals.length === 0) return undefined
  return html`
    <section class="stack">
      <h2>${viewer.texts.say('deals.heading')}</h2>
      <ul class="deals">
        ${deals.slice(0, 6).map((deal) => renderDeal(viewer, deal))}
      </ul>
    </section>`
}

function renderDeal(viewer: Viewer, deal: Deal): Html {
  const { texts } = viewer
  const image = pictureAddress(viewer, deal.brand_image_url)
  const logo = pictureAddress(viewer, deal.brand_logo_url)
  const link = webAddress(deal.cta_url)
  const title = deal.title || deal.discount.title || texts.say('offer.label')
  const open = html`${texts.say('offer.open')}<span class="unseen">: ${title}</span>`
  return html`
    <li class="deal">
      ${image && html`<img src="${image}" alt="" width="630" height="270" loading="lazy">`}
      <div>
        ${logo && html`<img class="logo" src="${logo}" alt="" height="32" loading="lazy">`}
        <h3>${title}</h3>
        ${deal.description ? html`<p class="soft">${deal.description}</p>` : undefined}
        ${deal.discount.code ? html`<p><span class="code">${deal.discount.code}</span></p>` : undefined}
        ${link && html`<a href="${link}" rel="noopener">${open}</a>`}
      </div>
    </li>`
}
