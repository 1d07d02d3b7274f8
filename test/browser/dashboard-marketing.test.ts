import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { createCampaign } from '../harness/campaigns.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { createOrder } from '../harness/orders.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let service: Service
let shop: TestShop
/** The path of a customer's tracking page. */
let trackingPage: string

const address = (path: string) => `/dashboard/${shop.slug}/marketing/${path}`
const preview = (page: Page) => page.frameLocator('iframe')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** The real page of a customer, as the merchant's visit, which is not counted. */
async function customerSees(page: Page, words: string): Promise<void> {
  await page.goto(`${trackingPage}?from=dashboard&lang=en`)
  await page.getByText(words).first().waitFor()
}

describeInBrowser('marketing in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
    shop = await makeShop({ language: 'en', name: 'River & Pine' }, service)
    const editor = shop.as('editor')
    const order = await createOrder(editor, { products: [{ title: 'Rain jacket', quantity: 1 }] }, [
      { tracking_number: 'JD0140777', carrier_reference: 'dhl' },
    ])
    const { body } = await editor.post('/orders/trackpage-url', { id: order.order_number, id_type: 'order_number' })
    trackingPage = new URL(body.url).pathname
    await editor.post('/products', [
      {
        product_id: '1',
        variant_id: '1',
        title: 'Larch wool socks',
        sku: 'LARCH-39',
        price: 24.95,
        product_url: 'https://shop.example/larch',
        translations: { de: { title: 'Wollsocken Larch' } },
      },
      { product_id: '2', variant_id: '2', title: 'Rain jacket', price: 89.9, product_url: 'https://shop.example/rain' },
    ])
  }, 300_000)

  it('teaches where there is nothing yet', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      for (const [path, words] of [
        ['campaigns', 'No campaigns yet'],
        ['discounts', 'No discounts yet'],
        ['deals', 'No deals yet'],
        ['announcements', 'No announcements yet'],
      ] as const) {
        await go(page, address(path))
        await page.getByText(words).waitFor()
        await expectGoodLooks(page, `marketing-${path}-empty`)
      }
      // The group leads to its first page.
      await go(page, address(''))
      await page.waitForURL(/marketing\/campaigns/)
    })
  })

  it('makes a discount, shows it as customers will see it, and finds it again', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('discounts/new'))
      await page.getByLabel('Value', { exact: true }).fill('120')
      await button(page, 'Create discount').click()
      const summary = page.getByRole('alert')
      await summary.waitFor()
      await expect.poll(() => summary.innerText()).toContain('Title: Needs a title or a code.')
      await expect.poll(() => summary.innerText()).toContain('Value: Must be between 0 and 100.')
      await page.getByText('What you write appears here as soon as it has no mistakes.').waitFor()
      await expectGoodLooks(page, 'marketing-discount-problems')
      await page.getByLabel('Title').fill('10 % off your next order')
      await page.getByLabel('Code').fill('WELCOME10')
      await page.getByLabel('Value', { exact: true }).fill('10')
      await preview(page).getByText('WELCOME10').waitFor()
      await button(page, 'Create discount').click()
      await page.getByText('Discount created').waitFor()
      await page.getByRole('link', { name: '10 % off your next order' }).waitFor()
      await expectGoodLooks(page, 'marketing-discounts')
      await page.getByRole('searchbox').fill('welc')
      await page.waitForURL(/q=welc/)
      await page.getByRole('link', { name: '10 % off your next order' }).waitFor()
      // The same code again.
      await go(page, address('discounts/new'))
      await page.getByLabel('Code').fill('welcome10')
      await button(page, 'Create discount').click()
      await page.getByText('Your shop has a discount with this code already.').waitFor()
    })
  })

  it('makes a campaign: wrong first, then right, in two languages, and customers see it', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('campaigns/new'))
      await page.getByLabel('Headline').fill('Warm feet all winter')
      await preview(page).getByRole('heading', { name: 'Warm feet all winter', includeHidden: true }).waitFor()
      await page.getByLabel('Where the button leads').fill('socks')
      await page.getByText('The draft has mistakes.').waitFor()
      // The valid part stays visible.
      await expect.poll(() => preview(page).locator('.offer h2').innerText()).toBe('Warm feet all winter')
      await page.getByLabel('Starts').fill('2026-11-20T08:00')
      await page.getByLabel('Ends').fill('2026-11-19T08:00')
      await button(page, 'Create campaign').click()
      const summary = page.getByRole('alert')
      for (const words of ['Name: This is needed.', 'Ends: Must be after the start.', 'Write a whole address']) {
        await expect.poll(() => summary.innerText()).toContain(words)
      }
      expect(await page.evaluate('document.activeElement.contains(document.querySelector("[role=alert]"))')).toBe(true)
      await expectGoodLooks(page, 'marketing-campaign-problems')
      await page.getByLabel('Where the button leads').fill('https://shop.example/socks')
      await page.getByLabel('Text on the button').fill('To the socks')
      await preview(page).getByText('To the socks').waitFor()
      await page.getByLabel('Name').fill('Warm socks')
      await page.getByLabel('Starts').fill('')
      await page.getByLabel('Ends').fill('2036-12-01T08:00')
      await page.getByLabel('Discount', { exact: true }).selectOption({ label: 'WELCOME10 · 10 % off your next order' })
      await preview(page).getByText('WELCOME10').waitFor()
      await page.getByLabel('Enabled').check()
      const bytes = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#7a9e7e' } })
        .png()
        .toBuffer()
      await page.locator('input[type=file]').setInputFiles({ name: 'w.png', mimeType: 'image/png', buffer: bytes })
      await page.getByRole('img', { name: 'The picture of this offer' }).waitFor()
      await preview(page).locator('.offer img').waitFor()
      await page.getByLabel('Add a language').selectOption({ label: 'German' })
      await page.getByLabel('Headline').fill('Warme Füße')
      await preview(page).locator('.offer h2', { hasText: 'Warme Füße' }).waitFor()
      await page.getByLabel('The order is').selectOption({ label: 'delivered' })
      await preview(page).locator('.when', { hasText: 'Zugestellt am' }).waitFor()
      await settled(page)
      await expectGoodLooks(page, 'marketing-campaign')
      await button(page, 'Create campaign').click()
      await page.getByText('Campaign created').waitFor()
      const row = page.locator('tbody tr', { hasText: 'Warm socks' })
      await expect.poll(() => row.innerText()).toContain('Active')
      await customerSees(page, 'Warm feet all winter')
    })
    const [made] = (await shop.as('viewer').get('/campaigns', { name: 'Warm socks' })).body
    expect(made).toMatchObject({
      segment: 'default',
      discount: { code: 'WELCOME10' },
      promotion_properties: {
        cta_url: 'https://shop.example/socks',
        translations: [{ language: 'de', values: { title: 'Warme Füße' } }],
      },
    })
  })

  it('keeps what was written, whatever language the reader has', async () => {
    await visit({ as: { shop, role: 'editor' }, language: 'de' }, async (page) => {
      await go(page, address('campaigns'))
      await page.getByRole('link', { name: 'Warm socks' }).click()
      await settled(page)
      await expect.poll(() => page.getByLabel('Überschrift').inputValue()).toBe('Warm feet all winter')
      await page.getByLabel('Text darunter').fill('Two pairs for one')
      await button(page, 'Speichern').click()
      await page.getByText('Gespeichert', { exact: true }).waitFor()
      await picture(page, 'marketing-campaign-german')
    })
    const [{ uuid }] = (await shop.as('viewer').get('/campaigns', { name: 'Warm socks' })).body
    const { body } = await shop.as('viewer').get(`/campaigns/${uuid}`)
    expect(body.promotion_properties).toMatchObject({ title: 'Warm feet all winter', subtitle: 'Two pairs for one' })
  })

  it('says which campaign is in the way, with a link to it', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('campaigns/new'))
      await page.getByLabel('Name').fill('Warm socks')
      await button(page, 'Create campaign').click()
      await page.getByText('has this name already').waitFor()
      await page.getByLabel('Name').fill('Cold feet')
      await page.getByLabel('Enabled').check()
      await button(page, 'Create campaign').click()
      await page.getByText('is enabled for the same segment and type').waitFor()
      await expectGoodLooks(page, 'marketing-campaign-conflict')
      await page.getByRole('alert').getByRole('link', { name: 'Warm socks' }).click()
      // Typed text is not lost without a question.
      await button(page, 'Leave without saving').click()
      await page.getByRole('heading', { name: 'Warm socks', level: 1 }).waitFor()
    })
  })

  it('picks, orders and removes the products of a campaign', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('campaigns/new'))
      await page.getByLabel('Name').fill('New this season')
      await page.getByLabel('Products', { exact: true }).check()
      await button(page, 'Pick from the catalogue').click()
      await page.getByLabel('Title or SKU').fill('larch')
      await expect.poll(() => page.locator('.product-choices li').count()).toBe(1)
      await picture(page, 'marketing-product-picker')
      await button(page, 'Pick Larch wool socks').click()
      await preview(page).getByText('Larch wool socks').waitFor()
      await button(page, 'Add by hand').click()
      const second = page.getByRole('region', { name: 'Product 2' })
      await second.getByLabel('Title').fill('Boots')
      await page.getByText('The draft has mistakes.').waitFor()
      const boots = page.getByRole('region', { name: 'Boots' })
      await boots.getByLabel('Address of the product').fill('https://shop.example/boots')
      await boots.getByLabel('Price').fill('149')
      await boots.getByLabel('Reduction').selectOption({ label: 'Percentage' })
      await boots.getByLabel('Percent off').fill('20')
      await preview(page).getByText('Boots').waitFor()
      await button(page, 'Move up: Boots').click()
      await expect.poll(() => preview(page).locator('.goods-grid li').first().innerText()).toContain('Boots')
      await settled(page)
      await expectGoodLooks(page, 'marketing-campaign-products')
      await button(page, 'Remove: Larch wool socks').click()
      await expect.poll(() => preview(page).locator('.goods-grid li').count()).toBe(1)
      await button(page, 'Create campaign').click()
      await page.getByText('Campaign created').waitFor()
    })
  })

  it('lists campaigns, enables and disables them with undo, copies and deletes them', async () => {
    const own = await makeShop({}, service)
    const editor = own.as('editor')
    const list = `/dashboard/${own.slug}/marketing/campaigns`
    const [past, later] = ['2025-01-01T00:00:00Z', '2036-06-01T00:00:00Z']
    await createCampaign(editor, { name: 'Warm socks', enabled: true })
    await createCampaign(editor, { name: 'New this season', promotion_type: 'product', promotion_properties: {} })
    await createCampaign(editor, {
      name: 'For regulars',
      segment: 'vip',
      enabled: true,
      start_date: past,
      end_date: '2026-01-01T00:00:00Z',
    })
    await createCampaign(editor, { name: 'Next summer', segment: 'vip', enabled: true, start_date: later })
    await visit({ as: { shop: own, role: 'editor' } }, async (page) => {
      await go(page, list)
      await expect.poll(() => page.locator('tbody tr').count()).toBe(4)
      await expectGoodLooks(page, 'marketing-campaigns')
      await button(page, 'Disable: Warm socks').click()
      await page.getByText('“Warm socks” is no longer shown').waitFor()
      await button(page, 'Undo').click()
      await button(page, 'Disable: Warm socks').waitFor()
      await button(page, 'More for Next summer').click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).click()
      await page.waitForURL(/copy=/)
      await button(page, 'Create campaign').waitFor()
      await settled(page)
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Copy of Next summer')
      await button(page, 'Create campaign').click()
      await page.getByText('Campaign created').waitFor()
      await page.goto(`${list}?status=inactive&sort=name`)
      await expect.poll(() => page.locator('tbody tr').allInnerTexts()).toHaveLength(2)
      await button(page, 'More for Copy of Next summer').click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByText('It is not shown to anybody at the moment.').waitFor()
      await picture(page, 'marketing-campaign-delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Campaign “Copy of Next summer” deleted').waitFor()
    })
  })

  it('makes deals, moves them, and customers see them in that order', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('deals/new'))
      await page.getByLabel('Title').fill('Free socks')
      await button(page, 'Create deal').click()
      await page.getByRole('alert').getByText('Discount: A deal needs a discount.').waitFor()
      await page.getByLabel('Discount', { exact: true }).selectOption({ label: 'WELCOME10 · 10 % off your next order' })
      await page.getByLabel('Description').fill('With your next order.')
      await preview(page).getByText('WELCOME10').waitFor()
      await settled(page)
      await expectGoodLooks(page, 'marketing-deal')
      await button(page, 'Create deal').click()
      await page.getByText('Deal created').waitFor()
      await go(page, address('deals/new'))
      await page.getByLabel('Discount', { exact: true }).selectOption({ label: 'WELCOME10 · 10 % off your next order' })
      await button(page, 'Create deal').click()
      await page.getByText('Deal created').waitFor()
      await button(page, 'Move up: 10 % off your next order').click()
      await page.getByText('is now at 1').waitFor()
      await expect.poll(() => page.locator('tbody tr').first().innerText()).toContain('10 % off')
      await expectGoodLooks(page, 'marketing-deals')
      await customerSees(page, 'Free socks')
      await expect
        .poll(() => page.locator('.deals h3').allInnerTexts())
        .toEqual(['10 % off your next order', 'Free socks'])
      // A discount that is used stays.
      await go(page, address('discounts'))
      await button(page, /^Delete: WELCOME10/).click()
      await page.getByText('2 deals use it.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('A deal or a campaign uses this discount.').waitFor()
    })
  })

  it('announces something, and takes it back and again', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('announcements/new'))
      const text = 'Parcels take a day longer before the holidays.'
      await page.getByLabel('Text').fill(text)
      await preview(page).locator('.notes', { hasText: text }).waitFor()
      await settled(page)
      await expectGoodLooks(page, 'marketing-announcement')
      await button(page, 'Create announcement').click()
      await page.getByText('Announcement created').waitFor()
      await customerSees(page, text)
      await go(page, address('announcements?language=en'))
      await expectGoodLooks(page, 'marketing-announcements')
      await button(page, /^Delete:/).click()
      await page.getByText('Announcement deleted').waitFor()
      await button(page, 'Undo').click()
      await page.getByRole('link', { name: text }).click()
      await settled(page)
      await page.getByLabel('Text').fill('')
      await button(page, 'Save').click()
      await page.getByRole('alert').getByText('Text: This is needed.').waitFor()
      await page.getByLabel('Text').fill(`${text} Sorry.`)
      await button(page, 'Save').click()
      await page.getByText('Saved', { exact: true }).waitFor()
      await customerSees(page, 'Sorry.')
    })
  })

  it('works on a phone, with the keyboard, and for those who may only read', async () => {
    await visit({ as: { shop, role: 'editor' }, size: phone }, async (page) => {
      await go(page, address('campaigns'))
      await page.getByRole('link', { name: 'Warm socks' }).click()
      await settled(page)
      await page.getByRole('tab', { name: 'English' }).focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => page.getByLabel('Headline').inputValue()).toBe('Warme Füße')
      await picture(page, 'marketing-campaign-phone')
    })
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, address('campaigns'))
      expect(await button(page, /^(Dis|En)able/).count()).toBe(0)
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/campaigns\/[0-9a-f-]{36}/)
      await settled(page)
      await page.getByText('Only editors of the shop can change this.').waitFor()
      await expect.poll(() => page.getByLabel('Name').isDisabled()).toBe(true)
      await picture(page, 'marketing-campaign-viewer')
    })
  })

  it('runs nothing that a draft contains', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('campaigns/new'))
      await page.getByLabel('Headline').fill('<img src=x onerror="parent.document.title=1"><script>top.x=1</script>')
      await preview(page).locator('.offer h2', { hasText: '<img src=x' }).waitFor()
      expect(await preview(page).locator('script').count()).toBe(0)
      await expect.poll(() => page.locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin')
      expect(await page.evaluate('window.x')).toBeUndefined()
    })
  })
})
