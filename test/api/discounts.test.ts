import { beforeAll, describe, expect, it } from 'vitest'
import { createDiscount, idIn, placesOf } from '../harness/catalogue.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

const whole = {
  code: 'WELCOME10',
  target_selection: 'all',
  target_type: 'line_item',
  title: '10 % off',
  value_type: 'percentage',
  value: 10,
  type: 'order',
}
const unknownId = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'

describe('discounts', () => {
  let shop: TestShop
  let editor: ShopCaller

  beforeAll(async () => {
    shop = await makeShop()
    editor = shop.as('editor')
  })

  const read = async (uuid: string) => (await editor.get('/discounts', { uuid })).body[0]

  it('are stored as created, and the Location names them', async () => {
    const created = await editor.post('/discounts', { ...whole, unknown_field: 1 })
    expect(created).toMatchObject({ status: 200, text: 'null' })
    const uuid = idIn(created)
    expect(created.headers.location).toBe(`/v1/shops/${shop.slug}/discounts/${uuid}`)
    expect((await shop.as('viewer').get('/discounts', { uuid })).body).toEqual([
      { uuid, shop_slug: shop.slug, ...whole },
    ])
  })

  it('need nothing but a type', async () => {
    const uuid = await createDiscount(editor, { type: 'shipping', code: null, title: undefined })
    expect(await read(uuid)).toEqual({
      uuid,
      shop_slug: shop.slug,
      code: null,
      target_selection: null,
      target_type: null,
      title: null,
      value_type: null,
      value: null,
      type: 'shipping',
    })
  })

  it('are rejected if they are wrong', async () => {
    const { status, body } = await editor.post('/discounts', {
      code: 7,
      target_selection: 'some',
      target_type: 'cart',
      value_type: 'cents',
      value: '10',
    })
    expect(status).toBe(422)
    expect(placesOf(body)).toEqual([
      'body.code type_error',
      'body.target_selection value_error',
      'body.target_type value_error',
      'body.type missing',
      'body.value type_error',
      'body.value_type value_error',
    ])
    const query = await editor.get('/discounts', { value: 'ten', uuid: 'x', type: 'gift', per_page: 0 })
    expect(placesOf(query.body)).toEqual([
      'query.per_page value_error',
      'query.type value_error',
      'query.uuid value_error',
      'query.value type_error',
    ])
    expect(placesOf((await editor.patch('/discounts/nonsense', {})).body)).toEqual(['path.uuid value_error'])
  })

  it('have a code that is unique in the shop, ignoring case; many may have none', async () => {
    const other = (await makeShop()).as('editor')
    await createDiscount(editor, { type: 'order', code: 'Once' })
    for (const code of ['Once', 'ONCE']) {
      expect(await editor.post('/discounts', { type: 'order', code })).toMatchObject({
        status: 409,
        body: { key: 'discount_exists' },
      })
    }
    expect((await other.post('/discounts', { type: 'order', code: 'Once' })).status).toBe(200)
    for (const code of [null, null, '', '']) {
      expect((await other.post('/discounts', { type: 'order', code })).status).toBe(200)
    }
    expect(await other.get('/discounts', { code: '' })).toMatchObject({ text: '[]' })
  })

  it('created concurrently with the same code become one', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => editor.post('/discounts', { type: 'order', code: 'RACE' })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  it('are found by every filter', async () => {
    const caller = (await makeShop()).as('editor')
    const first = await createDiscount(caller, whole)
    const second = await createDiscount(caller, {
      code: 'SHIPFREE',
      target_selection: 'specific',
      target_type: 'shipping_line',
      title: 'Free shipping',
      value_type: 'fixed_amount',
      value: 4.95,
      type: 'shipping',
    })
    const find = async (query: Record<string, string | number>) =>
      (await caller.get('/discounts', query)).body.map(({ uuid }: { uuid: string }) => uuid)
    expect(await find({})).toEqual([first, second])
    expect(await find({ code: 'shipfree' })).toEqual([second])
    expect(await find({ target_selection: 'specific' })).toEqual([second])
    expect(await find({ target_type: 'line_item' })).toEqual([first])
    expect(await find({ title: 'Free shipping' })).toEqual([second])
    expect(await find({ value_type: 'percentage' })).toEqual([first])
    expect(await find({ value: 4.95 })).toEqual([second])
    expect(await find({ type: 'order' })).toEqual([first])
    expect(await find({ uuid: second })).toEqual([second])
    expect(await find({ type: 'order', value: 4.95 })).toEqual([])
    const page = await caller.get('/discounts', { per_page: 1, page: 2 })
    expect(page.body.map(({ uuid }: { uuid: string }) => uuid)).toEqual([second])
    expect(page.headers['x-total-count']).toBe('2')
  })

  it('change only what an update names; null empties a field, and the type is ignored', async () => {
    const uuid = await createDiscount(editor, { ...whole, code: 'CHANGE' })
    const changes = { title: null, value: 15, code: 'CHANGED', type: 'shipping' }
    expect(await editor.patch(`/discounts/${uuid}`, changes)).toMatchObject({ status: 200, text: 'null' })
    expect(await read(uuid)).toEqual({
      uuid,
      shop_slug: shop.slug,
      ...whole,
      title: null,
      value: 15,
      code: 'CHANGED',
    })
    expect(await editor.patch(`/discounts/${uuid}`, { code: 'changed' })).toMatchObject({ status: 200 })
    await createDiscount(editor, { type: 'order', code: 'TAKEN' })
    expect(await editor.patch(`/discounts/${uuid}`, { code: 'taken' })).toMatchObject({
      status: 409,
      body: { key: 'discount_exists' },
    })
  })

  it('are gone once deleted, and their code is free again', async () => {
    const uuid = await createDiscount(editor, { type: 'order', code: 'GONE' })
    expect(await editor.delete(`/discounts/${uuid}`)).toMatchObject({ status: 200, text: 'null' })
    expect(await read(uuid)).toBeUndefined()
    const gone = { status: 404, body: { key: 'discount_not_found' } }
    expect(await editor.delete(`/discounts/${uuid}`)).toMatchObject(gone)
    expect(await editor.patch(`/discounts/${uuid}`, {})).toMatchObject(gone)
    await createDiscount(editor, { type: 'order', code: 'GONE' })
  })

  it('are not deleted while a deal shows them', async () => {
    const uuid = await createDiscount(editor, { type: 'order' })
    const deal = (await editor.post('/deals', { discount_id: uuid })).body
    expect(await editor.delete(`/discounts/${uuid}`)).toMatchObject({ status: 409, body: { key: 'discount_in_use' } })
    expect(await read(uuid)).toMatchObject({ uuid })
    await editor.delete(`/deals/${deal.uuid}`)
    expect(await editor.delete(`/discounts/${uuid}`)).toMatchObject({ status: 200 })
  })

  it('of another shop are not found', async () => {
    const other = (await makeShop()).as('editor')
    const uuid = await createDiscount(other, { type: 'order' })
    const missing = { status: 404, body: { key: 'discount_not_found' } }
    expect(await editor.get('/discounts', { uuid })).toMatchObject({ text: '[]' })
    expect(await editor.patch(`/discounts/${uuid}`, { title: 'mine' })).toMatchObject(missing)
    expect(await editor.delete(`/discounts/${uuid}`)).toMatchObject(missing)
    expect(await editor.delete(`/discounts/${unknownId}`)).toMatchObject(missing)
    expect((await other.get('/discounts', { uuid })).body).toHaveLength(1)
  })
})
