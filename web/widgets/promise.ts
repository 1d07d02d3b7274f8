import { Component, make } from './element.ts'
import { call, type Settings } from './service.ts'
import { promiseStyle } from './style.ts'

/** The part of `listDeliveryPromises` that the component uses. */
interface Promises {
  generated_at: string
  valid_until: string
  promises: DeliveryPromise[]
}

interface DeliveryPromise {
  method: string
  carrier_name: string | null
  order_by: string
  earliest: string
  latest: string
}

/** The clock of a visitor counts unless it is wrong by more than this: replies may have been stored for a minute. */
const maxSkewMs = 300_000
/** Spreads the requests of all visitors over more than one second. */
const maxDelayMs = 3_000
const retryMs = 60_000
/** As many as the placeholder has space for. */
const maxRows = 3

/**
 * The delivery date of an order: `<doorstep-promise shop="…" key="…" country="DE" zip="10115" products="SKU-1">`.
 * It counts down the time that is left to order, and then queries the service again.
 */
export class DoorstepPromise extends Component {
  static readonly observedAttributes = [
    'shop',
    'key',
    'country',
    'zip',
    'products',
    'shipping-class',
    'language',
    'rows',
  ]
  #timer: ReturnType<typeof setTimeout> | undefined
  #said: string | undefined

  constructor() {
    super(promiseStyle)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  protected async fill(content: HTMLElement, settings: Settings, signal: AbortSignal): Promise<boolean> {
    content.firstElementChild?.classList.add('busy')
    return this.#ask(content, settings, signal, false)
  }

  async #ask(content: HTMLElement, settings: Settings, signal: AbortSignal, isFresh: boolean): Promise<boolean> {
    clearTimeout(this.#timer)
    const query = {
      country_code: this.read('country').toUpperCase(),
      zip_code: this.read('zip'),
      products: this.read('products'),
      shipping_class: this.read('shipping-class'),
      language: settings.language,
    }
    const found = await call<Promises>(this.caller, 'delivery-promises', { query, signal, isFresh })
    const skewMs = Date.parse(found.generated_at) - Date.now()
    const now = () => Date.now() + (Math.abs(skewMs) > maxSkewMs ? skewMs : 0)
    const rows = Math.min(maxRows, Math.max(1, Number(this.read('rows')) || 1))
    const shown = found.promises.filter(({ order_by }) => Date.parse(order_by) > now()).slice(0, rows)
    if (signal.aborted) return false
    const draw = shown.length > 0 ? this.#draw(content, settings, shown) : () => {}
    const endsAt = Math.min(...shown.map(({ order_by }) => Date.parse(order_by)), Date.parse(found.valid_until))
    const tick = () => {
      if (signal.aborted) return
      const leftMs = endsAt - now()
      if (leftMs <= 0) return void this.#askAgain(content, settings, signal, Math.random() * maxDelayMs)
      draw(now())
      this.#timer = setTimeout(tick, untilNextMinute(leftMs))
    }
    if (endsAt > now()) tick()
    else void this.#askAgain(content, settings, signal, retryMs)
    return shown.length > 0
  }

  /** An outdated promise is not shown for longer than the response takes. */
  #askAgain(content: HTMLElement, settings: Settings, signal: AbortSignal, delayMs: number): void {
    this.#timer = setTimeout(async () => {
      const isShown = await this.#ask(content, settings, signal, true).catch(() => {
        if (!signal.aborted) this.#askAgain(content, settings, signal, retryMs)
        return false
      })
      if (!signal.aborted) this.reveal(isShown)
    }, delayMs)
  }

  /** Returns what draws the time that is left. It is no part of what is announced, because it changes every minute. */
  #draw(content: HTMLElement, settings: Settings, shown: DeliveryPromise[]): (nowMs: number) => void {
    const list = make('ul')
    const rows = shown.map((promise) => {
      const days = formatDays(settings, promise.earliest, promise.latest)
      const left = make('span')
      const sentence = fillIn(settings.texts.promise, { '{days}': make('strong', {}, days), '{time}': left })
      const method = [promise.method, promise.carrier_name].filter(Boolean).join(' · ')
      list.append(make('li', { part: 'promise' }, make('p', {}, ...sentence), make('p', { class: 'soft' }, method)))
      return { days, left, endsAt: Date.parse(promise.order_by) }
    })
    const saying = rows.map(({ days }) => days).join(', ')
    const status = content.querySelector('[role=status]') ?? make('p', { role: 'status', class: 'unseen' })
    // The first promise of a page is not announced, only one that a visitor changes by another zip code or product.
    if (this.#said !== undefined && this.#said !== saying) status.textContent = saying
    this.#said = saying
    const card = make('div', { class: 'card', part: 'card' }, list)
    // The announcement stays where it is: moved, it would not be read.
    if (status.parentNode === content) content.firstElementChild?.replaceWith(card)
    else content.replaceChildren(card, status)
    return (nowMs) => {
      for (const { left, endsAt } of rows) left.textContent = formatLeft(settings, endsAt - nowMs)
    }
  }
}

/** The days of a promise, such as "Wed 18 – Fri 20 Nov". They are days of the destination, so no time zone matters. */
function formatDays({ language, language_tag: tag }: Settings, earliest: string, latest: string): string {
  const day = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const [from, to] = [new Date(earliest), new Date(latest)]
  if (earliest === latest) return day.format(from)
  const isOneMonth = earliest.slice(0, 7) === latest.slice(0, 7)
  // Intl names the month twice in English, and in some languages the year at its turn.
  if (language === 'en' && isOneMonth) return `${withoutMonth(day.formatToParts(from))} – ${day.format(to)}`
  return isOneMonth ? day.formatRange(from, to) : `${day.format(from)} – ${day.format(to)}`
}

function withoutMonth(parts: Intl.DateTimeFormatPart[]): string {
  const kept = parts.filter(({ type }) => type === 'weekday' || type === 'day')
  return kept.map(({ value }) => value).join(' ')
}

const minuteMs = 60_000

/** The time left, in its two largest units: "3 h 12 min". */
function formatLeft({ texts }: Settings, leftMs: number): string {
  const minutes = Math.floor(leftMs / minuteMs)
  const parts: [text: string, count: number][] = [
    [texts.days, Math.floor(minutes / 1440)],
    [texts.hours, Math.floor(minutes / 60) % 24],
    [texts.minutes, minutes % 60],
  ]
  const shown = (minutes >= 1440 ? parts.slice(0, 2) : parts.slice(1)).filter(([, count]) => count > 0)
  // Spaces that keep a number and its unit on one line.
  return (shown.length > 0 ? shown : [[texts.minutes, 1] as const])
    .map(([text, count]) => text.replace('{count}', String(count)).replaceAll(' ', '\u00a0'))
    .join(' ')
}

/** Until the number of minutes that are left changes. */
function untilNextMinute(leftMs: number): number {
  return leftMs <= minuteMs ? leftMs : (leftMs % minuteMs) + 1
}

/** A text with nodes in the place of its {placeholders}. */
function fillIn(text: string, values: Readonly<Record<string, Node>>): (Node | string)[] {
  return text.split(/(\{\w+\})/).map((part) => values[part] ?? part)
}
