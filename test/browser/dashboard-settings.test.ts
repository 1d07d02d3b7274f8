import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

async function openShop(fields: Record<string, unknown> = {}): Promise<TestShop> {
  const { service } = await openDashboard()
  return makeShop({ name: 'River & Pine', ...fields }, service)
}

const toast = (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).waitFor()

describeInBrowser('settings in a browser', () => {
  it('change the shop, its logo and its texts in several languages', async () => {
    const shop = await openShop({ contact_email: 'hello@shop.example', language: 'de' })
    const admin = shop.as('admin')
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/shop`)
      await page.getByLabel('Company').fill('River Group')
      await page.getByLabel('Address of the shop', { exact: true }).fill('not an address')
      await page
        .getByLabel('German (the shop’s language)')
        .or(page.getByLabel(/^German/))
        .fill('Warme Sachen')
      await page.getByLabel('Add a language').selectOption('en')
      await page.getByLabel('English').fill('Warm things')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      await picture(page, 'settings-shop-wrong')
      await page.getByLabel('Address of the shop', { exact: true }).fill('https://shop.example/')
      const logo = await sharp({ create: { width: 240, height: 60, channels: 3, background: '#1f3a5f' } })
        .png()
        .toBuffer()
      await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
      await page.getByRole('img', { name: 'The logo of your shop' }).waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await toast(page, 'The shop was saved')
      await page.locator('.save-bar').waitFor({ state: 'detached' })
      await expectGoodLooks(page, 'settings-shop')
    })
    expect((await admin.get('/profile')).body).toMatchObject({
      organization: 'River Group',
      shop_url: 'https://shop.example/',
      logo_url: expect.stringContaining('/v1/images/logo-'),
      descriptions: expect.arrayContaining([
        { language: 'de', text: 'Warme Sachen' },
        { language: 'en', text: 'Warm things' },
      ]),
    })
    await visit({ as: { shop, role: 'viewer' }, size: phone, language: 'de' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/shop`)
      await page.getByText('Nur Admins des Shops können das ändern.').waitFor()
      expect(await page.getByRole('textbox').count()).toBe(0)
      await picture(page, 'settings-shop-viewer-german')
    })
  })

  it('preview colours before they are saved, and say what is hard to read', async () => {
    const shop = await openShop()
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/palette`)
      await page.getByText('All colours are easy to read').waitFor()
      const preview = page.frameLocator('iframe')
      await preview.locator('h1').waitFor()
      await expectGoodLooks(page, 'settings-palette')
      await page.getByRole('textbox', { name: 'Main colour', exact: true }).fill('#F2C200')
      await page.getByText(/Text in this yellow is hard to read .* We darken it to #/).waitFor()
      await page.waitForFunction("document.querySelector('iframe').src.includes('F2C200')")
      await preview.locator('h1').waitFor()
      await page.getByLabel('Mode').selectOption('dark')
      await preview.locator('meta[name=color-scheme][content=dark]').waitFor({ state: 'attached' })
      await picture(page, 'settings-palette-yellow-dark')
      await page.getByLabel('Language').selectOption('fr')
      await preview.locator('html[lang=fr]').waitFor()
      expect((await shop.as('viewer').get('/settings/brand-palette')).body.primary_dark).toBe('#1F3A5F')
      await page.getByRole('button', { name: 'Save' }).click()
      await toast(page, 'The colours were saved')
      expect((await shop.as('viewer').get('/settings/brand-palette')).body.primary_dark).toBe('#F2C200')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('All colours are easy to read').waitFor()
      expect((await shop.as('viewer').get('/settings/brand-palette')).body.primary_dark).toBe('#1F3A5F')
      await page.getByRole('textbox', { name: 'Background', exact: true }).fill('#12')
      await page.getByText('Write a colour as # and six digits').first().waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
    })
    await visit({ as: { shop, role: 'viewer' }, language: 'de', size: phone, scheme: 'dark' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/palette`)
      await page.getByText('Alle Farben sind gut lesbar').waitFor()
      expect(await page.getByRole('button', { name: 'Standardfarben' }).count()).toBe(0)
      await picture(page, 'settings-palette-viewer-german')
    })
  })

  it('map fields of shop systems', async () => {
    const shop = await openShop()
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/mappings`)
      await page.getByRole('link', { name: 'Unknown codes' }).first().waitFor()
      const shopify = page.getByRole('region', { name: 'Shopify' })
      await shopify.getByRole('button', { name: 'Add a rule' }).click()
      await shopify.getByLabel('Name in the shop system').fill('Marketplace order')
      await shopify.getByLabel('Becomes').fill('marketplace_order_number')
      await expectGoodLooks(page, 'settings-mappings')
      await page.locator('.save-bar').getByRole('button', { name: 'Save' }).click()
      await toast(page, 'The rules were saved')
    })
    expect((await shop.as('viewer').get('/settings/mappings')).body.data['shopify.order']).toEqual([
      { source: { type: 'note_attribute', key: 'Marketplace order' }, target: 'marketplace_order_number' },
    ])
  })

  it('show who changed what, with the values before and after', async () => {
    const shop = await openShop()
    const admin = shop.as('admin')
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      const ada = (await admin.post('/api-keys', { username: 'Ada', role: 'editor' })).body
      const auth = { username: 'Ada', apiKey: ada.secret }
      const hook = (await admin.post('/webhooks', { url: 'https://receiver.example/hook' })).body
      await admin.patch(`/webhooks/${hook.uuid}`, { status: 'inactive', description: 'Paused for the move' })
      await admin.put('/keys/klaviyo', { api_key: 'pk_first-secret-of-klaviyo' })
      await admin.patch('/settings/brand-palette', { background: '#FFF8E7' })
      await admin.post('/announcements', { text: 'Closed on Monday', language: 'en' }, { auth })
      await go(page, `/dashboard/${shop.slug}/settings/audit-log`)
      await page.getByRole('link', { name: 'Announcement created' }).waitFor()
      await expectGoodLooks(page, 'settings-audit-log')
      await page.getByRole('link', { name: 'Webhook changed' }).click()
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('row', { name: /Status active inactive/ }).waitFor()
      await expectGoodLooks(page, 'settings-audit-log-entry')
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Who' }).click()
      await page.getByRole('menuitemradio', { name: 'Ada' }).click()
      await page.waitForURL('**/audit-log?who=Ada')
      await settled(page)
      await page.getByRole('link', { name: 'Webhook changed' }).waitFor({ state: 'detached' })
      await expect.poll(() => page.getByRole('link', { name: 'Announcement created' }).count()).toBe(1)
      await go(page, `/dashboard/${shop.slug}/settings/audit-log?who=Nobody`)
      await page.getByText('Nothing matches').waitFor()
      await picture(page, 'settings-audit-log-nothing')
    })
    await visit({ as: { shop, role: 'admin' }, language: 'de', size: phone, scheme: 'dark' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/audit-log`)
      await page.getByRole('link', { name: 'Markenfarben geändert' }).waitFor()
      await picture(page, 'settings-audit-log-german')
    })
  })

  it('page through a thousand changes', async () => {
    const shop = await openShop()
    const { service } = await openDashboard()
    const { id: shopId } = await service.database.db
      .selectFrom('shops')
      .where('slug', '=', shop.slug)
      .select('id')
      .executeTakeFirstOrThrow()
    const now = Date.now()
    await service.database.db
      .insertInto('audit_log')
      .values(
        Array.from({ length: 1_000 }, (_, n) => ({
          id: `${(now - n * 60_000)
            .toString(16)
            .padStart(12, '0')
            .replace(/^(.{8})/, '$1-')}-7000-8000-${String(n).padStart(12, '0')}`,
          shop_id: shopId,
          recorded_at: new Date(now - n * 60_000),
          actor_kind: 'automation' as const,
          actor_id: shopId,
          actor_name: 'Complain about losses of very many parcels at once',
          action: 'updateClaim',
          area: 'Claims',
          subject_kind: 'claim',
          subject_id: shopId,
          subject_name: String(10_000 + n),
          changes: JSON.stringify({ status: { before: 'pending', after: 'accepted' } }),
        })),
      )
      .execute()
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/audit-log`)
      await page.getByText('1–50 of 1,001').waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('51–100 of 1,001').waitFor()
      await page.waitForURL('**/audit-log?page=2')
      await picture(page, 'settings-audit-log-thousand')
    })
  })

  it('export a customer, erase them in numbers, and hand out a receipt', async () => {
    const shop = await openShop()
    const admin = shop.as('admin')
    const email = `joan-${uniqueNumber()}@customer.example`
    for (const n of [1, 2]) {
      const order = await createOrder(admin, { email_id: email }, [{ tracking_number: uniqueNumber(`P${n}`) }])
      await admin.post('/claims', { shipment_id: order.trackings[0].uuid, reason: 'damage', description: 'Broken' })
    }
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/privacy`)
      await page.getByLabel('E-mail address of the customer').fill('nobody@customer.example')
      await page.keyboard.press('Enter')
      await page.getByText('Nothing is stored about nobody@customer.example').waitFor()
      await picture(page, 'settings-privacy-nothing')
      await page.getByLabel('E-mail address of the customer').fill(email.toUpperCase())
      await page.getByRole('button', { name: 'Look up' }).click()
      await page.getByRole('heading', { name: /^Stored about/ }).waitFor()
      await expectGoodLooks(page, 'settings-privacy-found')
      const exporting = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download everything' }).click()
      const file = JSON.parse(readFileSync(await (await exporting).path(), 'utf8'))
      expect(file.orders).toHaveLength(2)
      await page.getByRole('button', { name: 'Erase …' }).click()
      await page.getByText('Removes name, address and e-mail from 2 orders').waitFor()
      await expectGoodLooks(page, 'settings-privacy-confirm')
      const size = page.viewportSize()
      await page.setViewportSize(phone)
      // A long address must not push the buttons out of the dialog.
      const cutOff =
        'document.querySelector("dialog[open]").scrollWidth - document.querySelector("dialog[open]").clientWidth'
      expect(await page.evaluate(cutOff)).toBe(0)
      if (size) await page.setViewportSize(size)
      await page.getByRole('button', { name: 'Erase 2 orders' }).click()
      await page.getByRole('heading', { name: 'Receipt' }).waitFor()
      await expectGoodLooks(page, 'settings-privacy-receipt')
      const receiving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download', exact: true }).click()
      const receipt = JSON.parse(readFileSync(await (await receiving).path(), 'utf8'))
      expect(receipt).toMatchObject({ orders: 2, claims: 2 })
      expect(JSON.stringify(receipt).toLowerCase()).not.toContain(email)
      await page.getByRole('link', { name: 'Show it in the audit log' }).click()
      await page.getByRole('link', { name: 'Customer data erased' }).waitFor()
    })
    expect((await admin.get('/orders', { email_id: email })).body).toEqual([])
  })
})
