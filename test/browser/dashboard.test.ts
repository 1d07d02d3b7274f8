import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../harness/browser.ts'
import { openDashboard, phone, picture, visit } from '../harness/dashboard.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

describeInBrowser('dashboard in a browser', () => {
  let shop: TestShop

  beforeAll(async () => {
    const { service } = await openDashboard()
    shop = await makeShop({ name: 'River & Pine' }, service)
  })

  it('is where the root address leads', async () => {
    await visit({}, async (page) => {
      await page.goto('/')
      await page.waitForURL(/\/dashboard/)
    })
  })

  it('asks a stranger to sign in, whatever the address', async () => {
    await visit({}, async (page) => {
      await page.goto(`/dashboard/${shop.slug}/orders`)
      await page.waitForURL(/\/dashboard\/sign-in/)
    })
  })

  it('shows somebody who is signed in their shop, without loading a page again', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      const documents: string[] = []
      page.on('request', (request) => request.resourceType() === 'document' && documents.push(request.url()))
      await page.goto(`/dashboard/${shop.slug}`)
      const navigation = page.getByRole('navigation').first()
      await navigation.getByRole('link', { name: 'Orders' }).click()
      await page.waitForURL(new RegExp(`/dashboard/${shop.slug}/orders`))
      expect(documents).toHaveLength(1)
      await picture(page, 'frame-1280')
      await page.setViewportSize(phone)
      await picture(page, 'frame-390')
    })
  })

  it('has menus for the keyboard: they open, take the focus and give it back', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await page.goto(`/dashboard/${shop.slug}`)
      const button = page.getByRole('button', { name: /account/i })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.locator('[role=menuitem][data-active-item]').waitFor()
      await picture(page, 'menu-1280')
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await page.locator('button[aria-haspopup=menu]:focus').waitFor()
      await button.click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(/\/dashboard\/sign-in/)
    })
  })

  it('speaks German to those who prefer it', async () => {
    await visit({ language: 'de', as: { shop, role: 'admin' } }, async (page) => {
      await page.goto(`/dashboard/${shop.slug}`)
      await page.getByRole('navigation').first().getByRole('link', { name: 'Bestellungen' }).waitFor()
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
    })
  })
})
