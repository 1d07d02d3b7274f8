import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fillIn, open, orderToClaim, photo } from '../harness/claim-form.ts'
import { createOrder } from '../harness/orders.ts'
import { attribute } from '../harness/page-form.ts'
import { pagePathOf, visit } from '../harness/pages.ts'
import { call, logLines, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const tokenOf = (path: string) => path.split('/').at(-1) ?? ''

describe("address of an order's page", () => {
  it('stops working everywhere once it is revoked, and is replaced by another', async () => {
    const shop = await makeShop()
    const { order, orderAddress, address } = await orderToClaim(shop)
    const report = (path: string) =>
      call('POST', `/v1/public/${tokenOf(path)}/exposures`, { auth: null, body: { campaign_id: null } })
    const form = (await open(address)).text
    expect((await visit(orderAddress)).status).toBe(200)
    expect((await report(orderAddress)).status).toBe(200)

    const revoked = await shop.as('editor').post(`/orders/${order.uuid}/revoke-page`)
    expect(revoked).toMatchObject({ status: 200, body: null })
    for (const path of [orderAddress, address, `${orderAddress}/events`]) {
      expect((await visit(path)).status, path).toBe(404)
    }
    expect((await fillIn(address, form, { reason: 'damage', description: 'Crushed.' })).status).toBe(404)
    expect(await report(orderAddress)).toMatchObject({ status: 404, body: { key: 'order_not_found' } })

    const next = await pagePathOf(shop.as('editor'), order.order_number)
    expect(next).not.toBe(orderAddress)
    expect((await visit(next)).status).toBe(200)
    expect(await pagePathOf(shop.as('editor'), order.order_number)).toBe(next)
  })

  it('is revoked without affecting others', async () => {
    const shop = await makeShop()
    const [one, other] = [await createOrder(shop.as('editor')), await createOrder(shop.as('editor'))]
    const path = await pagePathOf(shop.as('editor'), other.order_number)
    await shop.as('editor').post(`/orders/${one.uuid}/revoke-page`)
    expect((await visit(path)).status).toBe(200)
  })

  it('is revoked by an editor of the shop, for an existing order', async () => {
    const [shop, another] = [await makeShop(), await makeShop()]
    const order = await createOrder(shop.as('editor'))
    const path = `/orders/${order.uuid}/revoke-page`
    expect((await shop.as('viewer').post(path)).status).toBe(403)
    expect(await another.as('editor').post(path)).toMatchObject({ status: 404, body: { key: 'order_not_found' } })
    expect((await visit(await pagePathOf(shop.as('editor'), order.order_number))).status).toBe(200)
  })

  it('cannot be computed from the ids and the installation key alone, nor from the database alone', async () => {
    const shop = await makeShop()
    const order = await createOrder(shop.as('editor'))
    const path = await pagePathOf(shop.as('editor'), order.order_number)
    const { db } = (await theService()).database
    const { rows } = await sql<Record<string, unknown>>`select * from orders where id = ${order.uuid}`.execute(db)
    expect(JSON.stringify(rows)).not.toContain(tokenOf(path).slice(-21))
    // As it was computed before orders had a nonce.
    await db.updateTable('orders').set({ page_nonce: null }).where('id', '=', order.uuid).execute()
    const derived = await pagePathOf(shop.as('editor'), order.order_number)
    expect(derived).not.toBe(path)
    await db
      .updateTable('orders')
      .set({ page_nonce: String(rows[0]?.page_nonce) })
      .where('id', '=', order.uuid)
      .execute()
    expect((await visit(derived)).status).toBe(404)
    expect((await visit(path)).status).toBe(200)
  })

  it('that was issued by an older version works until it is revoked', async () => {
    const shop = await makeShop()
    const order = await createOrder(shop.as('editor'))
    const { db } = (await theService()).database
    await db.updateTable('orders').set({ page_nonce: null }).where('id', '=', order.uuid).execute()
    const old = await pagePathOf(shop.as('editor'), order.order_number)
    expect((await visit(old)).status).toBe(200)
    await shop.as('editor').post(`/orders/${order.uuid}/revoke-page`)
    expect((await visit(old)).status).toBe(404)
  })

  it('stops working when the customer is erased, or the shop is deleted', async () => {
    const shop = await makeShop()
    const erased = await createOrder(shop.as('editor'))
    const left = await createOrder(shop.as('editor'))
    const paths = [erased, left].map(({ order_number }) => pagePathOf(shop.as('editor'), order_number))
    const [path = '', other = ''] = await Promise.all(paths)
    await shop.as('admin').post('/privacy/erase', { email: erased.email_id })
    expect((await visit(path)).status).toBe(404)
    expect(await pagePathOf(shop.as('editor'), erased.order_number)).not.toBe(path)
    await call('DELETE', `/v1/shops/${shop.slug}`)
    expect((await visit(other)).status).toBe(404)
    const token = tokenOf(other)
    const { status } = await call('POST', `/v1/public/${token}/exposures`, { auth: null, body: { campaign_id: null } })
    expect(status).toBe(404)
  })

  it('is never logged, however it is requested', async () => {
    const shop = await makeShop()
    const order = await createOrder(shop.as('editor'))
    const path = await pagePathOf(shop.as('editor'), order.order_number)
    const token = tokenOf(path)
    const encoded = [...token].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')
    const before = logLines.length
    const requested = [path, `${path}/claim`, `${path}/no-such-page`, `${path}?lang=de`, `/track/nobody/${token}`]
    for (const each of [...requested, `/track/${shop.slug}/${encoded}`, `/v1/public/${token}`]) await visit(each)
    await call('POST', `/v1/public/${token}/clicks`, { auth: null, body: {} })
    const logged = logLines.slice(before).join('\n')
    expect(logged).toContain(`/track/${shop.slug}/[token]/claim`)
    expect(logged).not.toContain(token)
    expect(logged).not.toContain(encoded)
    expect((await visit(path)).headers['referrer-policy']).toBe('no-referrer')
  })
})

describe('photos of a claim form that was never sent', () => {
  it('are erased with the customer', async () => {
    const shop = await makeShop()
    const { address, order } = await orderToClaim(shop)
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a33' } })
      .jpeg()
      .toBuffer()
    const sent = { reason: 'damage', description: 'Crushed.' }
    const files = [photo(bytes), photo('no photo', 'note.txt')]
    const again = await fillIn(address, (await open(address)).text, sent, files)
    expect(again.status).toBe(422)
    const picture = [...again.text.matchAll(/<img\b([^>]*)>/g)]
      .map(([, attributes = '']) => attribute(attributes, 'src') ?? '')
      .find((src) => src.startsWith('/v1/images/claim-'))
    expect((await open(picture ?? '')).status).toBe(200)

    const erasure = await shop.as('admin').post('/privacy/erase', { email: order.email_id })
    expect(erasure.body).toMatchObject({ orders: 1, images: 1 })
    expect((await open(picture ?? '')).status).toBe(404)
    const key = new URL(picture ?? '', 'https://doorstep.example').pathname.split('/').at(-1) ?? ''
    const { services } = (await theService()).context()
    expect(await services.imageStore.get(key)).toBeUndefined()
  })
})
