import { findCarrier } from '../../adapters/carriers/find.ts'
import type { FormItem } from '../../claims/claims/form-items.ts'
import type { ClaimableShipment } from '../../claims/claims/form-store.ts'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { typedAddress } from '../../platform/foundation/web-address.ts'
import { linkTo } from '../viewer.ts'
import { itemsOf } from './items.ts'
import { claimableShipments } from './reasons.ts'
import { renderForm } from './render-form.ts'
import { renderClaimStates } from './state.ts'
import type { ClaimFormView, ClaimPageView, FieldName } from './view.ts'

/** The form about one parcel, with problems above it and earlier claims. */
export function renderClaimPage(view: ClaimFormView): Html {
  const { texts, openClaims, reasons } = view
  const isAllTaken = reasons.every((reason) => openClaims.some((claim) => claim.reason === reason))
  const open = html`
    <section class="open" aria-labelledby="open">
      <h2 id="open">${texts.say('claims.open')}</h2>
      ${renderClaimStates(view.viewer, openClaims)}
    </section>`
  return frame(
    view,
    html`
      ${errorSummary(view)}
      ${chosenParcel(view)}
      ${openClaims.length === 0 ? undefined : open}
      ${isAllTaken ? nothing(view, 'all_taken') : renderForm(view)}`,
  )
}

/** The choice of a parcel, for an order with several. */
export function renderParcelChoice(view: ClaimPageView, isUnknown: boolean): Html {
  const { texts, order, viewer, formAddress } = view
  const parcels = claimableShipments(order).map((shipment, index) => {
    // If parcels do not list their contents, it is not known which contains what.
    const known = shipment.products === null ? [] : itemsOf(order, shipment)
    const count = known.reduce((sum, { quantity }) => sum + quantity, 0)
    return html`
      <li>
        <a class="parcel-choice" href="${linkTo(viewer, `${formAddress}?shipment=${shipment.id}`)}">
          <span class="name">${parcelName(view, shipment, index + 1)}</span>
          <span class="hint">${carrierWords(view, shipment)}</span>
          ${count === 0 ? undefined : html`<span class="hint">${texts.count('parcel.items', count)}</span>`}
        </a>
      </li>`
  })
  return frame(
    view,
    html`
      ${isUnknown ? html`<p class="notice wrong" role="alert">${texts.say('parcel.unknown')}</p>` : undefined}
      <section class="parcels-to-choose" aria-labelledby="which">
        <div>
          <h2 id="which">${texts.say('parcel.heading')}</h2>
          <p class="hint">${texts.say('parcel.lead')}</p>
        </div>
        <ul class="choices">${parcels}</ul>
      </section>`,
  )
}

/** Nothing can be claimed yet, or any longer. */
export function renderNothing(view: ClaimPageView, why: 'cancelled' | 'not_sent'): Html {
  return frame(view, nothing(view, why), html``)
}

function nothing({ texts, shop }: ClaimPageView, why: 'cancelled' | 'not_sent' | 'all_taken'): Html {
  const service = typedAddress(shop.shop_service_url) ?? mailTo(shop.contact_email)
  const contact = texts.say('nothing.contact', { shop: shop.name })
  return html`
    <div class="card stack">
      <h2>${texts.say(`nothing.${why}.heading`)}</h2>
      <p>${texts.say(`nothing.${why}.text`)}</p>
      ${service === undefined ? undefined : html`<p><a class="button" href="${service}">${contact}</a></p>`}
    </div>`
}

function mailTo(email: string | null): string | undefined {
  return email ? `mailto:${encodeURIComponent(email)}` : undefined
}

function frame(view: ClaimPageView, body: Html, lead = leadOf(view)): Html {
  const { viewer, texts, orderAddress } = view
  return html`
    <div class="claim-page">
      <p>
        <a class="back" href="${linkTo(viewer, orderAddress)}">
          <span aria-hidden="true">←</span> ${texts.say('back')}
        </a>
      </p>
      <div class="stack intro">
        <h1>${texts.say('title')}</h1>
        ${lead}
      </div>
      ${body}
    </div>`
}

function leadOf({ texts, order }: ClaimPageView): Html {
  return html`<p class="lead">${texts.say('lead', { order: order.order_number })}</p>`
}

function errorSummary({ texts, problems, items }: ClaimFormView): Html | undefined {
  if (problems.length === 0) return undefined
  const links = problems.map(({ field, text }) => html`<li><a href="#${targetOf(field, items)}">${text}</a></li>`)
  const kept = problems.some(({ isLost }) => isLost) ? undefined : html`<p>${texts.say('errors.kept')}</p>`
  return html`
    <div class="errors" id="errors" role="alert" tabindex="-1" autofocus>
      <h2>${texts.count('errors.heading', problems.length)}</h2>
      <ul>${links}</ul>
      ${kept}
    </div>`
}

/** The input that a problem links to; for the items as a whole, the first. */
function targetOf(field: FieldName, items: readonly FormItem[]): string {
  return field === 'items' ? `item-${items[0]?.key}` : field
}

function chosenParcel(view: ClaimFormView): Html {
  const { viewer, texts, shipment, number, formAddress, hasOtherParcels } = view
  const change = html`<a class="change" href="${linkTo(viewer, formAddress)}">${texts.say('parcel.change')}</a>`
  return html`
    <div class="card chosen">
      <div>
        <p class="name">${hasOtherParcels ? parcelName(view, shipment, number) : texts.say('parcel.chosen')}</p>
        <p class="hint">${carrierWords(view, shipment)}</p>
      </div>
      ${hasOtherParcels ? change : undefined}
    </div>`
}

function parcelName({ texts }: ClaimPageView, shipment: ClaimableShipment, number: number): string {
  return texts.say(isReturn(shipment.direction) ? 'parcel.return' : 'parcel.number', { number })
}

function carrierWords({ texts }: ClaimPageView, shipment: ClaimableShipment): string {
  const carrier = findCarrier(shipment.carrier_reference ?? '')?.name ?? shipment.tracking_company
  const tracking = shipment.tracking_number ?? ''
  return carrier ? texts.say('parcel.carrier', { carrier, tracking }) : tracking
}
