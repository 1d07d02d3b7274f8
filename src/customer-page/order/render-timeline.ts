import type { ShownParcel } from '../../customer-view/order-page/parcels.ts'
import type { StoredEvent } from '../../orders/shipments/store.ts'
import { eventStrings } from '../../platform/catalogue/texts/translate.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import { type Formats, formatsFor } from '../../platform/foundation/formats.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import type { Reading } from './headline.ts'

/** The number of updates shown at once; earlier ones are collapsed. */
const shownEvents = 8

/** The events of a parcel, newest first, by day in its own time zone. */
export function renderTimeline(reading: Reading, parcel: ShownParcel): Html | undefined {
  if (parcel.events.length === 0) return undefined
  const { texts, language } = reading.viewer
  const formats = formatsFor(language, parcel.timeZone)
  const latest = parcel.events.slice(0, shownEvents)
  const earlier = parcel.events.slice(shownEvents)
  const folded =
    earlier.length === 0
      ? undefined
      : html`
          <details class="more" id="earlier-${parcel.id}">
            <summary>${texts.count('parcel.earlier', earlier.length)}</summary>
            ${renderDays(reading, parcel, earlier, formats)}
          </details>`
  return html`
    <section>
      <h3>${texts.say('parcel.history')}</h3>
      <div class="journey">
        ${renderDays(reading, parcel, latest, formats)}
        ${folded}
      </div>
    </section>`
}

function renderDays(reading: Reading, parcel: ShownParcel, events: readonly StoredEvent[], formats: Formats): Html {
  const days: { key: string; first: Date; scans: Html[] }[] = []
  for (const event of events) {
    const time = new Date(event.event_time)
    const key = formats.dayKey(time)
    if (days.at(-1)?.key !== key) days.push({ key, first: time, scans: [] })
    days.at(-1)?.scans.push(renderScan(reading, parcel, event, formats.time(time)))
  }
  const today = formats.dayKey(reading.now)
  const yesterday = formats.dayKey(new Date(reading.now.getTime() - dayMs))
  const { texts } = reading.viewer
  const nameOf = ({ key, first }: { key: string; first: Date }) => {
    if (key === today) return texts.say('order.today')
    return key === yesterday ? texts.say('order.yesterday') : formats.day(first)
  }
  const items = days.map(
    (day) => html`
      <li>
        <h4>${nameOf(day)}</h4>
        <ol class="scans">${day.scans}</ol>
      </li>`,
  )
  return html`<ol class="days">${items}</ol>`
}

function renderScan(reading: Reading, parcel: ShownParcel, event: StoredEvent, time: string): Html {
  const options = { isReturn: parcel.isReturn, shopName: reading.shopName }
  const { list_label } = eventStrings(reading.viewer.language, event.event_key, options)
  const place = placeOf(event)
  return html`
    <li${event === parcel.events[0] ? html` class="latest"` : undefined}>
      <time>${time}</time>
      <p>${list_label}</p>
      ${place === undefined ? undefined : html`<span>${place}</span>`}
    </li>`
}

/** "Hannover, Germany", as far as known. Never a street: at the destination it is the customer's own. */
export function placeOf({ location }: Pick<StoredEvent, 'location'>): string | undefined {
  const city = location?.city
  const country = location?.country ?? location?.country_code
  const known = [city, country].filter((part) => typeof part === 'string' && part !== '')
  return known.length === 0 ? undefined : known.join(', ')
}
