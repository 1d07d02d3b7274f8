import { namedHours } from '../../customer-view/order-page/opening-hours.ts'
import type { PickupPlace, ShownParcel } from '../../customer-view/order-page/parcels.ts'
import { progressOf } from '../../customer-view/order-page/progress.ts'
import { formatsFor } from '../../platform/foundation/formats.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import type { Viewer } from '../viewer.ts'
import { type Reading, whenOf, wordsFor } from './headline.ts'
import { renderGoods } from './render-goods.ts'
import { renderTimeline } from './render-timeline.ts'

export interface ParcelView {
  reading: Reading
  parcel: ShownParcel
  name: string
  currency: string
  /** True if the top of the page does not show it. */
  hasProgress: boolean
}

/** Everything known about one parcel. */
export function renderParcel(view: ParcelView): Html {
  const { reading, parcel } = view
  return html`
    <div class="parcel">
      ${view.hasProgress ? renderSteps(reading.viewer, parcel) : undefined}
      ${view.hasProgress ? renderWhen(reading, parcel) : undefined}
      ${renderFacts(view)}
      ${renderPickup(reading.viewer, parcel)}
      ${renderProducts(view)}
      ${renderTimeline(reading, parcel)}
    </div>`
}

/** The name of a parcel and its status. */
export function renderParcelHead({ reading, parcel, name }: ParcelView): Html {
  const { texts } = reading.viewer
  const event_status = parcel.isHandedOver ? texts.say('parcel.sent') : wordsFor(reading, parcel).event_status
  return html`
    <h3>${name}</h3>
    <span class="flag ${parcel.flag}">${event_status}</span>`
}

/** The progress steps; completed ones are also announced to screen readers. */
export function renderSteps({ texts }: Viewer, parcel: ShownParcel): Html | undefined {
  const progress = progressOf(parcel)
  if (progress === undefined) return undefined
  const steps = progress.steps.map((step, index) => {
    const isNow = index === progress.at
    const state = index < progress.at ? 'done' : isNow ? 'now' : 'later'
    const said =
      isNow || state === 'later' ? undefined : html`<span class="unseen"> (${texts.say('steps.done')})</span>`
    return html`
      <li class="${state}"${isNow ? html` aria-current="step"` : undefined}>
        <span>${texts.say(`steps.${step}`)}${said}</span>
      </li>`
  })
  return html`<ol class="steps ${parcel.flag}" aria-label="${texts.say('steps.label')}">${steps}</ol>`
}

function renderWhen(reading: Reading, parcel: ShownParcel): Html | undefined {
  const when = whenOf(reading, parcel)
  return when === undefined ? undefined : html`<p class="soft">${when}</p>`
}

function renderFacts({ reading: { viewer }, parcel }: ParcelView): Html | undefined {
  const { texts } = viewer
  if (parcel.isDraft) {
    const state = parcel.isHandedOver ? 'parcel.no_number' : 'parcel.not_sent'
    return parcel.phase === 'order_cancelled' ? undefined : html`<p class="soft">${texts.say(state)}</p>`
  }
  const { carrierName, carrierLink, trackingNumber } = parcel
  const carrier =
    carrierName === undefined
      ? undefined
      : html`
          <div>
            <dt>${texts.say('parcel.carrier')}</dt>
            <dd>${carrierName}</dd>
          </div>`
  const label =
    carrierName === undefined
      ? texts.say('parcel.follow_unnamed')
      : texts.say('parcel.follow', { carrier: carrierName })
  const link = carrierLink === undefined ? undefined : html`<p><a href="${carrierLink}" rel="noopener">${label}</a></p>`
  return html`
    <dl class="facts">
      ${carrier}
      <div>
        <dt>${texts.say('parcel.tracking_number')}</dt>
        <dd class="number">${trackingNumber ?? ''}</dd>
      </div>
      ${renderProof(viewer, parcel)}
    </dl>
    ${link}`
}

/** The person who took it, the time and the place, as the carrier reports them. */
function renderProof({ texts, language }: Viewer, { proof, timeZone }: ShownParcel): Html[] {
  if (proof === undefined) return []
  const formats = formatsFor(language, timeZone)
  const facts = [
    ['proof.time', `${formats.day(proof.time)}, ${formats.time(proof.time)}`],
    ['proof.received_by', proof.receivedBy],
    ['proof.place', proof.place],
  ] as const
  const known = facts.filter(([, value]) => value !== null)
  return known.map(
    ([key, value]) => html`
      <div>
        <dt>${texts.say(key)}</dt>
        <dd>${value ?? ''}</dd>
      </div>`,
  )
}

function renderProducts({ reading: { viewer }, parcel, currency }: ParcelView): Html | undefined {
  if (parcel.products === undefined || parcel.products.length === 0) return undefined
  return html`
    <section class="stack">
      <h3>${viewer.texts.say(parcel.isDraft ? 'order.products' : 'parcel.products')}</h3>
      ${renderGoods({ viewer, currency, products: parcel.products })}
    </section>`
}

/** Shown while the parcel waits there, or after it was left there. */
function renderPickup(viewer: Viewer, parcel: ShownParcel): Html | undefined {
  const { pickup, phase } = parcel
  if (
    pickup === undefined ||
    parcel.isReturn ||
    !['collect', 'delivered', 'in_delivery', 'in_transit'].includes(phase)
  ) {
    return undefined
  }
  if (phase === 'delivered' && pickup.type !== 'neighbor') return undefined
  const { texts } = viewer
  const until =
    pickup.until === undefined
      ? undefined
      : html`<p>${texts.say('pickup.until', { day: formatsFor(viewer.language, parcel.timeZone).day(pickup.until) })}</p>`
  const name = pickup.name === undefined ? undefined : html`<p><strong>${pickup.name}</strong></p>`
  const link =
    pickup.link === undefined
      ? undefined
      : html`<p><a href="${pickup.link}" rel="noopener">${texts.say('pickup.details')}</a></p>`
  return html`
    <section class="card pickup">
      <h3>${texts.say(`pickup.${pickup.type}`)}</h3>
      <div>
        ${name}
        ${pickup.lines.map((line) => html`<p>${line}</p>`)}
        ${until}
      </div>
      ${renderHours(viewer, pickup)}
      ${link}
    </section>`
}

function renderHours(viewer: Viewer, { hours }: PickupPlace): Html | undefined {
  if (hours.length === 0) return undefined
  const rows = namedHours(viewer.language, hours).map(
    ([day, times]) => html`
      <dt>${day}</dt>
      <dd>${times}</dd>`,
  )
  return html`
    <div>
      <h4 class="soft small">${viewer.texts.say('pickup.hours')}</h4>
      <dl class="hours">${rows}</dl>
    </div>`
}
