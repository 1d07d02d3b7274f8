import type { ShopRecord } from '../platform/foundation/context.ts'
import { type Html, html } from '../platform/foundation/html.ts'
import { type Language, languages, languageTag } from '../platform/foundation/languages.ts'
import type { PageResponse } from '../platform/foundation/page-route.ts'
import { typedAddress } from '../platform/foundation/web-address.ts'
import { pictureAddress, webAddress } from './addresses.ts'
import { type Script, type Style, scriptFolder } from './assets.ts'
import { baseStyle } from './style.ts'
import type { Theme } from './theme.ts'
import type { Viewer } from './viewer.ts'

export interface Layout {
  status?: number
  headers?: Record<string, string>
  /** The title: shown in the tab, and read first by a screen reader. */
  title: string
  viewer: Viewer
  theme: Theme
  /** Absent if there is no such shop. */
  shop: ShopRecord | undefined
  /** The path of this page; the language switch keeps its query. */
  address: string
  main: Html
  /** Attributes of the main element, for the page's script. */
  mainAttributes?: Readonly<Record<string, string>>
  scripts?: readonly Script[]
  styles?: readonly Style[]
  /** Shown within the dashboard: nothing can be followed or focused. */
  isPreview?: boolean
}

/** A complete page with its security headers: the shop's name, the main part, and the footer. */
export function renderLayout(layout: Layout): PageResponse {
  const { viewer, theme, shop, title } = layout
  const styles = [theme.style, baseStyle, ...(layout.styles ?? [])]
  const scripts = layout.scripts ?? []
  const name = shop?.name ?? ''
  const attributes = Object.entries(layout.mainAttributes ?? {}).map(([key, value]) => html` ${key}="${value}"`)
  return {
    status: layout.status ?? 200,
    headers: { 'content-security-policy': policyOf(layout, styles, scripts), ...layout.headers },
    html: html`
      <!doctype html>
      <html lang="${languageTag(viewer.language)}">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <title>${name === '' ? title : `${title} · ${name}`}</title>
          <meta name="robots" content="noindex, nofollow, noarchive">
          <meta name="referrer" content="no-referrer">
          <meta name="color-scheme" content="${theme.mode ?? 'light dark'}">
          <meta name="theme-color" media="(prefers-color-scheme: light)" content="${theme.page.light}">
          <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${theme.page.dark}">
          <link rel="icon" href="data:,">
          ${styles.map(({ element }) => element)}
          ${scripts.map(({ file }) => html`<script src="${viewer.base}${scriptFolder}/${file}" defer></script>`)}
        </head>
        <body${layout.isPreview ? html` inert` : undefined}>
          <a class="skip" href="#main">${viewer.texts.say('layout.skip')}</a>
          <header class="top">
            <div class="wide">
              ${brand(layout)}
              ${languageSwitch(viewer, layout.address)}
            </div>
          </header>
          <main id="main" tabindex="-1"${attributes}>
            ${layout.main}
          </main>
          <p class="unseen" id="announcement" role="status"></p>
          ${footer(layout)}
        </body>
      </html>`,
  }
}

function brand({ shop, viewer }: Layout): Html {
  if (shop === undefined) return html`<span class="brand"></span>`
  const logo = pictureAddress(viewer, shop.logo_url)
  const shown = logo === undefined ? html`${shop.name}` : html`<img src="${logo}" alt="${shop.name}">`
  const home = webAddress(shop.shop_url)
  return home === undefined
    ? html`<span class="brand">${shown}</span>`
    : html`<a class="brand" href="${home}">${shown}</a>`
}

const ownNames = new Map<Language, string>()

/** The language's own name. */
function ownName(language: Language): string {
  const known = ownNames.get(language)
  if (known) return known
  const tag = languageTag(language)
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  const shown = name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  ownNames.set(language, shown)
  return shown
}

/** Links to the same page in other languages. */
function languageSwitch(viewer: Viewer, address: string): Html {
  const [, query] = address.split('?')
  const prefix = query === undefined ? '' : `${query}&`
  const items = languages.map((language) => {
    const tag = languageTag(language)
    const mark = language === viewer.language ? html` aria-current="true"` : undefined
    return html`
      <li>
        <a href="?${prefix}lang=${language}" lang="${tag}" hreflang="${tag}"${mark}>${ownName(language)}</a>
      </li>`
  })
  return html`
    <nav class="languages" aria-label="${viewer.texts.say('layout.language')}">
      <details>
        <summary>
          ${globe}
          <span>${ownName(viewer.language)}</span>
        </summary>
        <ul>${items}</ul>
      </details>
    </nav>`
}

const globe = html`
  <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
    <path
      d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-9 9h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"/>
  </svg>`

function footer({ shop, viewer }: Layout): Html {
  const { texts } = viewer
  const links = [
    linkItem(typedAddress(shop?.shop_faq_url), texts.say('layout.faq')),
    linkItem(typedAddress(shop?.shop_service_url), texts.say('layout.service')),
    linkItem(shop?.contact_email ? `mailto:${encodeURIComponent(shop.contact_email)}` : undefined, shop?.contact_email),
    linkItem(
      shop?.contact_phone ? `tel:${shop.contact_phone.replaceAll(/[^+\d]/g, '')}` : undefined,
      shop?.contact_phone,
    ),
  ].filter((item) => item !== undefined)
  const help =
    links.length === 0
      ? undefined
      : html`
          <nav aria-label="${texts.say('layout.help')}">
            <h2>${texts.say('layout.help')}</h2>
            <ul>${links}</ul>
          </nav>`
  return html`
    <footer class="bottom">
      <div class="wide">
        ${help}
        <p>${texts.say('layout.privacy')}</p>
      </div>
    </footer>`
}

function linkItem(address: string | undefined, text: string | null | undefined): Html | undefined {
  return address && text ? html`<li><a href="${address}">${text}</a></li>` : undefined
}

/**
 * Only images may come from elsewhere, only our own inline styles are allowed, and no site may frame the page; a preview
 * is framed by our own.
 */
function policyOf({ isPreview }: Layout, styles: readonly Style[], scripts: readonly Script[]): string {
  return [
    "default-src 'none'",
    `style-src ${styles.map(({ source }) => source).join(' ')}`,
    "img-src 'self' https: data:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${isPreview ? "'self'" : "'none'"}`,
    ...(scripts.length > 0 ? ["script-src 'self'", "connect-src 'self'"] : []),
  ].join('; ')
}
