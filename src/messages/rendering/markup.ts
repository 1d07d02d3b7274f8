import type { Html } from '../../platform/foundation/html.ts'
import { findMailGroup } from '../customer-mail/groups.ts'
import type { MailView } from '../customer-mail/view.ts'
import { subjectOf } from './group-words.ts'
import { clip, linkOf } from './reading.ts'

const maxItems = 5

/** schema.org ParcelDelivery, from which mail programs show the delivery by themselves. Undefined without a parcel. */
export function parcelMarkup(view: MailView): Html | undefined {
  const about = findMailGroup(view.group)?.about
  const parcel = subjectOf(view)
  if ((about !== 'parcel' && about !== 'return') || parcel === undefined) return undefined
  const { order, shop, products } = view
  const { destination } = parcel
  const trackingUrl = linkOf(order.trackingUrl)
  const shopUrl = linkOf(shop.url)
  const data = {
    '@context': 'https://schema.org',
    '@type': 'ParcelDelivery',
    deliveryAddress: destination && {
      '@type': 'PostalAddress',
      name: destination.name ?? undefined,
      streetAddress: destination.street ?? undefined,
      postalCode: destination.zip ?? undefined,
      addressLocality: destination.city ?? undefined,
      addressCountry: destination.country ?? undefined,
    },
    expectedArrivalFrom: parcel.expectedFromIso ?? undefined,
    expectedArrivalUntil: parcel.expectedUntilIso ?? undefined,
    provider: parcel.carrier === null ? undefined : { '@type': 'Organization', name: parcel.carrier },
    itemShipped: products.slice(0, maxItems).map(({ title, imageUrl, url }) => ({
      '@type': 'Product',
      name: clip(title, 150),
      image: linkOf(imageUrl),
      url: linkOf(url),
    })),
    partOfOrder: {
      '@type': 'Order',
      orderNumber: order.number,
      merchant: { '@type': 'Organization', name: shop.name, url: shopUrl },
    },
    trackingNumber: parcel.trackingNumber ?? undefined,
    trackingUrl: trackingUrl,
    potentialAction: trackingUrl === undefined ? undefined : { '@type': 'TrackAction', target: trackingUrl },
  }
  // Inside a script element, only these could end it or be read as markup.
  const json = JSON.stringify(data).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return { html: `<script type="application/ld+json">${json}</script>` }
}
