import { simpleParser } from 'mailparser'
import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { mailGroups } from '../../src/messages/customer-mail/groups.ts'
import { mailSamples } from '../../src/messages/customer-mail/samples.ts'
import type { MailTemplate, MailView } from '../../src/messages/customer-mail/view.ts'
import { maxHtmlBytes, renderMail } from '../../src/messages/rendering/render.ts'
import { eventNames, getMeaning } from '../../src/platform/catalogue/catalogue.ts'
import { languages } from '../../src/platform/foundation/languages.ts'
import { mailOf, mailPromotion } from '../harness/mails.ts'

const groups = mailGroups.map(({ name }) => name)

const template = (fields: Partial<MailTemplate>): MailTemplate => ({
  subject: null,
  preheader: null,
  heading: null,
  introduction: null,
  footer: null,
  blocks: null,
  ...fields,
})

/** The visible pieces of text, in order; the preheader is for lists of messages only. */
function piecesOf(html: string): string[] {
  const body = html.replace(/^[\s\S]*<\/head>/, '').replace(/<div style="display:none[\s\S]*?<\/div>/, '')
  return body
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .split(/<[^>]+>/)
    .map((piece) => decoded(piece).replaceAll(/\s+/g, ' ').trim())
    .filter((piece) => piece !== '')
}

function decoded(text: string): string {
  const entities: Record<string, string> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&nbsp;': ' ',
  }
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
}

function markupIn(html: string): Record<string, unknown> | undefined {
  const json = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1]
  return json === undefined ? undefined : JSON.parse(json)
}

const blockTitles = (html: string) => [...html.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title = '']) => decoded(title))

describe('groups with a message', () => {
  it('are those of the catalogue, those of parcels at risk, internal triggers, claims and withdrawals, and no others', () => {
    const meanings = eventNames.map(getMeaning)
    const known = meanings
      .flatMap(({ group, returnGroup }) => [group, returnGroup])
      .filter((name) => name !== undefined)
    const others = [
      'shipment_delivered_all_events',
      'shipment_at_risk',
      'shipment_internal_trigger',
      'claim_created',
      'claim_updated',
      'withdrawal_received',
    ]
    expect(groups.toSorted()).toEqual([...new Set([...known, ...others])].sort())
  })
})

describe.each(groups)('message about %s', (group) => {
  it('is complete in every language, whatever is known of the order', () => {
    for (const language of languages) {
      for (const sample of mailSamples) {
        const { subject, html, text } = renderMail(mailOf(group, { language, sample, promotion: mailPromotion }))
        const name = `${group} ${language} ${sample}`
        expect(Buffer.byteLength(html), name).toBeLessThan(maxHtmlBytes)
        expect(subject, name).toMatch(/^[^\p{Cc}]{5,200}$/u)
        for (const part of [subject, text, piecesOf(html).join('\n')]) {
          expect(part, name).not.toMatch(/\{\w+\}|\bundefined\b|\bnull\b|NaN|\[object/)
        }
      }
    }
  })

  it('says in plain text what the HTML says', () => {
    for (const sample of mailSamples) {
      const { html, text } = renderMail(mailOf(group, { sample, promotion: mailPromotion }))
      const plain = text.replaceAll(/\s+/g, ' ')
      expect(piecesOf(html).filter((piece) => !plain.includes(piece))).toEqual([])
      const links = [...html.matchAll(/href="(https?:[^"]+)"/g)].map(([, link = '']) => link)
      const others = links.filter((link) => link !== mailOf(group).shop.url)
      expect(others).not.toEqual([])
      for (const link of others) expect(text).toContain(decoded(link))
    }
  })
})

describe('HTML of a message', () => {
  const { html } = renderMail(mailOf('shipment_in_transit', { sample: 'three_parcels', promotion: mailPromotion }))

  it('has no script, no style sheet and no picture that is not shown', () => {
    expect(html.match(/<script\b/g)).toHaveLength(1)
    expect(html).not.toMatch(/<link\b|@import|<iframe|<form|\son\w+=/)
    const pictures = html.match(/<img\b[^>]*>/g) ?? []
    expect(pictures.length).toBeGreaterThan(2)
    for (const picture of pictures) {
      expect(picture).toMatch(/\salt="/)
      expect(Number(/\sheight="(\d+)"/.exec(picture)?.[1])).toBeGreaterThanOrEqual(40)
    }
  })

  it('has a fixed table for Outlook, a fluid one for the others, and tables for layout only', () => {
    expect(html).toMatch(/<!--\[if mso\]><table role="presentation" width="600"/)
    expect(html).toContain('max-width:600px')
    const tables = html.match(/<table\b[^>]*>/g) ?? []
    expect(tables.filter((table) => !table.includes('role="presentation"'))).toEqual([])
    expect(html).toContain('mso-padding-alt')
  })

  it('has the colours of dark mode', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('<meta name="supported-color-schemes" content="light dark">')
    expect(html).toMatch(/@media \(prefers-color-scheme:dark\)\{\.g-page\{background-color:#[0-9a-f]{6}!important/)
    expect(html).toContain('[data-ogsc] .t-ink{color:')
  })

  it('stays below 60 KB whatever the order has, and says how much is left out', () => {
    const long = '"<Regenjacke>" & \'Wasserabweisungsbeschichtung\' 雨衣 '.repeat(60)
    const view = mailOf('shipment_in_transit', { sample: 'three_parcels', promotion: mailPromotion })
    const [product] = view.products
    const [parcel] = view.parcels
    const [deal] = mailPromotion.deals
    if (!product || !parcel || !deal) throw new Error('the sample is empty')
    const huge: MailView = {
      ...view,
      products: Array.from({ length: 1_000 }, () => ({ ...product, title: long, variant: long })),
      parcels: Array.from({ length: 100 }, () => ({ ...parcel, lastEvent: long, carrier: long, status: long })),
      promotion: { ...mailPromotion, deals: Array.from({ length: 50 }, () => ({ ...deal, title: long, text: long })) },
      template: template({ introduction: long, footer: long, subject: long, heading: long }),
    }
    const rendered = renderMail(huge)
    expect(Buffer.byteLength(rendered.html)).toBeLessThan(maxHtmlBytes)
    expect(rendered.html).toMatch(/and 99\d more items/)
    expect(rendered.text).toMatch(/and 9\d more parcels/)
  })

  it('is delivered as it was made', async () => {
    const { subject, html, text } = renderMail(mailOf('shipment_delivered_to_parcel_shop', { language: 'de' }))
    const transport = createTransport({ streamTransport: true, buffer: true })
    const from = 'shop@shop.example'
    const { message } = await transport.sendMail({ from, to: 'ada@example.com', subject, html, text })
    const parsed = await simpleParser(message as Buffer) // with `buffer`, it is one
    expect(parsed.subject).toBe(subject)
    expect(parsed.text?.trim()).toBe(text.trim())
    expect(String(parsed.html).trim()).toBe(html.trim())
  })
})

describe('what others wrote', () => {
  const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>'\r\nBcc: victim@example.com {first_name} \${7*7}`
  /** Fields that decide how a message is made; all other fields are text. */
  const ours = new Set(['group', 'language', 'flag', 'steps', 'palette', 'kind', 'blocks', 'statusKey', 'type'])

  function attacked<Value>(value: Value, key = ''): Value {
    if (ours.has(key)) return value
    if (typeof value === 'string') return `${/url$/i.test(key) ? 'javascript:' : ''}${attack}` as Value
    if (Array.isArray(value)) return value.map((item) => attacked(item)) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, attacked(item, name)])) as Value
  }

  it.each(groups)('is text in a message about %s', (group) => {
    for (const sample of mailSamples) {
      const view = attacked({
        ...mailOf(group, { sample, promotion: mailPromotion }),
        template: template({ subject: 'x', preheader: 'x', heading: 'x', introduction: 'x', footer: 'x' }),
      })
      const { subject, html, text } = renderMail(view)
      expect(subject).not.toMatch(/[\r\n]/)
      expect(html).not.toMatch(/<script>|<img src=x|href="javascript|src="javascript/)
      expect((html.match(/<script\b/g) ?? []).length).toBe(markupIn(html) === undefined ? 0 : 1)
      expect(text).not.toContain('javascript:')
    }
  })

  it('in a palette is no style', () => {
    const palette = { primary_dark: 'red;}</style><script>alert(1)</script>', background: '#FFFFFF' }
    const view = mailOf('shipment_delivered')
    const { html } = renderMail({ ...view, shop: { ...view.shop, palette } })
    expect(html).not.toContain('alert(1)')
  })
})

describe('markup of a message', () => {
  it('describes the parcel as schema.org does', () => {
    const { html } = renderMail(mailOf('shipment_out_for_delivery'))
    expect(markupIn(html)).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'ParcelDelivery',
      trackingNumber: '00340434161094042557',
      trackingUrl: 'https://shop.example/track/sample',
      provider: { '@type': 'Organization', name: 'DHL' },
      expectedArrivalUntil: '2026-11-16T13:30:00.000Z',
      deliveryAddress: { '@type': 'PostalAddress', addressLocality: 'Berlin' },
      itemShipped: [{ '@type': 'Product', name: 'Rain jacket' }],
      partOfOrder: { '@type': 'Order', orderNumber: '1042', merchant: { name: 'River & Pine' } },
    })
  })

  it('is missing where there is no parcel to follow', () => {
    for (const group of ['claim_created', 'withdrawal_received', 'shipment_order_cancelled']) {
      expect(markupIn(renderMail(mailOf(group)).html)).toBeUndefined()
    }
  })
})

describe('template of a merchant', () => {
  it('replaces our words and fills its variables', () => {
    const { subject, html, text } = renderMail(
      mailOf('shipment_in_transit', {
        template: template({
          subject: '{shop_name}: {order_number} is coming, {first_name}',
          preheader: 'With {carrier}, number {tracking_number}',
          heading: 'It comes {expected_date}',
          introduction: 'Dear {full_name},\nit is <b>here</b> soon.',
          footer: 'Yours, {shop_name}',
        }),
      }),
    )
    expect(subject).toBe('River & Pine: #1042 is coming, Ada')
    expect(html).toContain('With DHL, number 00340434161094042557')
    expect(html).toContain('Dear Ada Example,<br>it is &lt;b&gt;here&lt;/b&gt; soon.')
    expect(text).toContain('It comes Tuesday 17 November')
    expect(text).toContain('Yours, River & Pine')
  })

  it('leaves out a sentence that needs what the order does not have, and is ours if none remains', () => {
    const { subject, text } = renderMail(
      mailOf('shipment_in_transit', {
        sample: 'bare',
        template: template({
          subject: 'For {first_name}',
          introduction: 'Hello {first_name}! It is on its way. It comes on {expected_date}.',
        }),
      }),
    )
    expect(subject).toContain('1042')
    expect(subject).not.toContain('For')
    expect(text).toContain('\nIt is on its way.\n')
    expect(text).not.toContain('Hello')
  })

  it('decides which blocks there are, in which order', () => {
    const blocks = ['help', 'products'] as const
    const { html, text } = renderMail(mailOf('shipment_in_transit', { template: template({ blocks: [...blocks] }) }))
    expect(blockTitles(html)).toEqual(['Any questions?', 'In this order'])
    expect(text.indexOf('Any questions?')).toBeLessThan(text.indexOf('In this order'))
  })

  it('cannot take the statement out of the receipt of a withdrawal', () => {
    const { text } = renderMail(mailOf('withdrawal_received', { template: template({ blocks: ['help'] }) }))
    expect(text).toContain('I withdraw from the contract about order 1042')
    expect(text).toContain('Monday 16 November')
  })
})
