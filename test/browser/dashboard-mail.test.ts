import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { createOrder } from '../harness/orders.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

async function openShop(fields: Record<string, unknown> = {}): Promise<TestShop> {
  const { service } = await openDashboard()
  return makeShop({ name: 'River & Pine', ...fields }, service)
}

const toast = (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).waitFor()
const path = (shop: TestShop, rest = '') => `/dashboard/${shop.slug}/settings/mail${rest}`
const group = 'shipment_out_for_delivery'

describeInBrowser('messages to customers in a browser', () => {
  it('are switched on, wait at night and stop for some addresses', async () => {
    const shop = await openShop()
    const admin = shop.as('admin')
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, path(shop))
      await page.getByText('Connect a mail server first.').waitFor()
      await expect.poll(() => page.getByRole('switch', { name: 'Send e-mail to customers' }).isDisabled()).toBe(true)
      const account = {
        host: 'smtp.shop.example',
        port: 587,
        security: 'starttls',
        username: 'shop',
        password: 'secret',
      }
      const sender = { from_name: 'River & Pine', from_address: 'hello@shop.example' }
      expect((await admin.put('/keys/smtp', { ...account, ...sender })).status).toBe(200)
      await go(page, path(shop))
      await page.getByText('River & Pine <hello@shop.example>').waitFor()
      await page.getByRole('switch', { name: 'Send e-mail to customers' }).click()
      await toast(page, 'E-mail is switched on')
      expect((await admin.get('/settings/mail')).body).toMatchObject({ is_on: true, source: 'shop' })
      await page.getByLabel('From', { exact: true }).fill('22:30')
      await page.getByLabel('Footer of all messages').fill('River & Pine GmbH, Uferweg 3, 10115 Berlin')
      await page.getByLabel('Domain for bounces').fill('not a domain')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Domain for bounces').fill('bounces.shop.example')
      await page.getByRole('button', { name: 'Save' }).click()
      await toast(page, 'It applies to the next message')
      await page.locator('.save-bar').waitFor({ state: 'detached' })
      expect((await admin.get('/settings/mail')).body).toMatchObject({
        quiet_hours: { enabled: true, from: '22:30' },
        bounce_domain: 'bounces.shop.example',
      })
      await expectGoodLooks(page, 'mail-settings')
      await page.getByText('Addresses for your mail provider').click()
      const hooks = (await admin.get('/mail/hooks')).body
      for (const value of [hooks.postmark_url, hooks.bounces_url, hooks.secret]) {
        await page.getByText(value, { exact: true }).waitFor()
      }
      await expectGoodLooks(page, 'mail-bounces')
      await page.getByRole('link', { name: '0 addresses' }).click()
      await page.getByText('Everybody gets your messages').waitFor()
      await page.getByRole('textbox', { name: 'Address' }).fill('mary@example.org')
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await toast(page, 'This address gets no more mail')
      await page.getByText('Stopped by a colleague').waitFor()
      await expectGoodLooks(page, 'mail-addresses')
      await page.getByRole('button', { name: /^Write to .* again$/ }).click()
      await page.getByText('Everybody gets your messages').waitFor()
    })
  })

  it("are listed in the order of a parcel's journey", async () => {
    const shop = await openShop()
    await shop.as('editor').put(`/mail/templates/${group}/de`, { subject: 'Heute kommt Ihr Paket' })
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, path(shop))
      await page.getByText('Changed: German').waitFor()
      await page.getByText('When the parcel is in the delivery van.').waitFor()
      await picture(page, 'mail-messages')
      await page.getByRole('link', { name: 'Out for delivery' }).click()
      await page.getByRole('heading', { name: 'Out for delivery' }).waitFor()
    })
  })

  it('are changed with a preview of the real message, and returned to our text', async () => {
    const shop = await openShop({ contact_email: 'hello@shop.example', shop_url: 'https://shop.example' })
    const order = await createOrder(shop.as('editor'), {}, [{ tracking_number: 'MAIL-PREVIEW-1' }])
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, path(shop, `/${group}?language=en`))
      const frame = page.frameLocator('iframe')
      await frame.locator('body').getByText('out for delivery').first().waitFor()
      await page.getByLabel('Subject', { exact: true }).fill('{frist_name}, it is nearly there')
      await page.getByLabel('Heading', { exact: true }).focus()
      await page.getByText('{frist_name} is not a variable. Did you mean {first_name}?').waitFor()
      await page.getByText('The draft has mistakes. You see it as it was before.').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      await picture(page, 'mail-editor-wrong')
      await page.getByLabel('Subject', { exact: true }).fill('{first_name}, it is nearly there')
      await page.locator('.mail-subject', { hasText: 'Ada, it is nearly there' }).waitFor()
      await page.getByRole('button', { name: 'Start from our text: Introduction' }).click()
      await page.getByLabel('Introduction', { exact: true }).fill('Hello {first_name},\nplease leave the dog inside <3')
      await frame.getByText('please leave the dog inside <3').waitFor()

      // By button and by keyboard; the focus stays with the block.
      await page.getByRole('button', { name: 'Move Help up' }).click()
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Move Help up')
      await page.keyboard.press('Alt+ArrowUp')
      await page.getByRole('status').filter({ hasText: 'Help is now number' }).waitFor({ state: 'attached' })
      await page.getByRole('checkbox', { name: 'Products' }).uncheck()
      await expectGoodLooks(page, 'mail-editor')

      await page.getByLabel('With').selectOption('bare')
      await page.getByLabel('Width').selectOption('phone')
      await page.getByLabel('Mode').selectOption('dark')
      await settled(page)
      await picture(page, 'mail-editor-phone-dark-message')
      await page.getByLabel('With').selectOption({ label: `Order ${order.order_number}` })
      await page.getByLabel('Format').selectOption('text')
      await page.locator('.mail-text', { hasText: order.order_number }).waitFor()
      await picture(page, 'mail-editor-text')

      await page.locator('.save-bar').getByRole('button', { name: 'Save' }).click()
      await toast(page, 'The next message is sent like this')
      await page.locator('.save-bar').waitFor({ state: 'detached' })
      const saved = (await shop.as('viewer').get(`/mail/templates/${group}/en`)).body.template
      expect(saved).toMatchObject({ subject: '{first_name}, it is nearly there', heading: null })
      expect(saved.blocks).not.toContain('products')
      expect(saved.blocks.indexOf('help')).toBeLessThan(saved.blocks.indexOf('deals'))

      await page.getByRole('button', { name: 'Return to our text' }).click()
      await toast(page, 'This message has our text again')
      expect((await shop.as('viewer').get(`/mail/templates/${group}/en`)).body.updated_at).toBeNull()
      await page.getByRole('button', { name: 'Undo' }).click()
      const subject = page.getByLabel('Subject', { exact: true })
      await expect.poll(() => subject.inputValue()).toBe('{first_name}, it is nearly there')
      expect((await shop.as('viewer').get(`/mail/templates/${group}/en`)).body.template).toEqual(saved)
    })
  })

  it('are written in every language, and what is not saved is not lost by mistake', async () => {
    const shop = await openShop({ language: 'de' })
    await shop.as('editor').put(`/mail/templates/${group}/fr`, { heading: 'Votre colis arrive' })
    await visit({ as: { shop, role: 'editor' }, language: 'de', size: phone }, async (page) => {
      await go(page, path(shop, `/${group}`))
      await page.getByLabel('Überschrift', { exact: true }).fill('Gleich ist es da')
      await page.frameLocator('iframe').getByText('Gleich ist es da').first().waitFor()
      await expectGoodLooks(page, 'mail-editor-german')
      await page.getByRole('button', { name: 'Französisch' }).click()
      await page.getByRole('button', { name: 'Hier bleiben' }).click()
      await page.locator('.save-bar').getByRole('button', { name: 'Speichern' }).click()
      await toast(page, 'Die nächste Nachricht wird so gesendet')
      await page.getByRole('button', { name: 'Französisch' }).click()
      await page.getByLabel('Überschrift', { exact: true }).and(page.locator('[value="Votre colis arrive"]')).waitFor()
      await expect
        .poll(() => page.getByLabel('Sprache').locator('option:checked').textContent())
        .toBe('Französisch · geändert')
    })
  })

  it('are tested with one address, and say what is missing', async () => {
    const shop = await openShop()
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, path(shop, `/${group}`))
      await page.getByRole('button', { name: 'Send a test message' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('To').fill('nobody')
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await dialog.getByText('must be an e-mail address').waitFor()
      await dialog.getByLabel('To').fill('you@shop.example')
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await dialog.getByText('There is no mail server yet. Connect one first.').waitFor()
      await picture(page, 'mail-test')
    })
  })

  it('are read by viewers', async () => {
    const shop = await openShop()
    await visit({ as: { shop, role: 'viewer' }, scheme: 'dark' }, async (page) => {
      await go(page, path(shop, `/${group}`))
      await page.getByText('Only editors of the shop can change this.').waitFor()
      await expect.poll(() => page.getByLabel('Subject', { exact: true }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'Send a test message' }).count()).toBe(0)
      await page.getByLabel('Width').selectOption('phone')
      await page.frameLocator('iframe').locator('body').getByText('River & Pine').first().waitFor()
      await go(page, path(shop, '/no_such_message'))
      await page.getByText('There is no such page').or(page.locator('.empty')).first().waitFor()
    })
  })
})
