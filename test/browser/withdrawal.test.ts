import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { findProblems } from '../harness/accessibility.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { claimsOf } from '../harness/claim-form.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { openStage, takePicture } from '../harness/stage.ts'
import { shareWindow } from '../harness/windows.ts'
import { enableWithdrawals, scan } from '../harness/withdrawals.ts'

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desk: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }

describeInBrowser('withdrawal in a browser', () => {
  let browser: Browser
  let shop: TestShop
  let origin: string

  beforeAll(async () => {
    const { service, ...opened } = await openStage()
    browser = opened.browser
    origin = opened.origin
    shop = await makeShop({ name: 'River & Pine', contact_email: 'hello@shop.example' }, service)
    await enableWithdrawals(shop, {
      exempt_categories: ['Made to measure'],
      instructions: { en: 'Send the goods to River & Pine, 1 Mill Lane, Bath.\nThe return is free.' },
    })
    await shop
      .as('editor')
      .post('/products', [{ product_id: 'p9', variant_id: 'v9', title: 'Suit', category: 'Made to measure' }])
  })

  async function deliveredOrder() {
    const number = uniqueNumber()
    const tracking = uniqueNumber('003404341610')
    const products = [
      { title: 'Rain jacket', variant_title: 'Blue / M', quantity: 1, price: 89.9, sku: 'RJ-42' },
      { title: 'Socks', quantity: 3, price: 9, sku: 'SO-1' },
      { title: 'Suit', quantity: 1, price: 390, sku: 'SU-1', product_id: 'p9', variant_id: 'v9' },
    ]
    const trackings = [{ tracking_number: tracking, carrier_reference: 'dhl' }]
    const sent = await shop.as('editor').put('/orders', upsertOf(number, { products }, trackings))
    await scan(shop, tracking, 'SUCCESSFULLY_DELIVERED', new Date(Date.now() - 86_400_000).toISOString())
    const { body } = await shop.as('editor').post('/orders/trackpage-url', { id: number })
    const orderId = String(sent.headers.location).split('/').at(-1) ?? ''
    return { number, orderId, address: `${origin}${new URL(body.url).pathname}` }
  }

  async function visit(address: string, options: BrowserContextOptions) {
    const context = await shareWindow(browser, options)
    const page = await context.newPage()
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#7b8f6a' } })
      .png()
      .toBuffer()
    await page.route('https://shop.example/**', (route) => route.fulfill({ body: picture, contentType: 'image/png' }))
    await page.goto(address)
    expect(await context.cookies(), 'what an earlier visit left').toEqual([])
    return page
  }

  /** Checks the accessibility of the page in this state, and takes a picture. */
  async function check(page: Page, state: string, options: BrowserContextOptions) {
    expect(await findProblems(page), state).toEqual([])
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(overflow), `${state} fits`).toBe(0)
    const width = options.viewport?.width ?? 0
    await takePicture(page, `withdrawal-${state}-${width}`)
  }

  it.each([
    ['a phone without scripts', { ...phone, javaScriptEnabled: false }],
    ['a desk in the dark', { ...desk, colorScheme: 'dark' as const }],
  ])('is made in two steps and acknowledged, on %s', async (_name, options) => {
    const { address, orderId } = await deliveredOrder()
    const isScripted = !('javaScriptEnabled' in options)
    const look = (page: Page, state: string) =>
      isScripted ? check(page, state, options) : takePicture(page, `withdrawal-${state}-390`)
    const page = await visit(address, options)
    await look(page, 'order')
    await page.getByRole('link', { name: 'Withdraw from contract here' }).click()
    await look(page, 'form')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Your name').fill('Ada Example')
    await page.getByLabel('Your e-mail address').fill('ada@example.com')
    await page.getByText('Only some items').click()
    await look(page, 'problems')
    await page.getByText('Rain jacket').click()
    await page.getByLabel('How many of Socks?').selectOption('2')
    await page.getByText('There is no right of withdrawal for this item').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('2 × Socks').waitFor()
    await look(page, 'confirm')
    expect(await claimsOf(shop, orderId)).toEqual([])
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
    await page.getByRole('heading', { name: 'Your withdrawal has been received' }).waitFor()
    await look(page, 'receipt')
    expect(await claimsOf(shop, orderId)).toMatchObject([
      { kind: 'withdrawal', selected_items: [{ title: 'Rain jacket' }, { title: 'Socks', quantity: 2 }] },
    ])
    await page.getByRole('link', { name: 'Back to the order' }).click()
    await page.getByText('Withdrawal from contract').waitFor()
    await page.close()
  })

  it.each([
    ['phone', phone],
    ['desk', desk],
  ])('is found from the look-up page, in German, on a %s', async (_name, options) => {
    const { number } = await deliveredOrder()
    const page = await visit(`${origin}/track/${shop.slug}?lang=de`, options)
    await check(page, 'lookup', options)
    await page.getByRole('link', { name: 'Vertrag widerrufen' }).click()
    await check(page, 'find', options)
    await page.getByLabel('Bestellnummer').fill(number)
    await page.locator('#proof').fill('10115')
    await page.getByRole('button', { name: 'Weiter' }).click()
    await page.getByRole('heading', { name: 'Vertrag widerrufen' }).waitFor()
    await check(page, 'form-german', options)
    await page.close()
  })
})
