import { Component, make } from './element.ts'
import { call, Failure, type Settings, type TextName } from './service.ts'
import { trackingStyle } from './style.ts'

/** The part of `lookUpFromWidget` that the component uses. */
interface LookedUpOrder {
  title: string
  when: string | null
  text: string
  promise: string | null
  parcels: { title: string; when: string | null; carrier_name: string | null }[]
  page_url: string
}

const messages = ['lead', 'missing_number', 'missing_proof', 'not_found', 'wait', 'failed', 'loading'] as const

/**
 * The customer's view of an order: `<doorstep-tracking shop="…" key="…">`. Asks for the number and for the zip code or
 * e-mail address, as the look-up page does, and shows the result in place of the form.
 */
export class DoorstepTracking extends Component {
  static readonly observedAttributes = ['shop', 'key', 'language']

  constructor() {
    super(trackingStyle)
  }

  protected async fill(content: HTMLElement, settings: Settings, signal: AbortSignal): Promise<boolean> {
    content.replaceChildren(new Lookup(settings, (body) => this.#lookUp(settings, body, signal)).card)
    return true
  }

  #lookUp({ language }: Settings, body: object, signal: AbortSignal): Promise<LookedUpOrder> {
    return call(this.caller, 'embedding/lookup', { body: { ...body, language }, signal })
  }
}

/** The form and its result. */
class Lookup {
  readonly card: HTMLElement
  readonly #texts: Settings['texts']
  readonly #send: (body: object) => Promise<LookedUpOrder>
  readonly #note: HTMLElement
  readonly #number = field('number')
  readonly #proof = field('proof')
  readonly #form: HTMLFormElement
  #result: HTMLElement | undefined
  #isBusy = false

  constructor({ texts }: Settings, send: (body: object) => Promise<LookedUpOrder>) {
    this.#texts = texts
    this.#send = send
    this.#note = make('p', { id: 'note', role: 'status' }, texts.lead)
    const room = messages.map((name) => make('p', { class: 'away', 'aria-hidden': 'true' }, texts[name]))
    this.#form = make(
      'form',
      { novalidate: '', 'aria-labelledby': 'title' },
      make('h2', { id: 'title' }, texts.title),
      make('div', { class: 'note' }, ...room, this.#note),
      make('div', {}, make('label', { for: 'number' }, texts.number), this.#number),
      make('div', {}, make('label', { for: 'proof' }, texts.proof), this.#proof),
      make('button', {}, texts.submit),
    )
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#submit()
    })
    this.card = make('div', { class: 'card', part: 'card' }, this.#form)
  }

  async #submit(): Promise<void> {
    if (this.#isBusy) return
    const [number, proof] = [this.#number.value.trim(), this.#proof.value.trim()]
    this.#number.setAttribute('aria-invalid', String(number === ''))
    this.#proof.setAttribute('aria-invalid', String(proof === ''))
    if (number === '') return this.#reject('missing_number', this.#number)
    if (proof === '') return this.#reject('missing_proof', this.#proof)
    this.#isBusy = true
    this.#say('loading')
    try {
      this.#show(await this.#send({ order_number: number, email_or_zip: proof }))
    } catch (error) {
      const status = error instanceof Failure ? error.status : undefined
      this.#reject(status === 404 ? 'not_found' : status === 429 ? 'wait' : 'failed', this.#number)
    } finally {
      this.#isBusy = false
    }
  }

  #say(name: TextName): void {
    this.#note.textContent = this.#texts[name]
    this.#note.classList.toggle('wrong', name !== 'lead' && name !== 'loading')
  }

  #reject(name: TextName, input: HTMLElement): void {
    this.#say(name)
    input.focus()
  }

  #show(order: LookedUpOrder): void {
    const texts = this.#texts
    const title = make('h2', { tabindex: '-1' }, order.title)
    const another = make('button', { class: 'plain', type: 'button' }, texts.another)
    another.addEventListener('click', () => this.#startAgain())
    const { parcels } = order
    const told = make(
      'div',
      // Long results scroll in here, which has to be possible with the keyboard.
      { class: 'told', role: 'region', tabindex: '0', 'aria-label': order.title },
      title,
      ...[order.when, order.text, order.promise].filter((text) => text !== null).map((text) => make('p', {}, text)),
      ...(parcels.length > 1 ? [make('ul', {}, ...parcels.map(parcelItem))] : []),
    )
    const acts = make('div', { class: 'acts' }, make('a', { href: order.page_url }, texts.open_page), another)
    this.#result = make('div', { class: 'result' }, told, acts)
    this.#form.classList.add('away')
    this.card.append(this.#result)
    title.focus()
  }

  #startAgain(): void {
    this.#result?.remove()
    this.#form.classList.remove('away')
    this.#form.reset()
    this.#say('lead')
    this.#number.focus()
  }
}

function parcelItem({ title, when, carrier_name: carrier }: LookedUpOrder['parcels'][number]): HTMLElement {
  const details = [when, carrier].filter((text) => text !== null).join(' · ')
  return make('li', {}, make('h3', {}, title), make('p', { class: 'soft' }, details))
}

function field(id: string): HTMLInputElement {
  return make('input', {
    id,
    name: id,
    required: '',
    maxlength: '320',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-describedby': 'note',
  })
}
