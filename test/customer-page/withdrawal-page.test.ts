import { afterEach, describe, expect, it } from 'vitest'
import { claimsOf, itemField } from '../harness/claim-form.ts'
import { accountAt } from '../harness/mail-shop.ts'
import { uniqueNumber } from '../harness/orders.ts'
import { readable, sendOrder, submit, visit } from '../harness/pages.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import {
  confirm,
  enableWithdrawals,
  filled,
  moveTo,
  person,
  sendDelivered,
  state,
  withdraw,
} from '../harness/withdrawals.ts'

const shop = await makeShop({ name: 'River & Pine', contact_email: 'hello@shop.example' })
await enableWithdrawals(shop)
const deliveredAt = '2026-11-10T10:00:00Z'

afterEach(() => clock.reset())

describe('way to the withdrawal function', () => {
  it('is on the order page and on the look-up page, with the label of the directive', async () => {
    const { path } = await sendDelivered(shop, [deliveredAt])
    moveTo('2026-11-12T10:00:00Z')
    const page = await visit(path)
    expect(page.text).toContain(`href="${path}/withdrawal">Withdraw from contract here</a>`)
    expect(readable(page.text)).toContain('until the end of 24 November 2026')
    expect((await visit(`${path}?lang=de`)).text).toContain('>Vertrag widerrufen</a>')
    const lookup = await visit(`/track/${shop.slug}`)
    expect(lookup.text).toContain(`href="/track/${shop.slug}/withdrawal">Withdraw from contract here</a>`)
  })

  it('needs no account: the order is found by its number and a proof', async () => {
    const { order, path } = await sendOrder(shop)
    const address = `/track/${shop.slug}/withdrawal`
    expect(readable((await visit(address)).text)).toContain('First we need to find your order')
    const found = await submit(address, { number: order.order_number, proof: '10115' })
    expect(found).toMatchObject({ status: 303, headers: { location: `${path}/withdrawal` } })
    expect((await submit(address, { number: order.order_number, proof: 'wrong' })).status).toBe(404)
    expect((await submit(address, { number: '', proof: '' })).status).toBe(422)
  })

  it('is not there if the shop does not offer it', async () => {
    const other = await makeShop()
    const { path, order } = await sendOrder(other)
    expect((await visit(path)).text).not.toContain('Withdraw')
    expect((await visit(`/track/${other.slug}`)).text).not.toContain('Withdraw')
    for (const address of [`${path}/withdrawal`, `/track/${other.slug}/withdrawal`]) {
      expect((await visit(address)).status).toBe(404)
      expect((await submit(address, { number: order.order_number, proof: '10115', ...person })).status).toBe(404)
    }
    await enableWithdrawals(other)
    expect((await visit(`${path}/withdrawal`)).status).toBe(200)
    await enableWithdrawals(other, { enabled: false })
    expect((await visit(`${path}/withdrawal`)).status).toBe(404)
  })

  it('is there from the order on, before anything is sent', async () => {
    const { path } = await sendOrder(shop, {}, [])
    expect(readable((await visit(`${path}/withdrawal`)).text)).toContain(
      'You can withdraw from this contract from now on',
    )
  })
})

describe('statement', () => {
  it('asks for no reason, reveals nothing of the customer, and needs no script', async () => {
    const { path, order } = await sendDelivered(shop, [deliveredAt])
    const { text, headers } = await visit(`${path}/withdrawal`)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<textarea')
    for (const personal of [order.email_id, 'Ada Example', 'Example Street', '10115'])
      expect(text).not.toContain(personal)
    expect(text).toContain('<input id="name" name="name" type="text" value=""')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('shows what is missing next to the field, and keeps what was entered', async () => {
    const { path } = await sendOrder(shop)
    const wrong = await state(path, { name: '', email: 'nobody', scope: 'some' })
    expect(wrong.status).toBe(422)
    expect(readable(wrong.text)).toContain('3 things are missing')
    expect(wrong.text).toContain('id="name-problem"')
    expect(wrong.text).toContain('value="nobody"')
    expect(wrong.text).toContain('aria-describedby="email-hint email-problem" aria-invalid="true"')
    expect(wrong.text).toMatch(/<title>Error: Withdraw from contract/)
    const long = await state(path, { name: 'N'.repeat(300) })
    expect(readable(long.text)).toContain('at most 200 characters')
  })

  it.each([
    'nobody',
    'a@b',
    'a b@example.com',
    'a@example.com, b@example.com',
    'a@@example.com',
    '<a@example.com>',
    'a@example..com',
    `${'a'.repeat(250)}@example.com`,
  ])('does not take %s as an e-mail address', async (email) => {
    const { path } = await sendOrder(shop)
    expect((await state(path, { email })).status).toBe(422)
  })

  it('never has a line break in the name or the address', async () => {
    const { path, order } = await sendOrder(shop)
    const sent = await withdraw(path, { name: 'Ada\r\nBcc: all@example.com', email: ' ada@example.com\r\n' })
    expect(sent.status).toBe(303)
    expect(await claimsOf(shop, order.uuid)).toMatchObject([
      { withdrawal: { name: 'Ada Bcc: all@example.com', contact_email: 'ada@example.com' } },
    ])
  })

  it('is stored only when it is confirmed on a second page', async () => {
    const { path, order } = await sendDelivered(shop, [deliveredAt])
    const confirmation = await state(path)
    expect(confirmation.status).toBe(200)
    expect(readable(confirmation.text)).toContain('I withdraw from the contract about order')
    expect(confirmation.text).toContain('>Confirm withdrawal</button>')
    expect(await claimsOf(shop, order.uuid)).toEqual([])
    const sent = await confirm(path, confirmation)
    expect(sent.status).toBe(303)
    expect(await claimsOf(shop, order.uuid)).toMatchObject([
      { kind: 'withdrawal', reason: 'return', resolution_preference: 'refund', status: 'pending' },
    ])
  })

  it('can be changed before it is confirmed', async () => {
    const { path } = await sendOrder(shop)
    const form = await visit(`${path}/withdrawal`)
    const confirmation = await state(path, { scope: 'some', [itemField(form.text, 'Socks')]: '1' })
    const again = await submit(`${path}/withdrawal`, filled(confirmation.text, { step: 'change' }))
    expect(filled(again.text, {})).toMatchObject({ ...person, scope: 'some', [itemField(form.text, 'Socks')]: '1' })
  })

  it('that was tampered with, or belongs to another order, is not confirmed', async () => {
    const { path, order } = await sendOrder(shop)
    const other = await sendOrder(shop)
    const { statement = '' } = filled((await state(other.path)).text, {})
    const [text = '', proof] = statement.split('.')
    const changed = `${Buffer.from(`${Buffer.from(text, 'base64url')} `).toString('base64url')}.${proof}`
    for (const value of [statement, changed, '', 'x', '.']) {
      const { status, text } = await submit(`${path}/withdrawal`, { step: 'confirm', statement: value })
      expect(status).toBe(422)
      expect(readable(text)).toContain('Please check it and confirm again')
    }
    expect(await claimsOf(shop, order.uuid)).toEqual([])
  })

  it('that is confirmed twice, even at once, is one withdrawal', async () => {
    const { path, order } = await sendOrder(shop)
    const confirmation = await state(path)
    const [first, second] = await Promise.all([confirm(path, confirmation), confirm(path, confirmation)])
    const third = await confirm(path, confirmation)
    expect(new Set([first, second, third].map(({ headers }) => headers.location)).size).toBe(1)
    expect(await claimsOf(shop, order.uuid)).toHaveLength(1)
  })

  it('is about the items that were chosen, and the rest can follow later', async () => {
    const { path, order } = await sendOrder(shop)
    const field = itemField((await visit(`${path}/withdrawal`)).text, 'Socks')
    expect((await state(path, { scope: 'some', [field]: '3' })).status).toBe(422)
    await withdraw(path, { scope: 'some', [field]: '1' })
    expect(await claimsOf(shop, order.uuid)).toMatchObject([
      { selected_items: [{ title: 'Socks', quantity: 1 }], withdrawal: { is_whole_order: false } },
    ])
    const rest = await visit(`${path}/withdrawal`)
    expect(readable(rest.text)).toContain('Everything that you can still withdraw from')
    await withdraw(path)
    const [, second] = await claimsOf(shop, order.uuid)
    expect(second).toMatchObject({
      selected_items: [
        { title: 'Rain jacket', quantity: 1 },
        { title: 'Socks', quantity: 1 },
      ],
    })
    const end = await visit(`${path}/withdrawal`)
    expect(readable(end.text)).toContain('You have already withdrawn from this contract')
    expect((await visit(path)).text).not.toContain(`${path}/withdrawal`)
  })

  it('of two that want the same is made once', async () => {
    const { path, order } = await sendOrder(shop)
    const [one, other] = await Promise.all([state(path), state(path)])
    const sent = await Promise.all([confirm(path, one), confirm(path, other)])
    expect(sent.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(await claimsOf(shop, order.uuid)).toHaveLength(1)
  })

  it('can be made again after the shop has rejected it', async () => {
    const { path, order } = await sendOrder(shop)
    await withdraw(path)
    const [claim] = await claimsOf(shop, order.uuid)
    await shop.as('editor').put(`/claims/${claim.uuid}`, { status: 'rejected' })
    expect((await withdraw(path)).status).toBe(303)
  })

  it('is about the whole order if its contents are not known', async () => {
    const { path, order } = await sendOrder(shop, { products: [] })
    expect((await withdraw(path)).status).toBe(303)
    expect(await claimsOf(shop, order.uuid)).toMatchObject([
      { selected_items: [], withdrawal: { is_whole_order: true } },
    ])
    expect(readable((await visit(`${path}/withdrawal`)).text)).toContain('You have already withdrawn')
  })

  it('is about an order without a shipment as well', async () => {
    const { path, order } = await sendOrder(shop, {}, [])
    expect((await withdraw(path)).status).toBe(303)
    expect(await claimsOf(shop, order.uuid)).toMatchObject([{ kind: 'withdrawal', tracking_number: null }])
  })

  it('is limited per order, so that nobody floods a shop or an address', async () => {
    const { path } = await sendOrder(shop)
    const [first, second] = [await state(path), await state(path)]
    const sent = await confirm(path, first)
    let last = await confirm(path, second)
    for (let n = 0; n < 12 && last.status === 409; n += 1) last = await confirm(path, second)
    expect(last.status).toBe(429)
    expect(last.headers['retry-after']).toBeDefined()
    // A repeated confirmation does not count.
    expect((await confirm(path, first)).headers.location).toBe(sent.headers.location)
  })
})

describe('exempt goods', () => {
  const ids = { product_id: 'p1', variant_id: 'v1', title: 'Rain jacket' }

  it('cannot be chosen and say why, by product and by category', async () => {
    const fussy = await makeShop({ name: 'Tailor' })
    await enableWithdrawals(fussy, { exempt_categories: ['Made to measure'] })
    await fussy.as('editor').post('/products', [
      { ...ids, category: 'made to measure' },
      { product_id: 'p2', variant_id: 'v9', title: 'Socks', category: 'Socks' },
    ])
    const { path, order } = await sendOrder(fussy)
    const form = await visit(`${path}/withdrawal`)
    expect(itemField(form.text, 'Rain jacket')).toBe('no such item')
    expect(readable(form.text)).toContain('exempt by law according to Tailor')
    await withdraw(path)
    expect(await claimsOf(fussy, order.uuid)).toMatchObject([
      { selected_items: [{ title: 'Socks', quantity: 2 }], withdrawal: { is_whole_order: false } },
    ])
  })

  it('are all of an order: nothing can be stated, and the shop can be asked', async () => {
    const fussy = await makeShop({ contact_email: 'hello@shop.example' })
    await enableWithdrawals(fussy)
    await fussy.as('editor').post('/products', [{ ...ids, withdrawal_exempt: true }])
    const { path, order } = await sendOrder(fussy, { products: [{ ...ids, quantity: 1 }] })
    const form = await visit(`${path}/withdrawal`)
    expect(readable(form.text)).toContain('There is no right of withdrawal for this order')
    expect(form.text).toContain('mailto:hello%40shop.example')
    expect((await submit(`${path}/withdrawal`, { step: 'check', scope: 'all', ...person })).status).toBe(409)
    expect(await claimsOf(fussy, order.uuid)).toEqual([])
  })
})

describe('receipt', () => {
  it('shows the statement and the exact time, for saving', async () => {
    const { path, order } = await sendDelivered(shop, [deliveredAt])
    moveTo('2026-11-12T10:20:30Z')
    const { headers } = await withdraw(path)
    const receipt = await visit(String(headers.location))
    const words = readable(receipt.text)
    expect(words).toContain('Your withdrawal has been received')
    expect(words).toMatch(/12 November 2026 at 11:2\d:\d\d CET/)
    for (const part of [order.order_name, 'Ada Example', 'ada@example.com', '24 November 2026']) {
      expect(words).toContain(part)
    }
    const file = await visit(`${headers.location}/text`)
    expect(file.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(file.headers['content-disposition']).toBe(`attachment; filename="withdrawal-${order.order_number}.txt"`)
    expect(file.text).toContain('I withdraw from the contract about order')
    expect(file.text).toMatch(/2026-11-12T10:2\d:\d\d\.\d{3}Z/)
  })

  it('says that it is also sent by mail, unless it is not', async () => {
    const other = await makeShop()
    await enableWithdrawals(other)
    const email = `${uniqueNumber('receipts')}@example.com`
    const hasMail = async () => {
      const { path } = await sendOrder(other)
      const { headers } = await withdraw(path, { email })
      return readable((await visit(String(headers.location))).text).includes('We are also sending this acknowledgement')
    }
    expect(await hasMail()).toBe(false)
    await other.as('admin').put('/keys/smtp', accountAt({ host: '127.0.0.1', port: 1 }))
    // An address that is not the order's gets three a day.
    expect([await hasMail(), await hasMail(), await hasMail(), await hasMail()]).toEqual([true, true, true, false])
  })

  it('is not found by the address of the order alone', async () => {
    const { path, order } = await sendOrder(shop)
    const { headers } = await withdraw(path)
    const [claim] = await claimsOf(shop, order.uuid)
    expect((await visit(`${path}/withdrawal/${claim.uuid}`)).status).toBe(404)
    expect((await visit(`${path}/withdrawal/${claim.uuid}.x`)).status).toBe(404)
    const page = await visit(path)
    expect(readable(page.text)).toContain('Withdrawal from contract Received')
    expect(page.text).not.toContain('ada@example.com')
    const other = await sendOrder(shop)
    const name = String(headers.location).split('/').at(-1)
    expect((await visit(`${other.path}/withdrawal/${name}`)).status).toBe(404)
  })

  it('has the instructions of the shop, in the language of the page or of the shop', async () => {
    await enableWithdrawals(shop, { instructions: { en: 'Send it to Mill Lane.', de: 'An die Mühlgasse.' } })
    const { path } = await sendOrder(shop)
    const { headers } = await withdraw(path)
    expect(readable((await visit(String(headers.location))).text)).toContain('Send it to Mill Lane.')
    expect(readable((await visit(`${headers.location}?lang=de`)).text)).toContain('An die Mühlgasse.')
  })

  it('marks a statement after the last day as late', async () => {
    const { path, order } = await sendDelivered(shop, [deliveredAt])
    moveTo('2026-11-24T23:00:01Z')
    expect(readable((await visit(`${path}/withdrawal`)).text)).toContain(
      'The withdrawal period ended on 24 November 2026',
    )
    const { headers } = await withdraw(path)
    expect(readable((await visit(String(headers.location))).text)).toContain(
      'Received after the last day of the period',
    )
    expect(await claimsOf(shop, order.uuid)).toMatchObject([{ withdrawal: { is_late: true, last_day: '2026-11-24' } }])
  })
})
