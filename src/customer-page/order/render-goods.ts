import { lineAmount } from '../../orders/orders/amounts.ts'
import type { Product } from '../../orders/orders/parts.ts'
import { money } from '../../platform/foundation/formats.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { pictureAddress } from '../addresses.ts'
import type { Viewer } from '../viewer.ts'

/** More images would make the page heavy; further products are listed as text. */
const shownPictures = 30

export interface Goods {
  viewer: Viewer
  currency: string
  products: readonly Product[]
}

/** Products with image, title and quantity. */
export function renderGoods({ viewer, currency, products }: Goods): Html {
  const items = products.map((product, index) => renderProduct(viewer, currency, product, index < shownPictures))
  return html`<ul class="goods">${items}</ul>`
}

function renderProduct(viewer: Viewer, currency: string, product: Product, hasPicture: boolean): Html {
  const { texts, language } = viewer
  const title = product.title || texts.say('parcel.unnamed_product')
  const quantity = product.quantity ?? 1
  const details = [
    product.variant_title,
    ...(product.properties ?? []).map(({ name, value }) => `${name}: ${value}`),
    quantity === 1 ? undefined : texts.say('parcel.quantity', { quantity }),
  ]
  const address = hasPicture ? pictureAddress(viewer, product.images?.[0]?.src) : undefined
  const amount = lineAmount(product)
  const price = amount ? html`<span class="number">${money(language, amount, currency)}</span>` : undefined
  // The title is next to it, so the image is decorative.
  const picture =
    address === undefined
      ? html`<span class="picture" aria-hidden="true">${title.slice(0, 1).toLocaleUpperCase()}</span>`
      : html`<img class="picture" src="${address}" alt="" width="64" height="64" loading="lazy">`
  return html`
    <li>
      ${picture}
      <div>
        <p class="title">${title}</p>
        <p class="soft small">${details.filter(Boolean).join(' · ')}</p>
      </div>
      ${price}
    </li>`
}
