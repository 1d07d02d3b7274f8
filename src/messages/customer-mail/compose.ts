import type { Claim } from '../../claims/claims/schema.ts'
import { type MailBehaviour, mailSettings } from '../../credentials/mail-account/settings-store.ts'
import { parcelsOf, type ShownParcel, timeZoneOf } from '../../customer-view/order-page/parcels.ts'
import { type CustomerOrderRecord, findCustomerOrder } from '../../customer-view/order-page/store.ts'
import { compiledOffers } from '../../offers/decision/compiled.ts'
import { decideFor, presentOffers } from '../../offers/decision/decide.ts'
import { lineAmount } from '../../orders/orders/amounts.ts'
import type { Product } from '../../orders/orders/parts.ts'
import { pageAddress } from '../../orders/page-addresses/page-token.ts'
import type { Context, ShopRecord } from '../../platform/foundation/context.ts'
import { formatsFor, money } from '../../platform/foundation/formats.ts'
import { isLanguage, type Language } from '../../platform/foundation/languages.ts'
import { toPersonName } from '../../platform/foundation/mail-address.ts'
import { typedAddress, webAddress } from '../../platform/foundation/web-address.ts'
import { getSettings } from '../../shops/settings/store.ts'
import { findShopById } from '../../shops/shops/find-by-id.ts'
import type { Payload } from '../../webhooks/payloads/payload.ts'
import { countedLink } from '../figures/links.ts'
import { unsubscribeUrl } from '../recipients/unsubscribe.ts'
import { findTemplate } from '../templates/store.ts'
import { claimIn, toMailClaim } from './claim.ts'
import { findMailGroup, type MailGroup } from './groups.ts'
import { toMailParcel } from './parcels.ts'
import { toMailPromise } from './promise.ts'
import { pictureUrl, promotionOf } from './promotion.ts'
import { sampleView } from './samples.ts'
import type { MailParcel, MailProduct, MailView } from './view.ts'

export interface MailToCompose {
  shopId: string
  deliveryId: string
  eventGroup: string
  payload: Payload
  wantsPromotion: boolean
  /** Instead of the page on which this customer stops offers, for previews: a merchant must not open that one. */
  unsubscribeUrl?: string
  /** Instead of the customer's page, for previews that those see who may not open it. */
  trackingUrl?: string
  /** Instead of the customer's, for previews. */
  language?: Language
}

/** Everything that was read for one message. */
interface Subject {
  mail: MailToCompose
  group: MailGroup
  shop: ShopRecord
  order: CustomerOrderRecord
  settings: MailBehaviour
  language: Language
  claim: Claim | undefined
  trackingUrl: string
}

/**
 * Everything that a message about an event shows; undefined: there is nothing to say, such as about an order that was
 * erased meanwhile.
 *
 * The payload is from when the event happened, and a message may have waited or replace earlier ones. So parcels, products
 * and claims are read again, by the one statement that the tracking page uses: a message never contradicts the page that
 * it links to. Name, address and total are the payload's. What is the same for all orders of a shop comes from caches.
 */
export async function composeMail(context: Context, mail: MailToCompose): Promise<MailView | undefined> {
  const { shopId, payload } = mail
  const group = findMailGroup(mail.eventGroup)
  const shop = await findShopById(context, shopId)
  if (group === undefined || shop === undefined) return undefined
  const settings = await mailSettings(context, shopId)
  if (isTest(payload)) return composeTest(context, mail, shop, settings)
  const order = await findCustomerOrder(context, { shopId, orderId: payload.context.order.uuid })
  if (order === undefined) return undefined
  const claim = claimIn(payload)
  const isAboutClaim = group.about === 'claim' || group.about === 'withdrawal'
  if (isAboutClaim && claim === undefined) return undefined
  // Its receipt is a message of its own.
  if (group.name === 'claim_created' && claim?.kind === 'withdrawal') return undefined
  const trackingUrl = mail.trackingUrl ?? pageAddress(context, shop, { orderId: order.id, nonce: order.page_nonce })
  const language = mail.language ?? languageOf(shop, claim)
  return viewOf(context, { mail, group, shop, order, settings, language, claim, trackingUrl })
}

async function viewOf(context: Context, subject: Subject): Promise<MailView> {
  const { mail, group, shop, order, settings, language, claim, trackingUrl } = subject
  const { context: told } = mail.payload
  const { publicUrl } = context.services
  const timeZone = timeZoneOf([], order.country_code)
  const currency = order.currency ?? shop.currency
  const subjectId = mail.payload.event_data.shipment_id ?? claim?.shipment_id
  const all = parcelsOf(order)
  const shown = all.filter(({ id, phase }) => phase !== 'order_cancelled' || id === subjectId || all.length === 1)
  const destination = destinationOf(mail.payload)
  const reader = { language, shopName: shop.name, now: context.now }
  const { palette } = await compiledOffers(context, shop.id, order.offered.version)
  const contents = contentsOf(order, shown, subjectId)
  const stored = claim && order.claims.find(({ id }) => id === claim.uuid)
  const total = told.order.total_order_price
  return {
    group: group.name,
    language,
    shop: shopOf(publicUrl, shop, palette, settings),
    customer: {
      firstName: toPersonName(told.customer.first_name),
      fullName: toPersonName(told.customer.full_name),
    },
    order: {
      number: order.order_number,
      name: order.order_name,
      placedOn: formatsFor(language, timeZone).day(order.order_placed_at),
      total: total === null || total === undefined ? null : money(language, total, currency),
      trackingUrl: countedLink(context, shop, settings, { group: group.name, kind: 'tracking', url: trackingUrl }),
    },
    promise: toMailPromise(
      reader,
      order,
      all,
      all.find(({ id }) => id === subjectId),
    ),
    parcels: shown.map((parcel) => toMailParcel(reader, parcel, { isSubject: parcel.id === subjectId, destination })),
    products: contents.products.map((product) => toMailProduct(publicUrl, language, currency, product)),
    isOneParcelOnly: contents.isOneParcelOnly,
    claim: claim === undefined ? null : toMailClaim(language, claim.withdrawal?.time_zone ?? timeZone, claim, stored),
    promotion: await findPromotion(context, subject),
    template: await findTemplate(context, shop.id, group.name, language),
  }
}

/** A test of the connection names an order that does not exist. */
function isTest(payload: Payload & { test?: boolean }): boolean {
  return payload.test === true
}

async function composeTest(
  context: Context,
  mail: MailToCompose,
  shop: ShopRecord,
  settings: MailBehaviour,
): Promise<MailView> {
  const language = mail.language ?? languageOf(shop, undefined)
  const { palette } = await getSettings(context, shop.id)
  const from = shopOf(context.services.publicUrl, shop, palette, settings)
  return {
    ...sampleView('usual', { group: mail.eventGroup, language, shop: from }),
    template: await findTemplate(context, shop.id, mail.eventGroup, language),
  }
}

/** A withdrawal names the language it was stated in. Orders have none, so the shop's is used. */
function languageOf(shop: ShopRecord, claim: Claim | undefined): Language {
  const stated = claim?.withdrawal?.language ?? ''
  if (isLanguage(stated)) return stated
  return isLanguage(shop.language) ? shop.language : 'en'
}

export function shopOf(
  publicUrl: string,
  shop: ShopRecord,
  palette: Record<string, string>,
  { footer }: Pick<MailBehaviour, 'footer'>,
): MailView['shop'] {
  return {
    name: shop.name,
    url: webAddress(shop.shop_url) ?? null,
    logoUrl: pictureUrl(publicUrl, shop.logo_url),
    palette,
    contactEmail: shop.contact_email,
    contactPhone: shop.contact_phone,
    faqUrl: typedAddress(shop.shop_faq_url) ?? null,
    serviceUrl: typedAddress(shop.shop_service_url) ?? null,
    footer,
  }
}

function destinationOf({ context: { order } }: Payload): MailParcel['destination'] {
  const { address } = order
  if (!address) return null
  return {
    name: address.name ?? null,
    street: address.street ?? address.address_line_1 ?? null,
    zip: address.zip_code ?? null,
    city: address.city ?? null,
    country: address.country ?? address.country_code ?? null,
  }
}

/** The contents of the parcel if there are several, or if it comes back; else the whole order. */
function contentsOf(
  order: CustomerOrderRecord,
  parcels: readonly ShownParcel[],
  subjectId: unknown,
): { products: Product[]; isOneParcelOnly: boolean } {
  const subject = parcels.find(({ id }) => id === subjectId)
  const isPart = subject?.isReturn === true || parcels.filter(({ isReturn }) => !isReturn).length > 1
  const own = isPart ? subject?.products : undefined
  const products = (own ?? order.products ?? []).filter(({ quantity }) => quantity !== 0)
  return { products, isOneParcelOnly: own !== undefined }
}

function toMailProduct(publicUrl: string, language: Language, currency: string, product: Product): MailProduct {
  const amount = lineAmount(product)
  const details = [product.variant_title, ...(product.properties ?? []).map(({ name, value }) => `${name}: ${value}`)]
  return {
    title: product.title ?? '',
    variant: details.filter(Boolean).join(' · ') || null,
    quantity: product.quantity ?? 1,
    price: amount ? money(language, amount, currency) : null,
    imageUrl: pictureUrl(publicUrl, product.images?.[0]?.src),
    url: null,
  }
}

/** Decided as for the order's page, in the language of the message. */
async function findPromotion(context: Context, subject: Subject): Promise<MailView['promotion']> {
  const { mail, group, shop, order, settings, language, trackingUrl } = subject
  const { email } = mail.payload.context.customer
  if (!mail.wantsPromotion || !settings.promotion || !group.mayPromote || email === null) return null
  const offered = { ...order.offered, id: order.id, shop }
  const reader = { ...context, acceptLanguage: language }
  const offers = await presentOffers(reader, offered, await decideFor(reader, offered))
  return promotionOf(context, {
    language,
    offers,
    unsubscribeUrl: mail.unsubscribeUrl ?? unsubscribeUrl(context, shop, email.trim()),
    countingUrl: settings.click_counting ? trackingUrl : undefined,
    counted: (kind, url) => countedLink(context, shop, settings, { group: group.name, kind, url }),
  })
}
