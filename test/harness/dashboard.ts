import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { GrantableRole } from '../../src/platform/foundation/roles.ts'
import type { Service } from '../../src/service.ts'
import { expectAccessible, type Scope } from './accessibility.ts'
import { ensureFresh } from './built.ts'
import { patienceMs } from './patience.ts'
import { call, superadmin } from './service.ts'
import type { TestShop } from './shop.ts'
import { openStage, type Stage, takePicture, takesPictures } from './stage.ts'
import { usePage } from './windows.ts'

export const desk = { width: 1280, height: 900 }
export const phone = { width: 390, height: 844 }

export interface Visitor {
  /** The person who signs in before the first page; nobody by default. */
  as?: { shop: TestShop; role: GrantableRole } | 'superadmin'
  size?: typeof desk
  scheme?: 'light' | 'dark'
  language?: 'en' | 'de'
  movesClock?: boolean
}

/** The stage with a dashboard to visit. */
export async function openDashboard(): Promise<Stage> {
  await ensureFresh('dashboard')
  return openStage()
}

/**
 * Opens a page for a visitor whom the browser does not know. It reaches our own host only, and its console must stay free of
 * errors and of violations of the page's policy.
 */
export async function visit(visitor: Visitor, use: (page: Page, origin: string) => Promise<void>): Promise<void> {
  const { browser, service, origin } = await openDashboard()
  await usePage(
    browser,
    origin,
    { locale: visitor.language === 'de' ? 'de-DE' : 'en-GB', isOwn: visitor.movesClock },
    async (page, complaints) => {
      await page.setViewportSize(visitor.size ?? desk)
      await page.emulateMedia({ colorScheme: visitor.scheme ?? 'light' })
      if (visitor.as) await signIn(page.context(), service, origin, await credentialsOf(visitor.as))
      await use(page, origin)
      // A rejected request is part of many tests; the browser reports each.
      expect(complaints.filter((complaint) => !/status of 4\d\d/.test(complaint)).join('\n')).toBe('')
    },
  )
}

/** Goes to an address of the dashboard, and waits until its content is there. */
export async function go(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await settled(page)
}

/** Waits until the page has its heading and nothing is loading any more, and all of it is painted. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#dashboard h1').first().waitFor()
  await page.evaluate(untilNothingLoads())
}

/** Waits in rounds: data that was loaded may begin to load more. */
const untilNothingLoads = () => `(async () => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const deadline = Date.now() + ${patienceMs()}
  do {
    await painted()
    if (Date.now() > deadline) throw new Error('the page is still loading')
  } while (document.querySelector('[aria-busy=true]'))
})()`

/**
 * Checks the page as it is now at both widths and in both colour schemes: accessible, nothing scrolls sideways.
 * `npm run test:pictures` leaves a screenshot of each in test/output: `dashboard-<name>-<width>-<scheme>.jpg`.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? desk
  const check = async (size: typeof desk, colorScheme: 'light' | 'dark', scope: Scope) => {
    if (page.viewportSize()?.width !== size.width) await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await page.evaluate(untilNothingLoads())
    await expectAccessible(page, `${name} at ${size.width} px, ${colorScheme}`, scope)
    await picture(page, `${name}-${size.width}-${colorScheme}`)
  }
  await settled(page)
  await check(desk, 'light', 'everything')
  await check(desk, 'dark', 'colours')
  // Colours do not depend on the width.
  if (takesPictures) await check(phone, 'dark', 'colours')
  await check(phone, 'light', 'layout')
  if (before.width !== phone.width) await page.setViewportSize(before)
  await page.evaluate(untilNothingLoads())
}

/** A screenshot for people to review. A notice that is shown stays under the mouse until something else is pressed. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!takesPictures) return
  const notice = page.locator('.toast').last()
  // It may go away just now.
  if ((await notice.count()) > 0) await notice.hover({ timeout: 3_000 }).catch(() => undefined)
  await takePicture(page, `dashboard-${name}`)
}

async function credentialsOf(who: NonNullable<Visitor['as']>): Promise<{ username: string; apiKey: string }> {
  return who === 'superadmin' ? superadmin : who.shop.credentials(who.role)
}

/** As the form does it: the service answers with a cookie. */
async function signIn(
  context: BrowserContext,
  service: Service,
  origin: string,
  { username, apiKey }: { username: string; apiKey: string },
): Promise<void> {
  const reply = await call(
    'POST',
    '/v1/session',
    { auth: null, body: { username, api_key: apiKey }, headers: { 'sec-fetch-site': 'same-origin' } },
    service,
  )
  const [name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(String(reply.headers['set-cookie']))?.slice(1) ?? []
  expect(name, `signing in: ${reply.status} ${reply.text}`).not.toBe('')
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
}
