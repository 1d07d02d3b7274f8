import { type Html, html } from '../../../platform/foundation/html.ts'
import type { AlertView, DigestView, RenderedTeamMail, TeamLanguage } from '../../team-mail/view.ts'
import { type Words, wordsOf } from './texts.ts'

/** One message to the team, in blocks that have an HTML and a text form. */
interface TeamLayout {
  language: TeamLanguage
  subject: string
  preheader: string
  heading: string
  dashboardUrl: string
  blocks: Block[]
  /** The reason why the person gets it, below everything. */
  reason?: string
  /** The page on which that is changed. */
  settings?: { label: string; url: string }
}

export interface Block {
  html: Html
  text: string
}

/** Widths are in attributes for Outlook; colours for a dark screen are the only rules that cannot be inlined. */
export function layOut(layout: TeamLayout): RenderedTeamMail {
  const { language, preheader, heading, blocks, dashboardUrl, reason, settings } = layout
  const words = wordsOf(language)
  const subject = oneLine(layout.subject)
  const page = html`
    <!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="supported-color-schemes" content="light dark">
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
        <title>${subject}</title>
        <style>${{ html: style }}</style>
      </head>
      <body class="page" style="margin:0;padding:0;background-color:#f5f7fa;">
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${preheader}</div>
        <table
          role="presentation"
          class="page"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="background-color:#f5f7fa;">
          <tr>
            <td align="center" style="padding:24px 12px;">
              <table
                role="presentation"
                width="600"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="width:100%;max-width:600px;">
                <tr>
                  <td class="pad" style="padding:0 32px 16px;${font}font-size:16px;font-weight:700;">
                    <a href="${dashboardUrl}" class="link" style="color:#1f4f8f;text-decoration:none;">Doorstep</a>
                  </td>
                </tr>
                <tr>
                  <td class="card pad" style="${cardStyle}">
                    <h1 class="ink" style="margin:0 0 16px;${font}${headingStyle}">${heading}</h1>
                    ${blocks.map((block) => block.html)}
                  </td>
                </tr>
                <tr>
                  <td class="pad soft" style="padding:16px 32px 0;${font}${smallStyle}">
                    ${reason === undefined ? undefined : html`${reason} `}
                    ${settings && html`${anchor(settings.label, settings.url)}<br>`}
                    ${words('footer')} ${anchor(words('footer.dashboard'), dashboardUrl)}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`
  const lines = [
    heading,
    ...blocks.map((block) => block.text),
    [
      '-- ',
      ...(reason === undefined ? [] : [reason]),
      ...(settings ? [`${settings.label}: ${settings.url}`] : []),
      words('footer'),
      dashboardUrl,
    ].join('\n'),
  ]
  return { subject, html: page.html, text: `${lines.join('\n\n')}\n` }
}

const style = `
@media (prefers-color-scheme: dark) {
  .page { background-color: #0c0f12 !important; }
  .card, .cell { background-color: #171b21 !important; border-color: #2a313a !important; }
  .ink { color: #e8ecf1 !important; }
  .soft { color: #a3aebb !important; }
  .line { border-color: #2a313a !important; }
  .link { color: #8bb8f0 !important; }
  .button { background-color: #8bb8f0 !important; }
  .on-button { color: #0b1a2c !important; }
  .wrong { color: #f59a92 !important; }
  .good { color: #7fd1a0 !important; }
}
@media (max-width: 480px) {
  .pad { padding-left: 20px !important; padding-right: 20px !important; }
}
`

const font = `font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;`
const cardStyle = 'background-color:#ffffff;border:1px solid #dfe4ea;border-radius:8px;padding:32px 32px 16px;'
const headingStyle = 'font-size:24px;line-height:32px;font-weight:700;color:#17202b;'
const smallStyle = 'font-size:13px;line-height:20px;color:#515d6b;'

export function paragraph(text: string, { isSoft = false } = {}): Block {
  const look = isSoft
    ? { className: 'soft', style: 'font-size:14px;line-height:20px;color:#515d6b;' }
    : { className: 'ink', style: 'font-size:16px;line-height:24px;color:#17202b;' }
  return {
    html: html`<p class="${look.className}" style="margin:0 0 16px;${font}${look.style}">${text}</p>`,
    text,
  }
}

/** A button, with its address for those who cannot use it. */
export function button(label: string, url: string): Block {
  const look = 'font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none;'
  return {
    html: html`
      <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;">
        <tr>
          <td class="button" bgcolor="#1f4f8f" style="background-color:#1f4f8f;border-radius:8px;">
            <a href="${url}" class="on-button" style="display:inline-block;padding:12px 24px;${font}${look}">${label}</a>
          </td>
        </tr>
      </table>`,
    text: `${label}:\n${url}`,
  }
}

export function plainAddress(introduction: string, url: string): Block {
  return {
    html: html`
      <p class="soft" style="margin:0 0 16px;${font}${smallStyle}">
        ${introduction}<br>
        <a href="${url}" class="link" style="color:#1f4f8f;word-break:break-all;">${url}</a>
      </p>`,
    text: '',
  }
}

export function subheading(text: string): Block {
  const look = 'font-size:16px;line-height:24px;font-weight:700;color:#17202b;'
  return { html: html`<h2 class="ink" style="margin:24px 0 8px;${font}${look}">${text}</h2>`, text }
}

export interface Fact {
  label: string
  value: string
  notes: string[]
  url?: string
  isUrgent?: boolean
}

/** Figures, one below the other: label and notes on the left, the value on the right. */
export function facts(list: Fact[]): Block {
  return {
    html: lined(list.map(factRow)),
    text: list
      .map(({ label, value, notes }) =>
        [`${label}: ${value}`, ...(notes.length === 0 ? [] : [`  ${notes.join(' · ')}`])].join('\n'),
      )
      .join('\n'),
  }
}

function factRow({ label, value, notes, url, isUrgent }: Fact): Html {
  const tone = isUrgent ? { className: 'wrong', color: '#b3261e' } : { className: 'ink', color: '#17202b' }
  const look = `font-size:20px;line-height:24px;font-weight:700;white-space:nowrap;color:${tone.color};`
  const below = html`<br><span class="soft" style="${smallStyle}">${notes.join(' · ')}</span>`
  return html`
    <tr>
      <td class="line" style="padding:12px 12px 12px 0;${lineStyle}${font}font-size:16px;line-height:24px;">
        <span class="ink" style="color:#17202b;">${url === undefined ? label : anchor(label, url)}</span>
        ${notes.length === 0 ? undefined : below}
      </td>
      <td class="line ${tone.className}" align="right" valign="top" style="padding:12px 0;${lineStyle}${font}${look}">
        ${value}
      </td>
    </tr>`
}

const lineStyle = 'border-top:1px solid #dfe4ea;'

/** Rows with a line above each. */
function lined(rows: Html[]): Html {
  return html`
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;">
      ${rows}
    </table>`
}

interface LinkedItem {
  label: string
  url: string
  note: string
  tone?: 'wrong' | 'good'
}

export function links(list: LinkedItem[]): Block {
  return {
    html: lined(list.map(linkRow)),
    text: list.map(({ label, url, note }) => `* ${label}: ${note}\n  ${url}`).join('\n'),
  }
}

function linkRow({ label, url, note, tone }: LinkedItem): Html {
  const look = tone ?? 'soft'
  return html`
    <tr>
      <td class="line" style="padding:10px 0;${lineStyle}${font}font-size:16px;line-height:24px;">
        ${anchor(label, url)}<br>
        <span class="${look}" style="font-size:13px;line-height:20px;color:${noteColors[look]};">${note}</span>
      </td>
    </tr>`
}

const noteColors = { soft: '#515d6b', wrong: '#b3261e', good: '#17663a' }

function anchor(label: string, url: string): Html {
  return html`<a href="${url}" class="link" style="color:#1f4f8f;">${label}</a>`
}

/** Names come from people: nothing in them may end a line of a header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** The reason why somebody gets a message, and the page on which that is changed. */
export function reasonOf(
  { isAddedAddress, shopName: shop, settingsUrl }: DigestView | AlertView,
  words: Words,
): Pick<TeamLayout, 'reason' | 'settings'> {
  if (isAddedAddress) return { reason: words('reason.address', { shop }) }
  return { reason: words('reason.person', { shop }), settings: { label: words('reason.settings'), url: settingsUrl } }
}
