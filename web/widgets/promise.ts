import { Component, make } from './element.ts'
import { fillIn, formatDays, formatLeft, untilNextMinute } from './format.ts'
import { call, type Settings } from './service.ts'
import { promiseStyle } from './style.ts'

/** What it uses of `listDeliveryPromises`. */
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
/** So that not all visitors ask in the same second. */
const maxDelayMs = 3_000
const retryMs = 60_000
/** As many as room is kept for. */
const maxRows = 3

/**
 * When an order would arrive: `<doorstep-promise shop="…" key="…" country="DE" zip="10115" products="SKU-1">`. The time that
 * is left is counted down; after it, the service is asked again.
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

  /** An outdated promise is not shown for longer than the answer takes. */
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
    // What a page shows at first is not announced, only what a visitor has changed by another zip code or product.
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
