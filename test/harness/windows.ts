import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { output } from './output.ts'
import { patienceMs } from './patience.ts'

/** A browser window's own settings. Size and colour scheme are set on its page and do not belong here. */
export interface WindowOptions extends Pick<BrowserContextOptions, 'locale'> {
  /** No test uses the window again, because its clock is moved, which nothing undoes. */
  isOwn?: boolean | undefined
}

interface Window {
  context: BrowserContext
  /** Open as long as the window, so that the process that draws its pages stays: a new one takes a tenth of the processor time. */
  anchor: Page
  /** The faults of the current visit's pages: requests to other hosts, errors and warnings. */
  complaints: string[]
}

const idle = new Map<string, Window[]>()

/**
 * Opens a page in a window that an earlier test left behind, or in a new one. A window that is used again still has the
 * scripts of the dashboard, so that its pages are there in a fraction of the time; its cookies and its storage are gone.
 * Pages reach our own host only (see stage.ts; intercepting their requests would switch off the cache). The second argument
 * of `use` collects what they complain about in the console.
 */
export async function usePage(
  browser: Browser,
  origin: string,
  options: WindowOptions,
  use: (page: Page, complaints: string[]) => Promise<void>,
): Promise<void> {
  const kind = JSON.stringify([origin, options])
  const window = idle.get(kind)?.pop() ?? (await openWindow(browser, origin, options))
  const { context, anchor, complaints } = window
  const page = await context.newPage()
  try {
    await use(page, complaints)
  } catch (error) {
    await takePictureOfFailure(page)
    // Its state is unknown, so no other test gets it.
    await context.close()
    throw error
  }
  if (options.isOwn) return context.close()
  await clear(context, anchor, origin)
  complaints.length = 0
  idle.set(kind, [...(idle.get(kind) ?? []), window])
}

const shared = new Map<string, Promise<BrowserContext>>()

/** The window with these settings, for pages that store nothing in it. It stays open for the next one, as long as the browser. */
export function shareWindow(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const kind = JSON.stringify(options)
  const window = shared.get(kind) ?? openShared(browser, options)
  shared.set(kind, window)
  return window
}

async function openShared(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  // As an anchor.
  await context.newPage()
  return context
}

/** A picture of the page as a failed test last saw it, named after the test. */
async function takePictureOfFailure(page: Page): Promise<void> {
  const name = (expect.getState().currentTestName ?? 'unknown').replaceAll(/[^a-zA-Z0-9]+/g, '-').slice(0, 150)
  // The page may be closed, and the failure itself matters more.
  await page.screenshot({ path: `${output}failed-${name}.jpg`, quality: 80, timeout: 10_000 }).catch(() => undefined)
}

async function openWindow(browser: Browser, origin: string, { locale }: WindowOptions): Promise<Window> {
  const complaints: string[] = []
  const context = await browser.newContext({
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    baseURL: origin,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(locale === undefined ? {} : { locale }),
  })
  context.setDefaultTimeout(patienceMs())
  context.on('request', (request) => {
    const { protocol, origin: other } = new URL(request.url())
    if (protocol.startsWith('http') && other !== origin) complaints.push(`a request to another host: ${request.url()}`)
  })
  context.on('page', (page) => {
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
  })
  const anchor = await context.newPage()
  await anchor.goto(`${origin}/healthz`)
  return { context, anchor, complaints }
}

/** Closes the pages of a visit, and removes what they stored except for the cache. */
async function clear(context: BrowserContext, anchor: Page, origin: string): Promise<void> {
  for (const page of context.pages()) if (page !== anchor) await page.close()
  const session = await context.newCDPSession(anchor)
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'cookies,local_storage,indexeddb,websql,service_workers,cache_storage',
  })
  await session.detach()
  await context.clearCookies()
}
