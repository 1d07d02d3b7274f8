import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { dayMs, hourMs, secondMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { multipart } from '../harness/multipart.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { proveDelivery } from '../harness/proof.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let service: Service

afterEach(() => clock.reset())

const people = ['Ada Lovelace', 'Grace Hopper', 'Émilie du Châtelet', 'Hedy Lamarr', 'Joan Clarke']

interface Filed {
  id: string
  number: string
}

/** Uploads a picture of one colour, as customers' photos arrive. */
async function upload(made: TestShop, background: string, image_type = 'claim'): Promise<string> {
  const size = { width: 900, height: 600, channels: 3 as const }
  const file = await sharp({ create: { ...size, background } })
    .jpeg()
    .toBuffer()
  const form = multipart([
    { name: 'image_type', content: image_type },
    { name: 'image', content: file, filename: 'photo.jpg', contentType: 'image/jpeg' },
  ])
  return (await made.as('editor').post('/images', undefined, form)).body.url
}

/** A shop with claims of several kinds, the oldest first. */
async function fill(): Promise<{ shop: TestShop; claims: Filed[] }> {
  const shop = await makeShop({}, service)
  const editor = shop.as('editor')
  const photos = [await upload(shop, '#7a5c3d'), await upload(shop, '#3d5c7a'), await upload(shop, '#5c7a3d')]
  const filed: Filed[] = []
  const kinds: [string, Record<string, unknown>][] = [
    [
      'damage',
      {
        description: 'The box was wet and the sleeve is torn.\nI need it on Friday.',
        resolution_preference: 'reorder',
        image_urls: photos,
        customer_signature_image_url: await upload(shop, '#eeeeee', 'signature'),
        selected_items: [{ sku: 'RJ-42', title: 'Rain jacket', quantity: 1, net_price: 75.55 }],
        step_user_input: [
          {
            step_id: 'packaging',
            user_input: {
              input_type: 'choice',
              input_value: 'torn',
              translated_question: 'How was it packed?',
              translated_answer: 'The box was torn',
            },
          },
        ],
      },
    ],
    ['missing_product', { description: 'The hood is missing.', image_urls: photos.slice(0, 1) }],
    ['wrong_product', { resolution_preference: 'refund', selected_items: [{ sku: 'RJ-42', title: 'Rain jacket' }] }],
    ['support', { description: 'How do I wash it?' }],
    ['return', { resolution_preference: 'refund', image_urls: ['https://elsewhere.example/photo.jpg'] }],
  ]
  for (const [index, [reason, fields]] of kinds.entries()) {
    clock.advance(-(kinds.length - index) * 7 * hourMs)
    const number = uniqueNumber('JD0140')
    const order = await createOrder(
      editor,
      {
        order_placed_at: new Date(clock.now().getTime() - 3 * dayMs).toISOString(),
        address: { name: people[index], country_code: 'DE', zip_code: '10115', city: 'Berlin' },
      },
      [{ tracking_number: number, carrier_reference: index % 2 === 0 ? 'dhl' : 'gls' }],
    )
    const { id } = order.trackings[0]
    for (const event_name of ['PARCEL_DISPATCHED', 'ARRIVED_AT_SORTING_CENTER', 'SUCCESSFULLY_DELIVERED'])
      await editor.post(`/shipments/${id}/events`, { event_name, event_time: clock.now().toISOString() })
    const { body } = await editor.post('/claims', { shipment_id: id, reason, ...fields })
    filed.push({ id: body.uuid, number: order.order_number })
    clock.reset()
  }
  return { shop, claims: filed }
}

const statusOf = async (shop: TestShop, { id }: Filed) => (await shop.as('viewer').get(`/claims/${id}`)).body

/** Time passes for the service; the browser keeps its own. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  await service.workers?.claimDecisions.runDue()
}

const heading = (page: Page) => page.locator('#claim-title')

describeInBrowser('claims desk in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
  }, 300_000)

  it('shows the queue and the first claim, with everything the customer sent', async () => {
    const { shop, claims } = await fill()
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims`)
      await page.waitForURL(new RegExp(`claims/${claims[0]?.id}`))
      await settled(page)
      await expect.poll(() => page.locator('.desk-queue tbody tr').count()).toBe(5)
      await expect.poll(() => heading(page).innerText()).toBe('Damaged')
      for (const words of ['The box was wet', 'How was it packed?', 'The box was torn', 'RJ-42', 'Wants a replacement'])
        expect(await page.locator('.desk-claim').getByText(words).count(), words).toBeGreaterThan(0)
      await page.waitForFunction(
        "[...document.querySelectorAll('.claim-photo img')].every((image) => image.naturalWidth > 0)",
      )
      await expectGoodLooks(page, 'claims')
      await page.getByRole('link', { name: 'Return' }).click()
      await page.getByRole('link', { name: /elsewhere\.example/ }).waitFor()
    })
  })

  it('shows who took the parcel beside a claim that it is missing, on the order and on the parcel', async () => {
    const shop = await makeShop({}, service)
    const editor = shop.as('editor')
    const order = await createOrder(editor, { address: { name: 'Ada Lovelace', country_code: 'DE' } }, [
      { tracking_number: uniqueNumber('1Z999'), carrier_reference: 'ups' },
    ])
    const { id } = order.trackings[0]
    for (const event_name of ['OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED']) {
      await editor.post(`/shipments/${id}/events`, { event_name, event_time: clock.now().toISOString() })
    }
    await proveDelivery(service, id)
    const { body } = await editor.post('/claims', { shipment_id: id, reason: 'investigation' })
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims/${body.uuid}`)
      const proof = page.getByRole('region', { name: 'Proof of delivery' })
      await proof.getByText('S. Beispiel (Empfang)').waitFor()
      for (const words of ['Front desk', 'UPS']) await proof.getByText(words, { exact: true }).waitFor()
      const links = proof.getByRole('link', { name: 'Open at the carrier' })
      expect(await links.count()).toBe(2)
      expect(await links.first().getAttribute('href')).toBe('https://carrier.example/proofs/7')
      expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer')
      await expectGoodLooks(page, 'claims-proof')
      await go(page, `/dashboard/${shop.slug}/shipments/${id}`)
      await proof.getByText('S. Beispiel (Empfang)').waitFor()
      await expectGoodLooks(page, 'shipment-proof')
      await go(page, `/dashboard/${shop.slug}/orders/${order.uuid}`)
      await page.getByText('Received by S. Beispiel (Empfang) · Front desk').waitFor()
      await expectGoodLooks(page, 'order-proof')
    })
  })

  it('enlarges photos, with the arrow keys from one to the next', async () => {
    const { shop, claims } = await fill()
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims/${claims[0]?.id}`)
      // A viewer sees everything and decides nothing.
      expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
      await page.locator('.claim-photo').first().focus()
      await page.keyboard.press('Enter')
      const dialog = page.locator('dialog[open]')
      await dialog.getByRole('heading', { name: 'Photo 1 of 3' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await dialog.getByRole('heading', { name: 'Photo 2 of 3' }).waitFor()
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await dialog.getByRole('heading', { name: 'Signature' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.waitForFunction("document.querySelector('.lightbox-picture').naturalWidth > 0")
      await expectGoodLooks(page, 'claims-photo')
      await page.keyboard.press('Escape')
      await expect.poll(() => dialog.count()).toBe(0)
    })
  })

  it('is worked through with one key each; each decision can be undone for 10 seconds', async () => {
    const { shop, claims } = await fill()
    const [damaged, missing, wrong] = claims as [Filed, Filed, Filed]
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims`)
      await page.waitForURL(new RegExp(damaged.id))
      await page.keyboard.press('a')
      await page.waitForURL(new RegExp(missing.id))
      await page.getByText('Claim accepted').waitFor()
      await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/Accepted in \d+ s/)
      await page.keyboard.press('r')
      await page.waitForURL(new RegExp(wrong.id))
      await page.getByText('Claim rejected').waitFor()
      await picture(page, 'claims-decided')
      const rejected = page.locator('tbody tr').nth(1)
      await rejected.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Decision undone').waitFor()
      expect((await statusOf(shop, missing)).pending_decision).toBeNull()
      expect(await statusOf(shop, damaged)).toMatchObject({
        status: 'pending',
        pending_decision: { status: 'accepted' },
      })
      await pass(10 * secondMs)
      expect((await statusOf(shop, damaged)).status).toBe('accepted')
      // It leaves the queue by itself.
      await expect.poll(() => page.locator('tbody tr').count()).toBe(4)
      await page.keyboard.press('c')
      await page.getByText('Claim closed').waitFor()
      await page.locator('.toast', { hasText: 'Claim closed' }).getByRole('button', { name: 'Undo' }).click()
      await expect.poll(async () => (await statusOf(shop, wrong)).pending_decision).toBeNull()
    })
  })

  it('sends the answer with the decision, and keeps what was written', async () => {
    const { shop, claims } = await fill()
    const [damaged] = claims as [Filed]
    const address = `/dashboard/${shop.slug}/claims/${damaged.id}`
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address)
      const answer = page.getByLabel('Your answer to the customer')
      await answer.fill('A new jacket is on its way.')
      await go(page, address)
      await expect.poll(() => answer.inputValue()).toBe('A new jacket is on its way.')
      await answer.focus()
      // Letters are text here, and no decision.
      await page.keyboard.press('End')
      await page.keyboard.press('a')
      expect((await statusOf(shop, damaged)).pending_decision).toBeNull()
      await page.keyboard.press('Escape')
      await page.keyboard.press('a')
      await page.getByText('Claim accepted').waitFor()
      await pass(10 * secondMs)
      expect(await statusOf(shop, damaged)).toMatchObject({
        status: 'accepted',
        reply: 'A new jacket is on its way.a',
      })
    })
  })

  it('decides about several at once', async () => {
    const { shop, claims } = await fill()
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims`)
      const boxes = page.locator('tbody input[type=checkbox]')
      await boxes.nth(3).check()
      await boxes.nth(4).check()
      const bar = page.getByRole('toolbar')
      await picture(page, 'claims-bulk')
      await bar.getByRole('button', { name: 'With an answer' }).click()
      const dialog = page.locator('dialog[open]')
      await dialog.getByRole('textbox').fill('Thank you. We have settled it.')
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
      await page.getByText('2 claims closed').waitFor()
      await pass(10 * secondMs)
      for (const claim of claims.slice(3))
        expect(await statusOf(shop, claim)).toMatchObject({ status: 'closed', reply: 'Thank you. We have settled it.' })
    })
  })

  it('is a list and then a claim on a phone, in German and dark', async () => {
    const { shop, claims } = await fill()
    const size = phone
    await visit({ as: { shop, role: 'editor' }, size, scheme: 'dark', language: 'de' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims`)
      await expect.poll(() => page.locator('h1').innerText()).toBe('Reklamationen')
      expect(await page.locator('.desk-claim').isVisible()).toBe(false)
      await picture(page, 'claims-queue-phone')
      await page.getByRole('link', { name: 'Artikel fehlt' }).click()
      await page.waitForURL(new RegExp(claims[1]?.id ?? ''))
      await settled(page)
      expect(await page.locator('.desk-queue').isVisible()).toBe(false)
      await picture(page, 'claims-claim-phone')
      await page.locator('.desk-back a').click()
      await expect.poll(() => page.locator('tbody tr').count()).toBe(5)
    })
  })

  it('says why customers claim, by carrier and product', async () => {
    const { shop } = await fill()
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims/reasons`)
      const carriers = page.getByRole('table', { name: 'By carrier' })
      await expect.poll(() => carriers.locator('tbody tr').first().innerText()).toContain('DHL')
      const products = page.getByRole('table', { name: 'By product' })
      await expect.poll(() => products.getByText('Rain jacket').count()).toBe(1)
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV' }).first().click()
      expect((await saving).suggestedFilename()).toMatch(/^claims-by-carrier-.*\.csv$/)
      await expectGoodLooks(page, 'claims-reasons')
    })
  })

  it('teaches when nothing waits, and says so when a claim is gone', async () => {
    const shop = await makeShop({}, service)
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims`)
      await page.getByText('No claim waits for you').waitFor()
      await expectGoodLooks(page, 'claims-empty')
      await go(page, `/dashboard/${shop.slug}/claims/0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d`)
      await page.getByText('There is no such claim').waitFor()
    })
  })
})
