import { describe, expect, it } from 'vitest'
import { browserPath } from '../harness/browser.ts'
import { desk, expectGoodLooks, go, phone, visit } from '../harness/dashboard.ts'

describe.skipIf(browserPath() === undefined)('dashboard in a browser', { timeout: 300_000 }, () => {
  it('asks a stranger to sign in, whatever the address', async () => {
    for (const size of [desk, phone]) {
      await visit({ size }, async (page) => {
        await go(page, '/dashboard/a-shop/orders')
        await page.waitForURL(/\/dashboard\/sign-in/)
        expect(await page.locator('h1').count()).toBe(1)
      })
    }
  })

  it('looks good to a stranger', async () => {
    await visit({}, async (page) => {
      await go(page, '/dashboard/sign-in')
      await expectGoodLooks(page, 'sign-in')
    })
  })

  it('speaks German', async () => {
    await visit({ language: 'de' }, async (page) => {
      await go(page, '/dashboard/sign-in')
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
    })
  })
})
