import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../harness/accessibility.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { openStage, takePicture } from '../harness/stage.ts'
import { type MadePages, makePages } from '../harness/tracking-pages.ts'

const narrow = { width: 320, height: 640 }
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

const picture = (page: Page, name: string, { width }: { width: number }) =>
  takePicture(page, `tracking-${name}-${width}`)

interface Window {
  context: BrowserContext
  /** Requests to other hosts. */
  foreign: string[]
}

interface Visit {
  viewport?: typeof desk
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
  javaScriptEnabled?: boolean
}

describeInBrowser('tracking page in a browser', () => {
  let browser: Browser
  let origin: string
  let shop: TestShop
  let pages: MadePages

  beforeAll(async () => {
    const { service, ...opened } = await openStage()
    browser = opened.browser
    origin = opened.origin
    shop = await makeShop({ name: 'River & Pine', shop_faq_url: 'https://shop.example/faq' }, service)
    pages = await makePages(service, shop)
  })

  /** The windows of the visits, by their options. A visit leaves nothing behind in its window. */
  const windows = new Map<string, Window>()
  afterAll(async () => {
    for (const { context } of windows.values()) await context.close()
  })

  async function openWindow(options: Pick<Visit, 'javaScriptEnabled'>): Promise<Window> {
    const context = await browser.newContext({ locale: 'en-GB', ...options })
    const foreign: string[] = []
    await context.route(
      (url) => url.origin !== origin,
      (route) => {
        foreign.push(`${route.request().resourceType()} ${route.request().url()}`)
        return route.fulfill({ status: 200, contentType: 'image/svg+xml', body: drawing })
      },
    )
    // Open as long as the window, so that the process that draws its pages stays.
    await context.newPage()
    return { context, foreign }
  }

  /** A new page that can reach only our own host, and whose console errors fail the test. */
  async function open<Answer>(
    { viewport = desk, colorScheme = 'light', reducedMotion = 'no-preference', ...options }: Visit,
    use: (page: Page) => Promise<Answer>,
  ): Promise<Answer> {
    const kind = JSON.stringify(options)
    const window = windows.get(kind) ?? (await openWindow(options))
    windows.set(kind, window)
    const { context, foreign } = window
    foreign.length = 0
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    try {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion })
      const reply = await use(page)
      expect(complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))).toEqual([])
      expect(foreign.filter((request) => !/^(image|document) /.test(request))).toEqual([])
      expect(await context.cookies()).toEqual([])
      return reply
    } finally {
      await page.close()
    }
  }

  it('is accessible in every state, at every width, and at 320 px with everything unfolded', async () => {
    await open({ reducedMotion: 'reduce' }, async (page) => {
      for (const [name, path] of Object.entries(pages.paths)) {
        await page.setViewportSize(desk)
        await page.goto(`${origin}${path}`)
        await expectAccessible(page, `${name} at ${desk.width} px`)
        await picture(page, name, desk)
        await page.setViewportSize(phone)
        await expectAccessible(page, `${name} at ${phone.width} px`, 'layout')
        await picture(page, name, phone)
        await page.setViewportSize(narrow)
        await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        await expectAccessible(page, `${name} at ${narrow.width} px`, 'layout')
        if (name === 'long-names') await picture(page, name, narrow)
      }
    })
  })

  it('is accessible in dark mode', async () => {
    await open({ colorScheme: 'dark', reducedMotion: 'reduce' }, async (page) => {
      for (const name of ['on-its-way', 'several', 'wrong-palette', 'look-up'] as const) {
        await page.goto(`${origin}${pages.paths[name]}`)
        for (const size of [phone, desk]) {
          await page.setViewportSize(size)
          await expectAccessible(page, `${name} in dark mode at ${size.width} px`, 'colours')
          await picture(page, `${name}-dark`, size)
        }
      }
    })
  })

  it('has no animation for people who prefer reduced motion', async () => {
    const moving = (reducedMotion: 'reduce' | 'no-preference') =>
      open({ reducedMotion }, async (page) => {
        await page.goto(`${origin}${pages.paths['on-its-way']}`)
        return page.evaluate('document.getAnimations().length')
      })
    expect(await moving('reduce')).toBe(0)
    expect(await moving('no-preference')).toBeGreaterThan(0)
  })

  it('leads from the lookup to the order, by keyboard alone and without script', async () => {
    await open({ viewport: phone, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${origin}/track/${shop.slug}`)
      await page.keyboard.press('Tab')
      await expect.poll(() => page.locator(':focus').innerText()).toBe('Skip to the content')
      await page.locator('#number').focus()
      await page.keyboard.type(pages.orderNumber)
      await page.keyboard.press('Tab')
      await page.keyboard.type('wrong')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.locator('#number').inputValue()).toBe(pages.orderNumber)
      await takePicture(page, 'tracking-look-up-refused-390')
      await page.locator('#proof').fill('10115')
      await page.locator('#proof').press('Tab')
      await expect.poll(() => page.locator(':focus').innerText()).toBe('Show my order')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/track\/[^/]+\/[\w-]{64}$/)
      await expect.poll(() => page.locator('h1').innerText()).toBe('Your parcel is on its way')
    })
  })

  it('shows new events without a reload, and keeps the focus', async () => {
    const { path, trackingNumber } = await pages.sendAnother()
    await open({ viewport: desk }, async (page) => {
      await page.goto(`${origin}${path}`)
      await page.evaluate('window.isTheSamePage = true')
      const link = page.getByRole('link', { name: 'Report a problem' })
      await link.focus()
      const scan = { id: trackingNumber, event_name: 'OUT_FOR_DELIVERY' }
      expect((await shop.as('editor').post('/shipment-events', scan)).status).toBe(200)
      await page.locator('h1', { hasText: 'out for delivery' }).waitFor()
      expect(await page.evaluate('window.isTheSamePage')).toBe(true)
      await expect.poll(() => page.locator('#announcement').innerText()).toContain('Your parcel is out for delivery')
      expect(await page.title()).toContain('Your parcel is out for delivery')
      await expect.poll(() => page.locator(':focus').innerText()).toBe('Report a problem')
      await expectAccessible(page, 'the renewed page')
      await takePicture(page, 'tracking-renewed-1280')
      // And again, because the page continues to watch.
      await shop.as('editor').post('/shipment-events', { id: trackingNumber, event_name: 'SUCCESSFULLY_DELIVERED' })
      await page.locator('h1', { hasText: 'has arrived' }).waitFor()
    })
  })

  it('comes back when its stream was rejected, after as long as the head says', async () => {
    const { path, trackingNumber } = await pages.sendAnother()
    await open({ viewport: desk }, async (page) => {
      const requested: string[] = []
      await page.route(`**${path}/events*`, (route) => {
        const method = route.request().method()
        requested.push(method)
        const isFull = requested.length <= 2
        return isFull ? route.fulfill({ status: 429, headers: { 'retry-after': '1' } }) : route.continue()
      })
      await page.goto(`${origin}${path}`)
      await expect.poll(() => requested, { timeout: 30_000 }).toEqual(['GET', 'HEAD', 'GET'])
      await shop.as('editor').post('/shipment-events', { id: trackingNumber, event_name: 'OUT_FOR_DELIVERY' })
      await page.locator('h1', { hasText: 'out for delivery' }).waitFor()
    })
  })

  it('changes its language by the switch, and its links use it too', async () => {
    await open({ viewport: phone }, async (page) => {
      await page.goto(`${origin}${pages.paths['on-its-way']}`)
      const menu = page.locator('.languages summary')
      await menu.focus()
      await page.keyboard.press('Enter')
      await takePicture(page, 'tracking-languages-390')
      await expectAccessible(page, 'the open menu')
      await page.keyboard.press('Escape')
      expect(await page.getByRole('link', { name: 'Deutsch' }).isVisible()).toBe(false)
      await menu.click()
      await page.getByRole('link', { name: 'Deutsch' }).click()
      await page.waitForURL(/lang=de/)
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
      await expect.poll(() => page.locator('h1').innerText()).toBe('Ihr Paket ist unterwegs')
      await takePicture(page, 'tracking-german-390')
      await page.locator('#claims .button').click()
      await page.waitForURL(/claim.*lang=de/)
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
    })
  })

  it('links a campaign to the shop', async () => {
    await open({ viewport: desk }, async (page) => {
      await page.goto(`${origin}${pages.paths['on-its-way']}`)
      // Counted by us first; the shop itself cannot be reached from here.
      const asked = page.waitForRequest('https://shop.example/socks')
      await page.getByRole('link', { name: 'To the socks' }).click()
      await asked
    })
  })

  it('shows its content with one request and 50 KB', async () => {
    await open({ viewport: phone }, async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      // Throttled as Lighthouse does for a phone: 1.6 Mbit/s and 150 ms per round trip.
      const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
      await session.send('Network.emulateNetworkConditions', line)
      let bytes = 0
      const needed: string[] = []
      page.on('response', async (response) => {
        const kind = response.request().resourceType()
        if (kind === 'image' || kind === 'eventsource') return
        needed.push(kind)
        bytes += (await response.body()).length
      })
      await page.goto(`${origin}${pages.paths['on-its-way']}`, { waitUntil: 'load' })
      const paint = await page.evaluate(`new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
          .observe({ type: 'largest-contentful-paint', buffered: true })
      })`)
      console.log(
        `largest contentful paint on a slow line: ${Math.round(Number(paint))} ms, ${bytes} bytes, ${needed.join(', ')}`,
      )
      expect(needed.filter((kind) => kind !== 'script')).toEqual(['document'])
      expect(bytes).toBeLessThan(50_000)
    })
  })
})

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#7a9"/><circle cx="4" cy="4" r="2" fill="#cde"/></svg>'
