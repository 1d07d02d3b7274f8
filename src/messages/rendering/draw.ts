import { type Html, html } from '../../platform/foundation/html.ts'
import { type MailColors, painted } from './colors.ts'
import type { Fact, Part, Row, Section } from './parts.ts'

type PartOf<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>

/** The colours that every part is drawn with. */
interface Canvas {
  colors: MailColors
  ground: Section['ground']
}

export const wrap = '-webkit-hyphens:auto;hyphens:auto;word-break:break-word;overflow-wrap:anywhere'

/** A section as rows of the message's table. One on the page has a line above it, the others are cards. */
export function drawSection(colors: MailColors, { ground, parts }: Section): Html {
  const canvas = { colors, ground }
  const rows = table(parts.map((part, index) => drawRow(canvas, part, index === parts.length - 1)))
  if (ground === 'page') {
    const line = painted(colors, { line: 'line' }, 'border-top-width:1px;border-top-style:solid;padding:24px 0 0')
    return html`
      <tr>
        <td class="pad" style="padding:0 32px 24px">
          ${table(html`<tr><td${line}>${rows}</td></tr>`)}
        </td>
      </tr>`
  }
  const card = painted(colors, { ground }, 'padding:24px;border-radius:12px', 'card')
  return html`
    <tr>
      <td class="pad" style="padding:0 32px 24px">
        <table
          role="presentation"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="border-collapse:separate">
          <tr>
            <td${card}>${rows}</td>
          </tr>
        </table>
      </td>
    </tr>`
}

export function table(rows: Html | readonly Html[]): Html {
  return html`
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
      ${rows}
    </table>`
}

function drawRow(canvas: Canvas, part: Part, isLast: boolean): Html {
  const gap = isLast ? 0 : part.kind === 'heading' ? 10 : part.kind === 'button' || part.kind === 'status' ? 20 : 16
  return html`
    <tr>
      <td align="left" style="padding:0 0 ${gap}px;${wrap}">${draw(canvas, part)}</td>
    </tr>`
}

function draw(canvas: Canvas, part: Part): Html {
  switch (part.kind) {
    case 'heading':
      return drawHeading(canvas, part)
    case 'paragraph':
      return drawParagraph(canvas, part)
    case 'status':
      return drawStatus(canvas, part)
    case 'facts':
      return drawFacts(canvas, part.facts)
    case 'rows':
      return drawRows(canvas, part.rows)
    case 'picture':
      return drawPicture(part)
    case 'code':
      return drawCode(canvas, part)
    case 'quote':
      return drawQuote(canvas, part)
    case 'button':
      return drawButton(canvas, part)
    case 'links':
      return drawLinks(canvas, part)
  }
}

function drawHeading({ colors }: Canvas, { text }: PartOf<'heading'>): Html {
  const heading = painted(colors, { ink: 'ink' }, 'margin:0;font-size:18px;line-height:24px;font-weight:700')
  return html`<h2${heading}>${text}</h2>`
}

function drawPicture({ url, width, height }: PartOf<'picture'>): Html {
  return html`
    <img
      src="${url}"
      width="${width}"
      height="${height}"
      alt=""
      border="0"
      class="wide"
      style="display:block;width:100%;max-width:${width}px;height:auto;border-radius:8px">`
}

function drawCode({ colors }: Canvas, { label, code }: PartOf<'code'>): Html {
  const term = painted(colors, { ink: 'soft' }, 'margin:0 0 4px;font-size:13px;line-height:18px')
  const box = painted(
    colors,
    { ink: 'ink', line: 'outline' },
    'display:inline-block;padding:8px 14px;border-width:1px;border-style:dashed;border-radius:6px;font-family:Menlo,Consolas,monospace;font-size:16px;line-height:20px;font-weight:700',
  )
  return html`
    <p${term}>${label}</p>
    <span${box}>${code}</span>`
}

function drawQuote({ colors }: Canvas, { text }: PartOf<'quote'>): Html {
  const quote = painted(
    colors,
    { ink: 'ink', line: 'accent' },
    'margin:0;padding:2px 0 2px 16px;border-left-width:3px;border-left-style:solid;font-size:16px;line-height:24px',
  )
  return html`<blockquote${quote}>${lines(text)}</blockquote>`
}

function drawLinks(canvas: Canvas, { links }: PartOf<'links'>): Html {
  const paragraphs = links.map(({ label, url }, index) => {
    const style = `margin:${index === 0 ? 0 : 8}px 0 0;font-size:16px;line-height:24px`
    return html`<p style="${style}">${drawLink(canvas, label, url)}</p>`
  })
  return html`${paragraphs}`
}

export function lines(text: string): Html {
  const given = text.split('\n')
  return html`${given.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`
}

export function drawLink({ colors }: Pick<Canvas, 'colors'>, label: string, url: string): Html {
  return html`<a href="${url}"${painted(colors, { ink: 'accent' }, 'text-decoration:underline')}>${label}</a>`
}

function drawParagraph({ colors }: Canvas, { text, tone }: PartOf<'paragraph'>): Html {
  const size = tone === 'soft' ? 'font-size:14px;line-height:20px' : 'font-size:16px;line-height:24px'
  const weight = tone === 'strong' ? ';font-weight:700' : ''
  const paragraph = painted(colors, { ink: tone === 'soft' ? 'soft' : 'ink' }, `margin:0;${size}${weight}`)
  return html`<p${paragraph}>${lines(text)}</p>`
}

/** Clients that read the style sheet show it on narrow screens; the others never do. */
const onlyNarrow = 'display:none;margin:0;font-size:0;max-height:0;overflow:hidden;mso-hide:all'

/** The status as text and a bar per step. On narrow screens a sentence replaces the names of the steps. */
function drawStatus({ colors }: Canvas, { status, tone, steps, at, progress }: PartOf<'status'>): Html {
  const words = painted(colors, { ink: tone }, 'margin:0;font-size:20px;line-height:26px;font-weight:700')
  const said = html`<p${words}>${status}</p>`
  if (steps.length === 0) return said
  const width = `${Math.floor(100 / steps.length)}%`
  const gap = (index: number) => (index === steps.length - 1 ? 0 : 6)
  const bars = steps.map((_, index) => {
    const bar = painted(
      colors,
      { ground: index <= at ? tone : 'line' },
      'font-size:0;line-height:6px;border-radius:3px',
    )
    return html`
      <td width="${width}" style="padding:0 ${gap(index)}px 0 0">
        ${table(html`<tr><td height="6"${bar}>&nbsp;</td></tr>`)}
      </td>`
  })
  const names = steps.map((name, index) => {
    const weight = index === at ? 'font-weight:700' : 'font-weight:400'
    const label = painted(
      colors,
      { ink: index === at ? 'ink' : 'soft' },
      `padding:8px ${gap(index)}px 0 0;font-size:12px;line-height:16px;${weight};${wrap}`,
      'step',
    )
    return html`<td width="${width}" valign="top" align="left"${label}>${name}</td>`
  })
  const sentence = painted(
    colors,
    { ink: 'soft' },
    'display:none;margin:0;font-size:0;max-height:0;mso-hide:all',
    'narrow',
  )
  return html`
    ${said}
    <div role="img" aria-label="${progress}" style="padding:16px 0 0">
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">
        <tr>${bars}</tr>
        <tr class="steps">${names}</tr>
      </table>
      <p${sentence}>${progress}</p>
    </div>`
}

function drawFacts({ colors }: Canvas, facts: readonly Fact[]): Html {
  const rows = facts.map(({ label, value, url }, index) => {
    const term = painted(colors, { ink: 'soft' }, 'margin:0;font-size:13px;line-height:18px')
    const shown = painted(colors, { ink: 'ink' }, `margin:0;font-size:16px;line-height:24px;${wrap}`)
    const said = url === undefined ? lines(value) : drawLink({ colors }, value, url)
    return html`
      <tr>
        <td style="padding:${index === 0 ? 0 : 12}px 0 0">
          <p${term}>${label}</p>
          <p${shown}>${said}</p>
        </td>
      </tr>`
  })
  return table(rows)
}

const pictureSize = 64

function drawRows(canvas: Canvas, rows: readonly Row[]): Html {
  const { colors } = canvas
  const hasPictures = rows.some(({ imageUrl }) => imageUrl !== undefined)
  const hasAmounts = rows.some(({ amount }) => amount !== undefined)
  const link = painted(colors, { ink: hasPictures ? 'ink' : 'accent' }, 'text-decoration:none')
  const name = painted(colors, { ink: 'ink' }, 'margin:0;font-size:15px;line-height:22px;font-weight:600')
  const soft = painted(colors, { ink: 'soft' }, 'margin:2px 0 0;font-size:14px;line-height:20px')
  const narrow = painted(colors, { ink: 'ink' }, onlyNarrow, 'narrow')
  const drawn = rows.map((row, index) => {
    const top = index === 0 ? 0 : 16
    const picture = html`<td width="64" valign="top" style="padding:${top}px 16px 0 0">${drawRowPicture(canvas, row)}</td>`
    const amountStyle = `padding:${top}px 0 0 8px;font-size:15px;line-height:22px;white-space:nowrap`
    const broad = painted(colors, { ink: 'ink' }, amountStyle, 'broad')
    const amount = html`<td width="96" valign="top" align="right"${broad}>${row.amount ?? ''}</td>`
    // On narrow screens the amount stands below the title instead of beside it.
    return html`
      <tr>
        ${hasPictures ? picture : undefined}
        <td valign="top" align="left" style="padding:${top}px 0 0;${wrap}">
          <p${name}>${row.url === undefined ? row.title : html`<a href="${row.url}"${link}>${row.title}</a>`}</p>
          ${row.details === '' ? undefined : html`<p${soft}>${lines(row.details)}</p>`}
          ${row.amount === undefined ? undefined : html`<p${narrow}>${row.amount}</p>`}
        </td>
        ${hasAmounts ? amount : undefined}
      </tr>`
  })
  return html`
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">
      ${drawn}
    </table>`
}

/** The title is next to it, so the picture is decorative; without one, the title's first letter stands in its place. */
function drawRowPicture({ colors, ground }: Canvas, { imageUrl, title }: Row): Html {
  if (imageUrl === undefined) return html`&nbsp;`
  const field = ground === 'page' ? 'card' : 'page'
  if (imageUrl === null) {
    const letter = painted(
      colors,
      { ground: field, ink: 'soft' },
      'border-radius:8px;font-size:22px;line-height:64px;font-weight:600',
    )
    const initial = [...title][0]?.toLocaleUpperCase() ?? ''
    return html`
      <table
        role="presentation"
        aria-hidden="true"
        width="${pictureSize}"
        cellpadding="0"
        cellspacing="0"
        border="0">
        <tr>
          <td width="${pictureSize}" height="${pictureSize}" align="center" valign="middle"${letter}>${initial}</td>
        </tr>
      </table>`
  }
  const picture = painted(
    colors,
    { ground: field },
    `display:block;width:${pictureSize}px;height:${pictureSize}px;object-fit:cover;border-radius:8px`,
  )
  return html`<img src="${imageUrl}" width="${pictureSize}" height="${pictureSize}" alt="" border="0"${picture}>`
}

/** A table cell with a link in it: Outlook paints the cell and pads it by mso-padding-alt, the others pad the link. */
function drawButton({ colors }: Canvas, { label, url, isQuiet }: PartOf<'button'>): Html {
  const ground = isQuiet ? 'onOffer' : 'accent'
  const ink = isQuiet ? 'offer' : 'onAccent'
  const cell = painted(colors, { ground }, 'border-radius:8px;mso-padding-alt:14px 28px')
  const link = painted(
    colors,
    { ink, line: ground },
    'display:inline-block;padding:13px 28px;border-width:1px;border-style:solid;border-radius:8px;font-size:16px;line-height:20px;font-weight:700;text-decoration:none',
  )
  return html`
    <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate">
      <tr>
        <td align="center"${cell}>
          <a href="${url}"${link}>${label}</a>
        </td>
      </tr>
    </table>`
}
