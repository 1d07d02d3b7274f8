import { type Html, html } from '../../platform/foundation/html.ts'
import { languageTag } from '../../platform/foundation/languages.ts'
import type { MailView } from '../customer-mail/view.ts'
import { type MailColors, painted } from './colors.ts'
import { drawLink, drawSection, lines, table, wrap } from './draw.ts'
import type { GroupWords } from './group-words.ts'
import type { Section } from './parts.ts'
import { linkOf } from './reading.ts'
import { footerLines, orderLine } from './surroundings.ts'
import type { MailTexts } from './texts.ts'

export interface MailLayout {
  view: MailView
  texts: MailTexts
  words: GroupWords
  colors: MailColors
  sections: readonly Section[]
  markup: Html | undefined
}

/**
 * The HTML of a message: tables that are fluid up to 600 px, with a fixed one for Outlook, whose Word engine knows no
 * max-width. Everything is inlined; the style sheet adds dark mode and narrow screens for clients that read it.
 */
export function renderHtml(layout: MailLayout): string {
  const { view, words, colors, sections } = layout
  const tag = languageTag(view.language)
  const bodyStyle = `margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%;${font}`
  const body = painted(colors, { ground: 'card' }, bodyStyle)
  const around = painted(colors, { ground: 'card' }, '')
  const sheet = painted(colors, { ground: 'page' }, 'max-width:600px;border-radius:16px')
  return html`
    <!doctype html>
    <html
      lang="${tag}"
      dir="ltr"
      xmlns="http://www.w3.org/1999/xhtml"
      xmlns:o="urn:schemas-microsoft-com:office:office">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="x-apple-disable-message-reformatting">
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
        <meta name="color-scheme" content="light dark">
        <meta name="supported-color-schemes" content="light dark">
        <title>${words.subject}</title>
        ${forOutlook}
        <style>${{ html: `${baseStyle}${colors.darkStyle}` }}</style>
        ${layout.markup}
      </head>
      <body${body}>
        ${preheader(words.preheader)}
        <div role="article" aria-roledescription="email" aria-label="${words.subject}" lang="${tag}" style="${font}">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"${around}>
            <tr>
              <td align="center" class="edge" style="padding:24px 12px">
                ${fixedTable}
                <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"${sheet}>
                  ${header(layout)}
                  ${top(layout)}
                  ${sections.map((section) => drawSection(colors, section))}
                </table>
                ${footer(layout)}
                ${fixedTableEnd}
              </td>
            </tr>
          </table>
        </div>
      </body>
    </html>`.html
}

const font = `font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

const baseStyle =
  ':root{color-scheme:light dark;supported-color-schemes:light dark}' +
  'body,table,td,p,a,h1,h2{font-family:inherit}table{border-spacing:0}img{border:0;-ms-interpolation-mode:bicubic}' +
  '@media (max-width:480px){.edge{padding:0!important}.pad{padding-left:20px!important;padding-right:20px!important}' +
  '.card{padding:20px!important}.steps,.broad{display:none!important}' +
  '.narrow{display:block!important;max-height:none!important;font-size:14px!important;line-height:20px!important;padding:4px 0 0!important}' +
  '.title{font-size:24px!important;line-height:30px!important}}'

/** Outlook for Windows: 96 dots per inch, and a font that it has. */
const forOutlook: Html = {
  html: '<!--[if mso]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><style>table{border-collapse:collapse}td,p,a,h1,h2,blockquote{font-family:Arial,sans-serif!important}</style><![endif]-->',
}
const fixedTable: Html = {
  html: '<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
}
const fixedTableEnd: Html = { html: '<!--[if mso]></td></tr></table><![endif]-->' }

/** The line that a list of messages shows beside the subject. The blanks keep what follows out of it. */
function preheader(text: string): Html {
  const hidden =
    'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all;font-size:1px;line-height:1px;color:transparent'
  return html`<div style="${hidden}">${text}${{ html: '&#847;&zwnj;&nbsp;'.repeat(60) }}</div>`
}

function header({ view, texts, colors }: MailLayout): Html {
  const { shop } = view
  const logo = linkOf(shop.logoUrl)
  const home = linkOf(shop.url)
  const name = painted(colors, { ink: 'ink' }, 'font-size:20px;line-height:28px;font-weight:700;text-decoration:none')
  const picture = painted(
    colors,
    { ink: 'ink' },
    'display:block;height:40px;width:auto;max-width:220px;font-size:20px;line-height:40px;font-weight:700',
  )
  const shown =
    logo === undefined
      ? html`<span${name}>${shop.name}</span>`
      : html`<img src="${logo}" height="40" alt="${shop.name}" border="0" class="logo"${picture}>`
  const brand = home === undefined ? shown : html`<a href="${home}" style="text-decoration:none">${shown}</a>`
  const number = painted(colors, { ink: 'soft' }, 'padding:0 0 0 12px;font-size:14px;line-height:20px')
  const row = html`
    <tr>
      <td align="left" valign="middle">${brand}</td>
      <td align="right" valign="middle"${number}>${orderLine(view, texts)}</td>
    </tr>`
  return html`
    <tr>
      <td class="pad" style="padding:28px 32px 0">${table(row)}</td>
    </tr>`
}

function top({ words, colors }: MailLayout): Html {
  const heading = painted(colors, { ink: 'ink' }, 'margin:0;font-size:28px;line-height:34px;font-weight:700', 'title')
  const introduction = painted(colors, { ink: 'ink' }, 'margin:12px 0 0;font-size:16px;line-height:24px')
  return html`
    <tr>
      <td class="pad" align="left" style="padding:28px 32px 24px;${wrap}">
        <h1${heading}>${words.heading}</h1>
        <p${introduction}>${lines(words.introduction)}</p>
      </td>
    </tr>`
}

function footer({ view, texts, colors }: MailLayout): Html {
  const paragraphs = footerLines(view, texts).map(({ text, link }, index) => {
    const style = painted(
      colors,
      { ink: 'soft' },
      `margin:${index === 0 ? 0 : 8}px 0 0;font-size:13px;line-height:20px`,
    )
    const linked = link === undefined ? undefined : html`${drawLink({ colors }, link.label, link.url)} `
    return html`<p${style}>${linked}${lines(text)}</p>`
  })
  return html`
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">
      <tr>
        <td class="pad" align="left" style="padding:24px 32px;${wrap}">${paragraphs}</td>
      </tr>
    </table>`
}
