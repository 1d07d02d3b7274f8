import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { renderTeamMail } from '../../src/messages/rendering/team/render.ts'
import type { TeamMailView } from '../../src/messages/team-mail/view.ts'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard } from '../harness/dashboard.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { anyEmail, makeMember, password } from '../harness/people.ts'
import { openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { openStage, takePicture } from '../harness/stage.ts'
import { accountOf, linkIn } from '../harness/team-mail.ts'

describeInBrowser('messages to the team, in a browser', () => {
  const newPassword = 'eleven letters to the moon'
  let service: Service
  let server: Awaited<ReturnType<typeof startMailServer>>

  beforeAll(async () => {
    await openDashboard()
    server = await startMailServer()
    const settings = { PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: '' }
    service = await startTestService(settings, await openTestDatabase(), { mailAccount: accountOf(server) })
  }, 300_000)
  afterAll(async () => {
    await service?.stop()
    await server?.close()
  })

  async function visit(use: (page: Page) => Promise<void>, locale = 'en-GB'): Promise<void> {
    const { browser } = await openStage()
    const context = await browser.newContext({ baseURL: service.url, locale, reducedMotion: 'reduce' })
    try {
      await use(await context.newPage())
    } finally {
      await context.close()
    }
  }

  async function signIn(page: Page, email: string, secret = password): Promise<void> {
    await go(page, '/dashboard/sign-in')
    await page.getByLabel('E-mail address or user name').fill(email)
    await page.getByLabel('Password or API key').fill(secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Password or API key').waitFor({ state: 'detached' })
  }

  it('lead somebody who forgot their password back in', async () => {
    const shop = await makeShop({ name: 'River & Pine' }, service)
    const { email } = await makeMember([{ shop_slug: shop.slug, role: 'editor' }], service)
    await visit(async (page) => {
      await go(page, '/dashboard/sign-in')
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByText('Type a complete e-mail address.').waitFor()
      await expectGoodLooks(page, 'team-mail-forgotten')
      await page.getByLabel('E-mail address').fill(email)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Look in your inbox' }).waitFor()
      await expectGoodLooks(page, 'team-mail-forgotten-sent')
      await service.workers?.teamMails.runDue()
      const mail = server.mails.findLast(({ envelope }) => envelope.to.includes(email))
      expect(mail?.subject).toBe('Set a new password')
      await page.goto(linkIn(mail))
      await page.getByLabel('New password').fill(newPassword)
      await page.getByRole('button', { name: 'Save and sign in' }).click()
      await page.waitForURL(`**/dashboard/${shop.slug}`)
    })
  })

  it('are chosen by each person, and by admins for others', async () => {
    const shop = await makeShop({ name: 'River & Pine' }, service)
    const { email } = await makeMember([{ shop_slug: shop.slug, role: 'admin' }], service)
    await visit(async (page) => {
      await signIn(page, email)
      await go(page, '/dashboard/account')
      await page.getByRole('link', { name: 'Choose your messages' }).click()
      await page.getByRole('heading', { name: 'Messages to you', exact: true }).waitFor()
      await page.getByLabel('Every morning').check()
      await page.locator('.toast', { hasText: 'Saved' }).first().waitFor()
      await page.getByRole('button', { name: 'Add an address' }).click()
      const address = page.locator('.team-address').first()
      await address.getByLabel('E-mail address').fill('not an address')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Type a complete e-mail address that is not listed yet.').first().waitFor()
      await expectGoodLooks(page, 'team-mail-wrong')
      await address.getByLabel('E-mail address').fill('logistics@river-and-pine.example')
      await page.getByLabel('Time zone').selectOption('Europe/Vienna')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('.save-bar').waitFor({ state: 'detached' })
      await go(page, `/dashboard/${shop.slug}/settings/team-mail`)
      await expect.poll(() => page.getByLabel('Every morning').isChecked()).toBe(true)
      await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Europe/Vienna')
      await expectGoodLooks(page, 'team-mail')
    })
  })

  it('say in the dialog that an invitation was mailed', async () => {
    const shop = await makeShop({ name: 'River & Pine' }, service)
    const { email } = await makeMember([{ shop_slug: shop.slug, role: 'admin' }], service)
    await visit(async (page) => {
      await signIn(page, email)
      await go(page, `/dashboard/${shop.slug}/settings/people`)
      await page.getByRole('button', { name: 'Invite' }).first().click()
      await page.getByLabel('E-mail address', { exact: true }).fill(anyEmail())
      await page.getByRole('button', { name: 'Invite this person' }).click()
      await page.getByRole('heading', { name: 'Invitation on its way' }).waitFor()
      await expectGoodLooks(page, 'team-mail-invited')
    })
  })

  it.each(Object.keys(samples()))('look good on a phone and in a window: %s', async (name) => {
    const { browser } = await openStage()
    const { html } = renderTeamMail(samples()[name] as TeamMailView) // one of its keys
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 600]) {
        const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
        await page.setContent(html)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        await takePicture(page, `mail-team-${name}-${width}-${colorScheme}`)
        await page.close()
      }
    }
  })
})

function samples(): Record<string, TeamMailView> {
  const url = 'https://doorstep.example/dashboard/invitation#token=b7Vw0n3mQm2s8cZ1yT4kXq6rJ9dLhU5gPfEoAiNvKxY'
  const dashboardUrl = 'https://doorstep.example/dashboard'
  const base = { name: 'Mia Sommer', dashboardUrl }
  const inShop = {
    shopName: 'River & Pine',
    isAddedAddress: false,
    settingsUrl: `${dashboardUrl}/river/settings/team-mail`,
  }
  const parcel = { carrier: 'DHL', url: dashboardUrl }
  return {
    invitation: {
      ...base,
      kind: 'invitation',
      language: 'en',
      url,
      expiresInDays: 7,
      shopNames: ['River & Pine', 'Kiefer & Fluss'],
      invitedBy: 'Jonas Berg',
    },
    reset: { ...base, kind: 'reset', language: 'de', url, expiresInHours: 24, createdBy: null },
    digest: {
      ...base,
      ...inShop,
      kind: 'digest',
      language: 'de',
      period: 'weekly',
      from: '2026-11-09',
      to: '2026-11-15',
      delivered: 1_284,
      deliveredBefore: 1_190,
      onTime: { rate: 0.943, before: 0.917, target: { days: 3, unit: 'business' } },
      exceptions: {
        open: 14,
        new: 5,
        kinds: [
          { kind: 'lost', count: 1 },
          { kind: 'stuck', count: 9 },
          { kind: 'late', count: 4 },
        ],
        parcels: [
          { ...parcel, kind: 'lost', orderNumber: '10234', days: 6 },
          { ...parcel, kind: 'stuck', orderNumber: '10251', days: 5 },
          { ...parcel, kind: 'stuck', orderNumber: '10252', carrier: null, days: 1 },
        ],
        url: dashboardUrl,
      },
      claims: { waiting: 3, oldestDays: 4, url: dashboardUrl },
      withdrawals: { waiting: 1, url: dashboardUrl },
    },
    alert: {
      ...base,
      ...inShop,
      kind: 'alert',
      language: 'en',
      failing: [
        {
          type: 'webhook',
          label: 'hooks.river-and-pine.example',
          since: '16 Nov, 13:05',
          url: dashboardUrl,
          status: 503,
        },
        { type: 'provider', label: 'dhl', since: '16 Nov, 13:40', url: dashboardUrl, status: null },
      ],
      recovered: [{ type: 'integration', label: 'klaviyo', since: '16 Nov, 11:15', url: dashboardUrl }],
    },
  }
}
