// How the dashboard feels on a slow phone: `npm run measure:dashboard`. Ends with 1 if a limit is exceeded.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { browserPath } from '../test/harness/browser.ts'
import { serviceSettings, startServiceProcess } from './lib/service.ts'
import { median, printTable } from './table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

/** A mobile network of the slower kind, and a processor a quarter as fast as this one. */
const network = { bitsPerSecond: 1_600_000, roundTripMs: 150 }
const cpuSlowdown = 4

const limits = { scriptAndStyleKb: 180, largestPaintMs: 2_500, interactionMs: 200 }

/** Runs in the page, and notes what the browser reports about paints and events. */
const observer = `{
  const paints = { first: 0, largest: 0, what: '' }
  let events = []
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, durationThreshold: 16 })
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') paints.first = startTime })
  watch('largest-contentful-paint', ({ startTime, element }) => {
    paints.largest = startTime
    paints.what = element ? (element.tagName + ' ' + element.textContent).slice(0, 40) : ''
  })
  watch('event', ({ duration }) => events.push(duration))
  window.measured = {
    paints: () => paints,
    longestEvent: () => Math.max(0, ...events),
    forgetEvents: () => { events = [] },
  }
}`

interface Loaded {
  scriptAndStyleKb: number
  requests: number
  firstPaintMs: number
  largestPaintMs: number
  /** The element that was painted last of the largest. */
  largest: string
}

const pages = [
  { name: 'sign-in', path: '/dashboard/sign-in', isSignedIn: false },
  { name: 'home', path: '/dashboard/demo', isSignedIn: true },
  { name: 'orders, 100 rows', path: '/dashboard/demo/orders?per_page=100', isSignedIn: true },
  { name: 'shipments, 100 rows', path: '/dashboard/demo/shipments?per_page=100', isSignedIn: true },
  { name: 'delivery performance', path: '/dashboard/demo/performance', isSignedIn: true },
  { name: 'claims desk', path: '/dashboard/demo/claims', isSignedIn: true },
  { name: 'campaigns', path: '/dashboard/demo/marketing/campaigns', isSignedIn: true },
  { name: 'carriers', path: '/dashboard/demo/carriers/providers', isSignedIn: true },
  { name: 'connect a shop', path: '/dashboard/demo/connect', isSignedIn: true },
]

const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-measure-'))
Object.assign(serviceSettings, { DEMO: '1' })
const service = await startServiceProcess({ DATA_DIR: dataDir })
const origin = `http://127.0.0.1:${service.port}`
const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  await untilDemoIsReady()
  await fetch(`${origin}/dashboard`)
  const cookie = await signIn()
  console.log(
    `Chromium ${browser.version()}, ${network.bitsPerSecond / 1e6} Mbit/s, ${network.roundTripMs} ms round trip, processor slowed ${cpuSlowdown}×, empty cache, median of ${rounds}\n`,
  )
  const isGood = [await measureLoading(cookie), await measureInteractions(cookie)].every((good) => good)
  process.exitCode = isGood ? 0 : 1
} finally {
  await browser.close()
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measureLoading(cookie: Cookie): Promise<boolean> {
  const rows: string[][] = []
  let isGood = true
  for (const { name, path, isSignedIn } of pages) {
    const loads: Loaded[] = []
    for (let round = 0; round < rounds; round += 1) {
      loads.push(
        await onSlowPhone(browser, isSignedIn ? cookie : undefined, (page, devtools) => load(page, devtools, path)),
      )
    }
    const of = (field: Exclude<keyof Loaded, 'largest'>) => median(loads.map((each) => each[field]))
    isGood &&= of('scriptAndStyleKb') <= limits.scriptAndStyleKb && of('largestPaintMs') < limits.largestPaintMs
    rows.push([
      name,
      of('scriptAndStyleKb').toFixed(1),
      String(of('requests')),
      of('firstPaintMs').toFixed(0),
      of('largestPaintMs').toFixed(0),
      loads.at(-1)?.largest ?? '',
    ])
  }
  printTable(['first load', 'script and style KB', 'requests', 'first paint ms', 'largest paint ms', 'of'], rows)
  console.log(`limits: ${limits.scriptAndStyleKb} KB, largest paint ${limits.largestPaintMs} ms\n`)
  return isGood
}

/** Loads a page and waits until nothing is loading any more. */
async function load(page: Page, devtools: CDPSession, path: string): Promise<Loaded> {
  const kinds = new Map<string, string>()
  let bytes = 0
  devtools.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (['Script', 'Stylesheet'].includes(kinds.get(requestId) ?? '')) bytes += encodedDataLength
  })
  await page.goto(`${origin}${path}`)
  await settled(page)
  const painted = await page.evaluate<{ first: number; largest: number; what: string }>('window.measured.paints()')
  return {
    scriptAndStyleKb: bytes / 1000,
    requests: kinds.size,
    firstPaintMs: painted.first,
    largestPaintMs: painted.largest,
    largest: painted.what,
  }
}

/** A person's actions in a list, and how long until the next frame shows each. */
async function measureInteractions(cookie: Cookie): Promise<boolean> {
  const rows: string[][] = []
  let isGood = true
  for (const { name, path } of pages.filter(({ path }) => path.includes('per_page'))) {
    await onSlowPhone(browser, cookie, async (page) => {
      await page.goto(`${origin}${path}`)
      await settled(page)
      const steps: [what: string, act: () => Promise<void>][] = [
        ['next row (J)', () => page.keyboard.press('j')],
        ['select a row', () => page.locator('tbody input[type=checkbox]').nth(3).click()],
        ['select all', () => page.locator('thead input[type=checkbox]').first().click()],
        [
          'type in the search box',
          () => page.locator('[data-search]').first().pressSequentially('RP-1', { delay: 120 }),
        ],
        ['open the command palette', () => page.keyboard.press('Control+k')],
      ]
      for (const [what, act] of steps) {
        const ms = await interactionMs(page, act)
        if (ms === undefined) continue
        isGood &&= ms < limits.interactionMs
        rows.push([name, what, String(ms)])
      }
    })
  }
  printTable(['list', 'interaction', 'ms until the next frame'], rows)
  console.log(`limit: ${limits.interactionMs} ms`)
  return isGood
}

/** The longest event of what a person does; undefined if the page has nothing to do it with. */
async function interactionMs(page: Page, act: () => Promise<void>): Promise<number | undefined> {
  await page.evaluate('window.measured.forgetEvents()')
  try {
    page.setDefaultTimeout(3_000)
    await act()
  } catch {
    return undefined
  } finally {
    page.setDefaultTimeout(60_000)
  }
  await page.waitForTimeout(500)
  const ms = await page.evaluate<number>('window.measured.longestEvent()')
  await settled(page)
  return ms
}

async function settled(page: Page): Promise<void> {
  await page.locator('#dashboard h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  // A screen that never ends to load is measured as it is.
  await page
    .locator('[aria-busy=true]')
    .first()
    .waitFor({ state: 'detached', timeout: 5_000 })
    .catch(() => {})
  await page.waitForTimeout(300)
}

type Cookie = { name: string; value: string }

async function onSlowPhone<Value>(
  browser: Browser,
  cookie: Cookie | undefined,
  use: (page: Page, devtools: CDPSession) => Promise<Value>,
): Promise<Value> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  context.setDefaultTimeout(60_000)
  if (cookie) await context.addCookies([{ ...cookie, url: origin, httpOnly: true, sameSite: 'Lax' }])
  try {
    const page = await context.newPage()
    await page.addInitScript({ content: observer })
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.roundTripMs,
      downloadThroughput: network.bitsPerSecond / 8,
      uploadThroughput: network.bitsPerSecond / 16,
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    return await use(page, devtools)
  } finally {
    await context.close()
  }
}

async function untilDemoIsReady(): Promise<void> {
  const { ADMIN_USERNAME, ADMIN_API_KEY } = serviceSettings
  const authorization = `Basic ${Buffer.from(`${ADMIN_USERNAME}:${ADMIN_API_KEY}`).toString('base64')}`
  for (;;) {
    const { status } = await fetch(`${origin}/v1/shops/demo`, { headers: { authorization } })
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function signIn(): Promise<Cookie> {
  const { ADMIN_USERNAME: username, ADMIN_API_KEY: api_key } = serviceSettings
  const response = await fetch(`${origin}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, api_key }),
  })
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  if (name === '') throw new Error(`signing in: ${response.status} ${await response.text()}`)
  return { name, value }
}
