import { type Caller, type Settings, settingsOf } from './service.ts'
import { baseStyle, colorStyle } from './style.ts'

/**
 * The common part of both components. They show their children as a fallback until there is something better, use the
 * shop's texts and colours, and follow their attributes. Nothing is stored in the browser.
 */
export abstract class Component extends HTMLElement {
  readonly #root: ShadowRoot
  readonly #fallback = document.createElement('slot')
  readonly #content = make('div', { class: 'content' })
  readonly #colors = new CSSStyleSheet()
  readonly #space = new CSSStyleSheet()
  #current = new AbortController()
  #isWaiting = false

  constructor(style: CSSStyleSheet) {
    super()
    this.#root = this.attachShadow({ mode: 'open' })
    // Constructed, because a shop's policy may forbid styles in the page.
    this.#root.adoptedStyleSheets = [baseStyle, style, this.#colors, this.#space]
    this.#content.hidden = true
    this.#root.append(this.#content, this.#fallback)
  }

  connectedCallback(): void {
    window.addEventListener('resize', this.#releaseSpace)
    this.#renew()
  }

  disconnectedCallback(): void {
    window.removeEventListener('resize', this.#releaseSpace)
    this.#current.abort()
  }

  attributeChangedCallback(): void {
    this.#renew()
  }

  /** Fills the content; without a result, or if it throws, the fallback is shown. */
  protected abstract fill(content: HTMLElement, settings: Settings, signal: AbortSignal): Promise<boolean>

  protected get caller(): Caller {
    return { shop: this.read('shop'), key: this.read('key') }
  }

  protected read(name: string): string {
    return this.getAttribute(name)?.trim() ?? ''
  }

  /** Its own attribute, or that of the part of the page that it is in. */
  protected get language(): string {
    return this.read('language') || (this.closest<HTMLElement>('[lang]')?.lang ?? '')
  }

  /** Several attributes that change at once are one change. */
  #renew(): void {
    if (this.#isWaiting || !this.isConnected) return
    this.#isWaiting = true
    queueMicrotask(() => {
      this.#isWaiting = false
      void this.#show()
    })
  }

  async #show(): Promise<void> {
    this.#current.abort()
    const current = new AbortController()
    this.#current = current
    const { shop, key } = this.caller
    if (!this.isConnected || shop === '' || key === '') return this.reveal(false)
    try {
      const settings = await settingsOf({ shop, key }, this.language)
      if (current.signal.aborted) return
      this.#colors.replaceSync(colorStyle(settings.colors))
      this.#content.lang = settings.language_tag
      const isFilled = await this.fill(this.#content, settings, current.signal)
      if (!current.signal.aborted) this.reveal(isFilled)
    } catch {
      if (!current.signal.aborted) this.reveal(false)
    }
  }

  /** Shows the content or the fallback, and never becomes smaller by it: content below would move. */
  protected reveal(isContent: boolean): void {
    if (this.#content.hidden !== isContent) return
    this.#space.replaceSync(`:host{min-height:${this.offsetHeight}px}`)
    this.#content.hidden = !isContent
    this.#fallback.hidden = isContent
    this.toggleAttribute('data-ready', isContent)
  }

  /** In another window the old height means nothing. */
  readonly #releaseSpace = (): void => this.#space.replaceSync('')
}

/** An element with its attributes and children; texts are never read as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...children)
  return element
}
