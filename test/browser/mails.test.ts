import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MailView } from '../../src/messages/customer-mail/view.ts'
import { renderMail } from '../../src/messages/rendering/render.ts'
import { findProblems, type Scope } from '../harness/accessibility.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { mailOf, mailPromotion } from '../harness/mails.ts'
import { openStage, takePicture } from '../harness/stage.ts'

const mails: Record<string, MailView> = {
  'on-its-way': mailOf('shipment_in_transit', { promotion: mailPromotion }),
  'three-parcels': mailOf('shipment_out_for_delivery', { sample: 'three_parcels' }),
  'pick-up-de': mailOf('shipment_delivered_to_parcel_shop', { language: 'de' }),
  'long-names-de': mailOf('shipment_carrier_delay', { sample: 'long_names', language: 'de' }),
  'little-known': mailOf('shipment_delivery_failed', { sample: 'bare' }),
  'going-back': mailOf('shipment_failed_returned'),
  'return-arrived': mailOf('return_shipment_delivered'),
  'claim-accepted': mailOf('claim_updated'),
  withdrawal: mailOf('withdrawal_received'),
  'greek-plain-shop': plain(mailOf('shipment_delivered', { language: 'gr' })),
}

/** A shop that has set nothing. */
function plain(view: MailView): MailView {
  const { name } = view.shop
  const none = { url: null, logoUrl: null, contactEmail: null, contactPhone: null, faqUrl: null, footer: null }
  return { ...view, shop: { ...view.shop, ...none, name, palette: {} } }
}

const pictures = new URL('../../src/installation/demo/pictures/', import.meta.url)
const logo = readFileSync(new URL('logo.png', pictures))
const photo = readFileSync(new URL('claim-sleeve.webp', pictures))

/** Accessible, and not wider than the screen. Landmarks are those of the mail program around it. */
async function expectReadable(page: Page, what: string, scope: Scope): Promise<void> {
  const problems = await findProblems(page, scope)
  expect(
    problems.filter((problem) => !/^(landmark-one-main|region) /.test(problem)),
    what,
  ).toEqual([])
  await expectToFit(page, what)
}

async function expectToFit(page: Page, what: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(overflow, `${what} scrolls sideways`).toBe(0)
}

describeInBrowser('message in a browser', () => {
  let context: BrowserContext
  let page: Page
  let requests: string[] = []

  beforeAll(async () => {
    context = await (await openStage()).browser.newContext()
    await context.route(/./, (route) => {
      const request = route.request()
      requests.push(request.resourceType())
      const isLogo = request.url().endsWith('logo.png')
      return route.fulfill({ contentType: isLogo ? 'image/png' : 'image/webp', body: isLogo ? logo : photo })
    })
    page = await context.newPage()
  })
  afterAll(() => context.close())

  it.each(Object.entries(mails))(
    '%s fits 320 and 600 px in both colour schemes and loads pictures only',
    async (name, view) => {
      const { html } = renderMail(view)
      requests = []
      for (const width of [320, 600]) {
        await page.setViewportSize({ width, height: 800 })
        await page.setContent(html, { waitUntil: 'load' })
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const scope = colorScheme === 'dark' ? 'colours' : width === 320 ? 'everything' : 'layout'
          await expectReadable(page, `${name} ${width} ${colorScheme}`, scope)
          await takePicture(page, `mail-${name}-${width}-${colorScheme}`)
        }
      }
      expect([...new Set(requests)].filter((type) => type !== 'image')).toEqual([])
    },
  )

  it('can be read without its pictures and without its style sheet', async () => {
    const { html } = renderMail(mails['on-its-way'] ?? mailOf('shipment_in_transit'))
    await context.route(/./, (route) => route.abort())
    for (const width of [320, 600]) {
      await page.setViewportSize({ width, height: 800 })
      await page.setContent(html.replaceAll(/<style>[\s\S]*?<\/style>/g, ''), { waitUntil: 'load' })
      await expectToFit(page, `unstyled at ${width}`)
      await takePicture(page, `mail-unstyled-${width}`)
    }
  })
})
