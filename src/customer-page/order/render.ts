import { parcelsOf, type ShownParcel } from '../../customer-view/order-page/parcels.ts'
import type { PageOrderRecord } from '../../customer-view/order-page/store.ts'
import type { Announcement } from '../../offers/announcements/schema.ts'
import type { Offers } from '../../offers/decision/schema.ts'
import { hasPlace, stopsOf } from '../../orders/route-map/stops.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { renderClaimStates } from '../claim/state.ts'
import { linkTo, type Viewer } from '../viewer.ts'
import { type Entry, renderEntry } from '../withdrawal/entry.ts'
import { type Headline, headlineOf, promiseOf, type Reading } from './headline.ts'
import { drawMap } from './map.ts'
import { renderGoods } from './render-goods.ts'
import { renderCampaign, renderDeals } from './render-offers.ts'
import { type ParcelView, renderParcel, renderParcelHead, renderSteps } from './render-parcel.ts'
import { placeOf } from './render-timeline.ts'

export interface OrderView {
  reading: Reading
  order: PageOrderRecord
  offers: Offers
  /** The order's path: `/track/<shop>/<token>`. */
  root: string
  /** The way to withdraw from the contract; undefined if there is none. */
  withdrawal?: Entry | undefined
}

/** Up to this number, all undelivered parcels are expanded; above, only the first. */
const openParcels = 3

/** The main part of an order's page. */
export function renderOrder(view: OrderView): { title: string; main: Html } {
  const { reading, order, offers, root } = view
  const { viewer } = reading
  const parcels = parcelsOf(order)
  const headline = headlineOf(reading, parcels, order)
  const place = { viewer, root }
  const aside = [
    offers.campaign ? renderCampaign(place, offers.campaign) : undefined,
    renderDeals(place, offers.deals),
    renderClaims(view, parcels),
    view.withdrawal && renderEntry(viewer, reading.shopName, root, view.withdrawal),
  ].filter((part) => part !== undefined)
  const main = html`
    ${renderHero(view, headline, parcels)}
    ${renderAnnouncements(reading, offers.announcements)}
    <div class="columns${aside.length > 0 ? ' both' : ''}">
      <div>
        ${renderParcels(view, parcels, headline)}
        ${renderMap(viewer, parcels)}
      </div>
      ${aside.length > 0 ? html`<aside>${aside}</aside>` : undefined}
    </div>`
  return { title: headline.title, main }
}

function renderHero({ reading, order }: OrderView, headline: Headline, parcels: readonly ShownParcel[]): Html {
  const { title, when, lead, parcel } = headline
  const { texts } = reading.viewer
  const number = texts.say('order.number', { number: order.order_name || order.order_number })
  const promise = promiseOf(reading, order, parcels, headline)
  return html`
    <section class="hero">
      <p class="number">${number}</p>
      <h1>${title}</h1>
      ${when === undefined ? undefined : html`<p class="when">${when}</p>`}
      ${promise === undefined ? undefined : html`<p class="promise">${promise}</p>`}
      <p class="lead">${lead}</p>
      ${parcel && renderSteps(reading.viewer, parcel)}
    </section>`
}

function renderAnnouncements({ viewer, shopName }: Reading, announcements: readonly Announcement[]): Html | undefined {
  if (announcements.length === 0) return undefined
  const label = viewer.texts.say('order.announcements', { shop: shopName })
  const notes = announcements.slice(0, 5).map(({ text }) => html`<p class="notice">${text}</p>`)
  return html`<section class="notes" aria-label="${label}">${notes}</section>`
}

function renderParcels(view: OrderView, parcels: readonly ShownParcel[], headline: Headline): Html {
  const { reading, order } = view
  const { texts } = reading.viewer
  const currency = order.currency ?? 'EUR'
  const shown = parcels.filter(({ phase }) => phase !== 'order_cancelled' || parcels.length === 1)
  // A single parcel without a product list contains the whole order; for several, it is not known which contains what.
  const isOnlyOne = shown.filter(({ isReturn }) => !isReturn).length === 1
  const views = shown.map(
    (parcel, index): ParcelView => ({
      reading,
      parcel: isOnlyOne && !parcel.isReturn ? { ...parcel, products: parcel.products ?? order.products ?? [] } : parcel,
      name: nameOf(reading.viewer, shown, index),
      currency,
      hasProgress: parcel !== headline.parcel && !parcel.isDraft,
    }),
  )
  const isUntold = shown.length === 0 || shown.some(({ products, isReturn }) => !products && !isReturn)
  const rest =
    !isOnlyOne && order.products?.length && isUntold
      ? html`
          <section class="stack">
            <h2>${texts.say('order.products')}</h2>
            ${renderGoods({ viewer: reading.viewer, currency, products: order.products })}
          </section>`
      : undefined
  const [only] = views
  if (views.length === 1 && only) {
    return html`
      <section class="stack">
        <h2>${only.name}</h2>
        ${renderParcel(only)}
      </section>
      ${rest}`
  }
  const first = Math.max(
    0,
    shown.findIndex(({ phase }) => phase !== 'delivered'),
  )
  const isOpen = ({ parcel }: ParcelView, index: number) =>
    index === first || (shown.length <= openParcels && parcel.phase !== 'delivered')
  const items = views.map((parcel, index) => renderFold(parcel, isOpen(parcel, index)))
  if (items.length === 0) return html`${rest}`
  return html`
    <section class="stack">
      <h2>${texts.say('parcel.heading')}</h2>
      <div class="parcels">${items}</div>
    </section>
    ${rest}`
}

function renderFold(view: ParcelView, isOpen: boolean): Html {
  return html`
    <details class="parcel-fold" id="parcel-${view.parcel.id}"${isOpen ? html` open` : undefined}>
      <summary>${renderParcelHead(view)}</summary>
      ${renderParcel(view)}
    </details>`
}

function nameOf({ texts }: Viewer, parcels: readonly ShownParcel[], index: number): string {
  const parcel = parcels[index]
  if (parcel?.isReturn) return texts.say('parcel.return')
  const outward = parcels.filter(({ isReturn }) => !isReturn)
  if (outward.length === 1) return texts.say(parcel?.isDraft ? 'order.yours' : 'parcel.one')
  const n = parcels.slice(0, index + 1).filter(({ isReturn }) => !isReturn).length
  return texts.say('parcel.nth', { n, count: outward.length })
}

function renderMap({ texts }: Viewer, parcels: readonly ShownParcel[]): Html | undefined {
  const shown =
    parcels.find(({ phase, events }) => phase !== 'delivered' && events.some(hasPlace)) ??
    parcels.find(({ events }) => events.some(hasPlace))
  if (shown === undefined) return undefined
  const stops = stopsOf(shown.events.toReversed(), (event) => (placeOf(event) ?? '').split(',')[0] ?? '')
  const places = [...new Set(stops.map(({ name }) => name).filter((name) => name !== ''))]
  const caption = places.length === 0 ? texts.say('map.title') : texts.say('map.text', { places: places.join(' → ') })
  return html`
    <section class="stack">
      <h2>${texts.say('map.title')}</h2>
      <figure class="map">
        ${drawMap(stops)}
        <figcaption>${caption}</figcaption>
      </figure>
    </section>`
}

/** The claims, and the link to the form. Nothing can be claimed before something was shipped. */
function renderClaims({ reading, order, root }: OrderView, parcels: readonly ShownParcel[]): Html | undefined {
  const { viewer } = reading
  const { texts } = viewer
  const canClaim = parcels.some(({ isDraft }) => !isDraft)
  if (!canClaim && order.claims.length === 0) return undefined
  const states = renderClaimStates(viewer, order.claims, parcels[0]?.timeZone)
  const list =
    order.claims.length === 0
      ? undefined
      : html`
          <h3>${texts.say('claims.yours')}</h3>
          ${states}`
  const start = canClaim
    ? html`<a class="button quiet" href="${linkTo(viewer, `${root}/claim`)}">${texts.say('claims.start')}</a>`
    : undefined
  return html`
    <section class="card stack" id="claims">
      <h2>${texts.say('claims.heading')}</h2>
      <p class="soft">${texts.say('claims.lead')}</p>
      ${list}
      <div>${start}</div>
    </section>`
}
