import { beforeAll, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { evaluateExceptions } from '../../src/tracking/exceptions/evaluate.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, visit } from '../harness/dashboard.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

let service: Service
let shop: TestShop

const people = [
  'Ada Example',
  'Emil Sommer',
  'Greta Winter',
  'Hannah Vogel',
  'Jonas Berg',
  'Lena Fuchs',
  'Mats Holm',
  'Nora Lind',
]
let sent = 0

async function send(editor: ShopCaller, options: { country?: string; carrier?: string } = {}): Promise<string> {
  const { country = 'DE', carrier = 'dhl' } = options
  sent += 1
  const order = await createOrder(
    editor,
    {
      order_placed_at: clock.now().toISOString(),
      address: { name: people[sent % people.length], country_code: country, zip_code: '10115' },
    },
    [{ tracking_number: uniqueNumber('JD0140'), carrier_reference: carrier }],
  )
  return order.trackings[0].uuid
}

const report = (editor: ShopCaller, id: string, event_name: string, fields: Record<string, unknown> = {}) =>
  editor.post(`/shipments/${id}/events`, { event_name, event_time: clock.now().toISOString(), ...fields })

/** Parcels of every kind, as they were a few days ago. Afterwards it is now again. */
async function fill(made: TestShop): Promise<void> {
  const editor = made.as('editor')
  clock.advance(-30 * dayMs)
  for (let parcel = 0; parcel < 20; parcel += 1) {
    const id = await send(editor, { country: 'AT' })
    await report(editor, id, 'PARCEL_DISPATCHED')
    const at = (hours: number) => new Date(clock.now().getTime() + hours * hourMs).toISOString()
    await report(editor, id, 'ARRIVED_AT_SORTING_CENTER', { event_time: at(20) })
    await report(editor, id, 'SUCCESSFULLY_DELIVERED', { event_time: at(40) })
  }
  clock.advance(24 * dayMs)
  const early = []
  for (const carrier of ['dhl', 'gls', 'dpd']) early.push(await send(editor, { country: 'AT', carrier }))
  for (const id of early)
    await report(editor, id, 'ARRIVED_AT_SORTING_CENTER', { location: { city: 'Leipzig', country_code: 'DE' } })
  await report(editor, await send(editor), 'SHIPMENT_LOST_IN_TRANSIT')
  clock.advance(2 * dayMs)
  await report(editor, await send(editor, { carrier: 'hermes' }), 'ARRIVED_AT_PARCEL_SHOP')
  await report(editor, await send(editor, { country: 'FR' }), 'SHIPMENT_REJECTED_RETURNING_TO_SENDER')
  clock.advance(2 * dayMs)
  await report(editor, await send(editor), 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME')
  await report(editor, await send(editor, { carrier: 'gls' }), 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND')
  clock.reset()
  await evaluateExceptions(service.context())
}

const address = (query = '') => `/dashboard/${shop.slug}/exceptions${query}`

describeInBrowser('exceptions in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
    shop = await makeShop({}, service)
    await fill(shop)
  }, 300_000)

  it('say why each parcel is listed, most serious first', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address())
      const rows = page.locator('tbody tr')
      await expect.poll(() => rows.count()).toBe(8)
      await expect.poll(() => rows.first().innerText()).toContain('Lost')
      expect(
        await page
          .getByText('hasn’t reported on this parcel for 6 days; parcels to Austria usually get a scan every day.')
          .count(),
      ).toBe(1)
      await expectGoodLooks(page, 'exceptions')
      await page.getByRole('link', { name: /^Stuck/ }).click()
      await page.waitForURL(/kind=stuck/)
      await expect.poll(() => rows.count()).toBe(3)
      await expect
        .poll(() => page.locator('.kinds [aria-current=page]').allInnerTexts())
        .toEqual([expect.stringMatching(/^Stuck/)])
    })
  })

  it('speak German', async () => {
    await visit({ as: { shop, role: 'viewer' }, language: 'de' }, async (page) => {
      await go(page, address())
      await expect.poll(() => page.locator('h1').innerText()).toBe('Problemfälle')
      await expect
        .poll(() => page.getByText('Pakete mit dem Ziel Österreich werden gewöhnlich jeden Tag gescannt').count())
        .toBe(1)
      // A viewer sees why, and can change nothing.
      expect(await page.getByRole('button', { name: 'Erledigt' }).count()).toBe(0)
      await picture(page, 'exceptions-german')
    })
  })

  it('are resolved with one press, and undone with another', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('?kind=lost'))
      await page.getByRole('button', { name: 'Resolve' }).click()
      await page.getByText('Parcel resolved').waitFor()
      await page.getByText('Nothing matches').waitFor()
      await picture(page, 'exceptions-resolved')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.locator('tbody tr').first().waitFor()
    })
  })

  it('are assigned, snoozed and noted, one by one and together, with the keyboard', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('?kind=stuck'))
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await page.getByText('2 selected').waitFor()
      await expectGoodLooks(page, 'exceptions-bulk')
      await page.getByRole('button', { name: 'Assign' }).click()
      await picture(page, 'exceptions-assign')
      await page.getByRole('menuitem', { name: 'Assign to me' }).click()
      await page.getByText(/2 parcels assigned to/).waitFor()
      const first = page.locator('tbody tr').first()
      await first.getByRole('button', { name: /^More for/ }).click()
      await page.getByRole('menuitem', { name: 'Add note' }).click()
      await page.getByRole('textbox', { name: 'Note' }).fill('Asked DHL to search for it.')
      await expectGoodLooks(page, 'exceptions-note')
      await page.getByRole('dialog').getByRole('button', { name: 'Add note' }).click()
      await page.getByText('Note added').waitFor()
      await first.getByRole('button', { name: /^More for/ }).click()
      await page.getByRole('menuitem', { name: 'Snooze for 3 days' }).click()
      await page.getByText(/Snoozed until/).waitFor()
      await go(page, address('?state=snoozed'))
      await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
      await picture(page, 'exceptions-snoozed')
    })
  })

  it('are opened with J, K and Enter', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, address())
      for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
      await page.waitForURL(/\/shipments\//)
    })
  })

  it('can be kept as a view, private or shared', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('?kind=failed&sort=-since'))
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitem', { name: 'Save this view' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Call these customers')
      await page.getByLabel('Share it with everybody').check()
      await expectGoodLooks(page, 'views-save')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByText('View “Call these customers” saved').waitFor()
      await go(page, address())
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitem', { name: 'Call these customers' }).click()
      await page.waitForURL(/kind=failed/)
      await page.getByRole('button', { name: 'Call these customers' }).click()
      await expectGoodLooks(page, 'views-menu')
      await page.getByRole('menuitem', { name: 'Delete “Call these customers”' }).click()
      await page.getByText('View “Call these customers” deleted').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Call these customers' }).waitFor()
    })
  })

  it('teach where there are none, and say what went wrong', async () => {
    const empty = await makeShop({}, service)
    await visit({ as: { shop: empty, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${empty.slug}/exceptions`)
      await page.getByText('No parcel needs you').waitFor()
      await expectGoodLooks(page, 'exceptions-empty')
      await page.route('**/v1/shops/*/exceptions*', (route) => route.fulfill({ status: 404, body: '{}' }))
      await go(page, `/dashboard/${empty.slug}/exceptions?kind=late`)
      await page.getByText('This did not work').waitFor()
      await picture(page, 'exceptions-error')
    })
  })

  it('are those that the shop means', async () => {
    const own = await makeShop({}, service)
    await visit({ as: { shop: own, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${own.slug}/exceptions`)
      await page.getByRole('button', { name: 'When a parcel is a problem' }).click()
      await page.getByLabel('Days at a pick-up point').fill('5')
      await expectGoodLooks(page, 'exceptions-thresholds')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('.toast', { hasText: 'Saved' }).waitFor()
    })
    expect((await own.as('viewer').get('/settings/exceptions')).body).toMatchObject({
      pickup_days: 5,
      stuck_days_in_delivery: 2,
    })
  })

  it('work on a phone', async () => {
    await visit({ as: { shop, role: 'editor' }, size: phone }, async (page) => {
      await go(page, address('?kind=waiting'))
      await page.getByRole('button', { name: /^More for/ }).click()
      await picture(page, 'exceptions-phone-menu')
      await page.getByRole('menuitem', { name: 'Snooze until tomorrow' }).click()
      await page.getByText(/Snoozed until/).waitFor()
    })
  })

  it('have notes, which are written, deleted and restored on the page of the order', async () => {
    const [listed] = (await shop.as('editor').get('/exceptions', { kind: 'failed' })).body
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders/${listed.order_id}`)
      const notes = page.getByRole('region', { name: 'Notes' })
      await notes.getByRole('textbox').fill('The customer is away until Monday.\nCalled her.')
      await notes.getByRole('button', { name: 'Add note' }).click()
      await notes.getByRole('listitem').waitFor()
      await expect.poll(() => notes.getByRole('textbox').inputValue()).toBe('')
      await expectGoodLooks(page, 'notes')
      await notes.getByRole('button', { name: 'Delete note' }).click()
      await page.getByText('Note deleted').waitFor()
      await notes.getByText('No notes yet').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await notes.getByText('The customer is away until Monday.').waitFor()
    })
    // A viewer reads them.
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders/${listed.order_id}`)
      const notes = page.getByRole('region', { name: 'Notes' })
      await notes.getByText('Called her.').waitFor()
      expect(await notes.getByRole('textbox').count()).toBe(0)
    })
  })
})
