import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { reservedSpace } from '../../src/customer-page/embedding/rules.ts'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { languages } from '../../src/platform/foundation/languages.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { ensureFresh } from '../harness/built.ts'
import { sendOrder } from '../harness/pages.ts'
import { leipzig, setPromises, standard } from '../harness/promises.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { openShopSite, type ShopSite, type SitePage } from '../harness/shop-site.ts'
import { openStage, takePicture } from '../harness/stage.ts'

const narrow = { width: 320, height: 800 }
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

const style = `${reservedSpace} body { margin: 0; font: 16px/1.5 sans-serif } :root { color-scheme: light dark } main { padding: 16px }`
const everyDay = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((day) => [day, '23:59']))

/** All shifts count, those after an input as well. */
const watchShifts = `
  window.shift = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value })
    .observe({ type: 'layout-shift', buffered: true })`

describeInBrowser('components on the site of a shop', () => {
  let browser: Browser
  /** For visits that store nothing in it but the script: a window of its own takes as long as a visit. */
  let shared: BrowserContext
  let origin: string
  let shop: TestShop
  let key: string
  let order: { order_number: string; email_id: string }

  beforeAll(async () => {
    await ensureFresh('widgets')
    const { service, ...opened } = await openStage()
    browser = opened.browser
    origin = opened.origin
    shared = await openWindow()
    // Open as long as the window, so that the process that draws its pages stays.
    await (await shared.newPage()).goto(`${origin}/healthz`)
    shop = await makeShop({ name: 'River & Pine', language: 'en' }, service)
    key = (await shop.as('admin').patch('/embedding', { domains: ['127.0.0.1'] })).body.public_key
    await setPromises(shop, {
      warehouses: [{ ...leipzig, cut_offs: everyDay }],
      shipping_classes: [{ name: 'bulky', handling_days: 2, products: ['SKU-BULKY'] }],
      methods: [
        standard,
        { ...standard, name: 'Express', table_days: { min: 1, max: 1 } },
        { ...standard, name: 'Economy', table_days: { min: 2, max: 6 } },
      ],
    })
    order = (await sendOrder(shop, {}, [{}, {}, {}])).order
  })

  afterEach(() => clock.reset())
  afterAll(() => shared.close())

  const openWindow = () => browser.newContext({ locale: 'en-GB' })
  const promise = (attributes = '') =>
    `<doorstep-promise shop="${shop.slug}" key="${key}" country="de" zip="10115" products="SKU-1" ${attributes}><span>Arrives in 2 to 4 days.</span></doorstep-promise>`
  const tracking = (attributes = '') =>
    `<doorstep-tracking shop="${shop.slug}" key="${key}" ${attributes}><a href="${origin}/track/${shop.slug}">Track your order</a></doorstep-tracking>`

  interface Visit extends SitePage {
    body: string
    viewport?: typeof desk
    colorScheme?: 'light' | 'dark'
    /** Before the page is opened, in a window of its own. */
    prepare?(page: Page): Promise<unknown>
  }

  /** Visits a page of the shop at its own origin. Errors in the console fail the test; nothing may be stored. */
  async function visit(
    { body, prepare, lang, viewport = desk, colorScheme = 'light' }: Visit,
    use: (page: Page, site: ShopSite) => Promise<unknown>,
  ) {
    const site = await openShopSite(origin, `${origin}/widgets/doorstep.js`)
    const context = prepare ? await openWindow() : shared
    const page = await context.newPage()
    try {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      await page.addInitScript(watchShifts)
      await prepare?.(page)
      await page.goto(site.show(body, { style, ...(lang ? { lang } : {}) }))
      await use(page, site)
      expect(
        complaints.filter((complaint) => !/status of 4\d\d|ERR_FAILED|blocked by CORS policy/.test(complaint)),
      ).toEqual([])
      expect(await context.cookies()).toEqual([])
      expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
    } finally {
      await (prepare ? context : page).close()
    }
  }

  const ready = (page: Page, name: string) => page.waitForSelector(`${name}[data-ready]`)
  const shiftOf = (page: Page) => page.evaluate<number>('window.shift')
  const textOf = async (page: Page) =>
    (await page.locator('doorstep-promise .card').innerText()).replaceAll('\u00a0', ' ').replaceAll('\n\n', '\n')

  it('say when an order arrives, and move nothing', async () => {
    await visit({ body: promise('rows="2"') }, async (page, site) => {
      await ready(page, 'doorstep-promise')
      expect(new URL(page.url()).origin).toBe(site.origin)
      expect(site.origin).not.toBe(origin)
      const text = await textOf(page)
      expect(text).toMatch(
        /^Arrives \w+ \d+( \w+)? – \w+ \d+ \w+ if ordered within (\d+ h)? ?(\d+ min)?\nStandard · DHL\n/,
      )
      expect(text).toContain('Express · DHL')
      expect(await page.getByText('Arrives in 2 to 4 days.').isVisible()).toBe(false)
      await expectAccessible(page, 'promise at 1280 px')
      await takePicture(page, 'widgets-promise-1280')
      expect(await shiftOf(page)).toBe(0)
    })
  })

  it('are readable on a phone, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit({ body: promise() + tracking(), viewport: phone, colorScheme }, async (page) => {
        await ready(page, 'doorstep-promise')
        await ready(page, 'doorstep-tracking')
        await expectAccessible(page, `both in ${colorScheme}`)
        await takePicture(page, `widgets-390-${colorScheme}`)
        expect(await shiftOf(page)).toBe(0)
      })
    }
  })

  it('say the same as the API', async () => {
    await visit({ body: promise() }, async (page) => {
      await ready(page, 'doorstep-promise')
      const query = { country_code: 'DE', zip_code: '10115', products: 'SKU-1' }
      const says = async () => {
        const { body } = await shop.as('viewer').get('/delivery-promises', query)
        return [(await textOf(page)).split('\n')[0], body.promises[0].text]
      }
      // The minute may end between both.
      await expect.poll(async () => new Set(await says()).size).toBe(1)
    })
  })

  it('follow their attributes, and announce what has changed', async () => {
    // A Wednesday at noon: before a weekend, two more days of handling may lead to the same days of delivery.
    clock.advance(Date.UTC(2026, 10, 18, 11) - clock.now().getTime())
    await setPromises(shop, { warehouses: [{ ...leipzig, cut_offs: everyDay }] })
    await visit({ body: promise() }, async (page) => {
      await ready(page, 'doorstep-promise')
      const before = await textOf(page)
      const status = page.locator('doorstep-promise [role=status]')
      expect(await status.textContent()).toBe('')
      await page.evaluate("document.querySelector('doorstep-promise').setAttribute('products', 'SKU-BULKY')")
      await expect.poll(() => textOf(page)).not.toBe(before)
      const days = await page.locator('doorstep-promise strong').innerText()
      await expect.poll(() => status.textContent()).toBe(days)
      // No way to send it there: the fallback is true again.
      await page.evaluate("document.querySelector('doorstep-promise').setAttribute('country', 'US')")
      await page.getByText('Arrives in 2 to 4 days.').waitFor()
      await page.evaluate("document.querySelector('doorstep-promise').setAttribute('country', 'AT')")
      await ready(page, 'doorstep-promise')
      expect(await shiftOf(page)).toBe(0)
    })
  })

  it('count down each minute, and ask again after the cut-off', async () => {
    // At noon in Leipzig, two hours before the last order of the day.
    const noon = Date.UTC(2026, 10, 18, 11, 0, 30)
    clock.advance(noon - clock.now().getTime())
    await setPromises(shop, { warehouses: [leipzig] })
    const asked: string[] = []
    const prepare = async (page: Page) => {
      await page.clock.install({ time: noon })
      page.on('request', (request) => request.url().includes('/delivery-promises') && asked.push(request.url()))
    }
    await visit({ body: promise(), prepare }, async (page) => {
      await ready(page, 'doorstep-promise')
      expect(await textOf(page)).toContain('if ordered within 1 h 59 min')
      const days = await page.locator('doorstep-promise strong').innerText()
      await page.clock.runFor(2 * minuteMs)
      expect(await textOf(page)).toContain('if ordered within 1 h 57 min')
      expect(await page.locator('doorstep-promise [role=status]').textContent()).toBe('')
      expect(asked).toHaveLength(1)
      clock.advance(2 * hourMs)
      // To half a minute before the last order, and a few seconds past it: requests end by the page's clock, too.
      await page.clock.fastForward(117 * minuteMs)
      await page.clock.runFor(33_500)
      await expect.poll(() => textOf(page)).toMatch(/if ordered within 2[34] h/)
      expect(await page.locator('doorstep-promise strong').innerText()).not.toBe(days)
      expect(asked).toHaveLength(2)
      expect(await shiftOf(page)).toBe(0)
    })
    await setPromises(shop, { warehouses: [{ ...leipzig, cut_offs: everyDay }] })
  })

  it('look up an order with the keyboard alone, in place of the form', async () => {
    await visit({ body: tracking(), viewport: phone }, async (page) => {
      await ready(page, 'doorstep-tracking')
      const note = page.locator('doorstep-tracking #note')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => note.textContent()).toBe('Please enter your order number.')
      await page.keyboard.type(order.order_number)
      await page.keyboard.press('Enter')
      await expect.poll(() => note.textContent()).toBe('Please enter your zip code or your e-mail address.')
      await page.keyboard.type('99999')
      await page.keyboard.press('Enter')
      await page.getByText('We found no order with this number').locator('visible=true').waitFor()
      await expectAccessible(page, 'look-up without a result')
      await takePicture(page, 'widgets-not-found-390')
      await page.keyboard.press('Tab')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(order.email_id)
      await page.keyboard.press('Enter')
      const result = page.locator('doorstep-tracking .result')
      await result.waitFor()
      await expect.poll(() => result.locator('li').count()).toBe(3)
      expect(await focused(page)).toBe('H2')
      await expectAccessible(page, 'result')
      await takePicture(page, 'widgets-result-390')
      const link = await result.getByText('Show all details').getAttribute('href')
      expect(link).toContain(`/track/${shop.slug}/`)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await result.count()).toBe(0)
      expect(await focused(page)).toBe('INPUT')
      await expect.poll(() => note.textContent()).toContain('Enter your order number')
      expect(await shiftOf(page)).toBe(0)
    })
  })

  it('look an order up on a desk, and lead to its page, which may be framed there', async () => {
    await visit({ body: tracking() }, async (page) => {
      await ready(page, 'doorstep-tracking')
      await page.getByLabel('Order number').fill(order.order_number)
      await page.getByLabel('Zip code or e-mail address').fill('10115')
      await page.getByRole('button', { name: 'Show my order' }).click()
      await page.locator('doorstep-tracking .result').waitFor()
      await takePicture(page, 'widgets-result-1280')
      const address = await page.getByText('Show all details').getAttribute('href')
      expect(await shiftOf(page)).toBe(0)
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('iframe'), { src: '${address}', title: 'Order' }))`,
      )
      await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()
    })
  })

  it('show their fallback where the service, its script or the permission is missing, and move nothing', async () => {
    const seen = async (page: Page) => {
      await page.getByText('Arrives in 2 to 4 days.').waitFor()
      await page.getByRole('link', { name: 'Track your order' }).waitFor()
      expect(await page.locator('[data-ready]').count()).toBe(0)
      expect(await shiftOf(page)).toBe(0)
    }
    const body = promise() + tracking()
    const without = (pattern: string) => (page: Page) => page.route(`${origin}${pattern}`, (route) => route.abort())
    await visit({ body, prepare: without('/v1/**') }, async (page) => {
      await page.waitForFunction("customElements.get('doorstep-promise')")
      await seen(page)
      await takePicture(page, 'widgets-fallback-1280')
    })
    await visit({ body, prepare: without('/widgets/**') }, seen)
    await visit({ body: body.replaceAll(key, 'pk_wrong') }, async (page) => {
      await page.waitForLoadState('networkidle')
      await seen(page)
    })
    await shop.as('admin').patch('/embedding', { domains: ['shop.example'] })
    try {
      let complaint: Promise<unknown> = Promise.resolve()
      const prepare = async (page: Page) => {
        complaint = page.waitForEvent('console', (message) => message.text().includes('blocked by CORS policy'))
      }
      await visit({ body, prepare }, async (page) => {
        await complaint
        await seen(page)
      })
    } finally {
      await shop.as('admin').patch('/embedding', { domains: ['127.0.0.1'] })
    }
  })

  it('fit into the space that is kept for them in all 16 languages, on narrow phones as well', async () => {
    const body = `${promise('rows="3"')}${tracking()}`
    for (const language of languages) {
      const lang = language === 'gr' ? 'el' : language
      await visit({ body, viewport: narrow, lang }, async (page) => {
        for (const viewport of [narrow, phone]) {
          await page.setViewportSize(viewport)
          if (viewport === phone) await page.reload()
          await ready(page, 'doorstep-promise')
          await ready(page, 'doorstep-tracking')
          const what = `${language} at ${viewport.width} px`
          expect(await shiftOf(page), what).toBe(0)
          if (viewport === narrow) await expectAccessible(page, what, 'layout')
          if (language === 'hu') await takePicture(page, `widgets-hu-${viewport.width}`)
        }
      })
    }
  })
})

function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.shadowRoot.activeElement.tagName')
}
