import { beforeAll, describe, expect, it } from 'vitest'
import { placesOf } from '../harness/catalogue.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

describe('notes', () => {
  let shop: TestShop
  let editor: ShopCaller
  let orderId: string
  let shipmentId: string

  beforeAll(async () => {
    shop = await makeShop()
    editor = shop.as('editor')
    const order = await createOrder(editor, {}, [{ tracking_number: uniqueNumber('N') }])
    orderId = order.uuid
    shipmentId = order.trackings[0].uuid
  })

  const add = (fields: Record<string, unknown>) => editor.post('/notes', { order_id: orderId, text: 'Text', ...fields })

  it('are added to an order or a shipment, and listed newest first', async () => {
    const first = await add({ text: 'About the order' })
    expect(first.body).toEqual({
      uuid: expect.any(String),
      order_id: orderId,
      shipment_id: null,
      text: 'About the order',
      author: (await shop.credentials('editor')).username,
      may_delete: true,
      created_at: expect.any(String),
    })
    expect(first.headers.location).toBe(`/v1/shops/${shop.slug}/notes/${first.body.uuid}`)
    const second = await add({ text: 'About the parcel', shipment_id: shipmentId })
    const viewer = shop.as('viewer')
    const all = await viewer.get('/notes', { order_id: orderId })
    expect(all.body.map(({ uuid }: { uuid: string }) => uuid)).toEqual([second.body.uuid, first.body.uuid])
    expect(all.body.map((note: { may_delete: boolean }) => note.may_delete)).toEqual([false, false])
    expect(all.headers['x-total-count']).toBe('2')
    const ofParcel = await viewer.get('/notes', { shipment_id: shipmentId })
    expect(ofParcel.body).toMatchObject([{ text: 'About the parcel' }])
    expect((await viewer.get('/notes', { order_id: orderId, per_page: 1, page: 2 })).body).toMatchObject([
      { text: 'About the order' },
    ])
  })

  it('need a text and an order or a shipment of it', async () => {
    expect(placesOf((await editor.post('/notes', {})).body)).toEqual(['body.order_id missing', 'body.text missing'])
    expect(placesOf((await add({ text: 'x'.repeat(5_001) })).body)).toEqual(['body.text value_error'])
    expect(placesOf((await add({ text: '' })).body)).toEqual(['body.text value_error'])
    expect(placesOf((await add({ text: ' \n ' })).body)).toEqual(['body.text value_error'])
    expect(placesOf((await editor.get('/notes')).body)).toEqual(['query.order_id value_error'])
    const other = await createOrder(editor, {}, [{ tracking_number: uniqueNumber('N') }])
    expect(await add({ shipment_id: other.trackings[0].uuid })).toMatchObject({
      status: 404,
      body: { key: 'shipment_not_found' },
    })
    expect(await add({ order_id: shipmentId })).toMatchObject({ status: 404, body: { key: 'order_not_found' } })
    expect((await add({ text: 'ő'.repeat(5_000) })).status).toBe(200)
  })

  it('are deleted by their author, or by an admin', async () => {
    const uuid = async (caller: ShopCaller) =>
      (await caller.post('/notes', { order_id: orderId, text: 'To be deleted' })).body.uuid
    const admin = shop.as('admin')
    expect((await editor.delete(`/notes/${await uuid(editor)}`)).status).toBe(200)
    expect((await admin.delete(`/notes/${await uuid(editor)}`)).status).toBe(200)
    const others = await uuid(admin)
    expect(await editor.delete(`/notes/${others}`)).toMatchObject({ status: 403, body: { key: 'insufficient_rights' } })
    const listed = (await editor.get('/notes', { order_id: orderId })).body
    expect(listed.find((note: { uuid: string }) => note.uuid === others).may_delete).toBe(false)
    expect((await shop.as('viewer').delete(`/notes/${others}`)).status).toBe(403)
    expect((await admin.delete(`/notes/${others}`)).status).toBe(200)
    expect(await admin.delete(`/notes/${others}`)).toMatchObject({ status: 404, body: { key: 'note_not_found' } })
  })

  it('belong to their shop', async () => {
    const { body } = await add({})
    const other = (await makeShop()).as('admin')
    expect((await other.get('/notes', { order_id: orderId })).body).toEqual([])
    expect((await other.delete(`/notes/${body.uuid}`)).status).toBe(404)
    expect((await other.post('/notes', { order_id: orderId, text: 'x' })).status).toBe(404)
    expect((await shop.as('viewer').post('/notes', { order_id: orderId, text: 'x' })).status).toBe(403)
  })

  it('outlive the shipment that they are about', async () => {
    const number = uniqueNumber('N')
    const order = await createOrder(editor, {}, [{ tracking_number: number }])
    await add({ order_id: order.uuid, shipment_id: order.trackings[0].uuid })
    expect((await editor.delete(`/orders/${order.order_number}/shipments/${number}`)).status).toBeLessThan(300)
    const notes = (await editor.get('/notes', { order_id: order.uuid })).body
    expect(notes).toMatchObject([{ text: 'Text' }])
  })
})
