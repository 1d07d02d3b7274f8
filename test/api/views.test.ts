import { beforeAll, describe, expect, it } from 'vitest'
import { placesOf } from '../harness/catalogue.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

describe('saved views', () => {
  let shop: TestShop
  let editor: ShopCaller
  let admin: ShopCaller

  beforeAll(async () => {
    shop = await makeShop()
    editor = shop.as('editor')
    admin = shop.as('admin')
  })

  const view = (fields: Record<string, unknown> = {}) => ({ screen: 'orders', query: '?sort=-total', ...fields })
  const names = async (caller: ShopCaller, screen = 'orders') =>
    (await caller.get('/views', { screen })).body.map(
      ({ name, shared }: { name: string; shared: boolean }) => `${name}${shared ? ' (shared)' : ''}`,
    )

  it('are saved under a name, replaced, listed and deleted', async () => {
    const path = `/views/${encodeURIComponent('Größte / VIP?')}`
    const saved = await editor.put(path, view())
    expect(saved.body).toEqual({
      name: 'Größte / VIP?',
      screen: 'orders',
      query: '?sort=-total',
      shared: false,
      author: (await shop.credentials('editor')).username,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await editor.put(path, view({ query: '' }))).body).toMatchObject({
      query: '',
      created_at: saved.body.created_at,
    })
    expect(await names(editor)).toEqual(['Größte / VIP?'])
    expect((await editor.delete(`${path}?screen=orders`)).status).toBe(200)
    expect(await editor.delete(`${path}?screen=orders`)).toMatchObject({ status: 404, body: { key: 'view_not_found' } })
    expect(await names(editor)).toEqual([])
  })

  it('are private, unless they are shared; both may have the same name', async () => {
    await editor.put('/views/Mine', view())
    await editor.put('/views/All', view({ shared: true }))
    await admin.put('/views/All', view({ query: '?q=1' }))
    expect(await names(editor)).toEqual(['All (shared)', 'Mine'])
    expect(await names(admin)).toEqual(['All', 'All (shared)'])
    expect(await names(shop.as('viewer'))).toEqual(['All (shared)'])
    expect((await admin.delete('/views/Mine?screen=orders')).status).toBe(404)
    expect((await admin.delete('/views/All?screen=orders&shared=true')).status).toBe(200)
    expect(await names(admin)).toEqual(['All'])
    expect(await names(editor)).toEqual(['Mine'])
  })

  it('have a name once per screen', async () => {
    await editor.put('/views/Same', view({ screen: 'exceptions', query: '?kind=late' }))
    await editor.put('/views/Same', view({ screen: 'shipments', query: '?phase=collect' }))
    expect(await names(editor, 'exceptions')).toEqual(['Same'])
    expect(await names(editor, 'shipments')).toEqual(['Same'])
    const all = (await editor.get('/views')).body.filter(({ name }: { name: string }) => name === 'Same')
    expect(all).toHaveLength(2)
  })

  it('need a known screen and a search string', async () => {
    const errors = async (fields: Record<string, unknown>) =>
      placesOf((await editor.put('/views/Wrong', { ...view(), ...fields })).body)
    expect(await errors({ screen: 'x' })).toEqual(['body.screen value_error'])
    expect(await errors({ query: 'q=1' })).toEqual(['body.query value_error'])
    expect(await errors({ query: 'https://elsewhere.example/?q=1' })).toEqual(['body.query value_error'])
    expect(await errors({ query: '?q=1#part' })).toEqual(['body.query value_error'])
    expect(await errors({ query: `?${'x'.repeat(2_000)}` })).toEqual(['body.query value_error'])
    expect(await errors({ shared: 1 })).toEqual(['body.shared type_error'])
    expect((await editor.put(`/views/${'x'.repeat(81)}`, view())).status).toBe(422)
    expect((await editor.delete('/views/Wrong')).status).toBe(422)
  })

  it('are at most 100 of each owner', async () => {
    const own = (await makeShop()).as('editor')
    for (let number = 0; number < 100; number += 1) await own.put(`/views/${number}`, view())
    expect((await own.put('/views/more', view())).status).toBe(422)
    expect((await own.put('/views/7', view({ query: '' }))).status).toBe(200)
    expect((await own.put('/views/more', view({ shared: true }))).status).toBe(200)
    expect((await own.get('/views', { per_page: 100, page: 2 })).body).toHaveLength(1)
  })

  it('belong to their shop, and are saved by editors', async () => {
    expect(await names((await makeShop()).as('admin'))).toEqual([])
    expect((await shop.as('viewer').put('/views/Mine', view())).status).toBe(403)
    expect((await shop.as('viewer').delete('/views/Mine?screen=orders')).status).toBe(403)
  })
})
