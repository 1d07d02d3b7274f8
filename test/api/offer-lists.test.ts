import { beforeAll, describe, expect, it } from 'vitest'
import { createCampaign } from '../harness/campaigns.ts'
import { idIn } from '../harness/catalogue.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

let shop: TestShop
let editor: ShopCaller

beforeAll(async () => {
  shop = await makeShop()
  editor = shop.as('editor')
})

const listed = async (path: string, field: string, query: Record<string, string | number> = {}) =>
  (await shop.as('viewer').get(path, query)).body.map((row: Record<string, unknown>) => row[field])

describe('campaigns', () => {
  it('are found by a part of their name or segment, and sorted', async () => {
    await createCampaign(editor, { name: 'Warm socks', segment: 'vip', start_date: '2026-01-02T00:00:00Z' })
    await createCampaign(editor, { name: 'autumn', segment: 'default', start_date: '2026-01-03T00:00:00Z' })
    await createCampaign(editor, { name: 'Boots 50%', segment: 'news', start_date: '2026-01-01T00:00:00Z' })
    expect(await listed('/campaigns', 'name', { q: 'SOCK' })).toEqual(['Warm socks'])
    expect(await listed('/campaigns', 'name', { q: 'vip' })).toEqual(['Warm socks'])
    expect(await listed('/campaigns', 'name', { q: '%' })).toEqual(['Boots 50%'])
    expect(await listed('/campaigns', 'name', { sort: 'name' })).toEqual(['autumn', 'Boots 50%', 'Warm socks'])
    expect(await listed('/campaigns', 'name', { sort: '-start_date' })).toEqual(['autumn', 'Warm socks', 'Boots 50%'])
    expect(await listed('/campaigns', 'name', { sort: 'start_date', page: 2, per_page: 1 })).toEqual(['Warm socks'])
    expect((await editor.get('/campaigns', { sort: 'segment' })).status).toBe(422)
  })
})

describe('a campaign', () => {
  it('is enabled and disabled without touching its texts, unless another one is shown', async () => {
    const translations = [{ language: 'de', values: { title: 'Warme Füße' } }]
    const made = await createCampaign(editor, {
      segment: 'switched',
      promotion_properties: { title: 'Warm', translations },
    })
    const rival = await createCampaign(editor, { segment: 'switched', enabled: true })
    const turn = (uuid: string, enabled: unknown, headers = {}) =>
      editor.patch(`/campaigns/${uuid}`, { enabled }, { headers })
    expect(await turn(made.uuid, true)).toMatchObject({ status: 409, body: { key: 'campaign_active_segment_exists' } })
    expect(await turn(rival.uuid, false)).toMatchObject({ status: 200, body: { status: 'inactive' } })
    // The original stays, whatever language the caller reads.
    expect(await turn(made.uuid, true, { 'accept-language': 'de' })).toMatchObject({ body: { status: 'active' } })
    const { body } = await editor.get(`/campaigns/${made.uuid}`)
    expect(body).toMatchObject({ enabled: true, promotion_properties: { title: 'Warm', translations } })
    expect((await turn(made.uuid, 'maybe')).status).toBe(422)
    const other = (await makeShop()).as('editor')
    expect(await other.patch(`/campaigns/${made.uuid}`, { enabled: false })).toMatchObject({ status: 404 })
  })
})

describe('discounts', () => {
  it('are found by a part of their code or title, and sorted', async () => {
    for (const [code, title, value] of [
      ['B', 'Free <socks>', 5],
      ['a', 'Ten percent', 10],
      ['C', 'Shipping', 1],
    ] as const) {
      await editor.post('/discounts', { type: 'order', code, title, value })
    }
    expect(await listed('/discounts', 'code', { q: 'sOCk' })).toEqual(['B'])
    expect(await listed('/discounts', 'code', { sort: 'code' })).toEqual(['a', 'B', 'C'])
    expect(await listed('/discounts', 'code', { sort: '-value' })).toEqual(['a', 'B', 'C'])
    expect(await listed('/discounts', 'code', { sort: '-created_at' })).toEqual(['C', 'a', 'B'])
    expect(await listed('/discounts', 'code')).toEqual(['B', 'a', 'C'])
  })
})

describe('deals', () => {
  let ids: string[]
  const titles = () => listed('/deals', 'title')

  beforeAll(async () => {
    const discount_id = idIn(await editor.post('/discounts', { type: 'order', code: 'DEALT' }))
    ids = []
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      ids.push((await editor.post('/deals', { discount_id, title })).body.uuid)
    }
  })

  it('are found by a part of their title, a code or their id', async () => {
    expect(await listed('/deals', 'title', { q: 'thr' })).toEqual(['Three'])
    expect(await listed('/deals', 'title', { q: 'dealt' })).toHaveLength(4)
    expect(await listed('/deals', 'title', { uuid: ids[1] ?? '' })).toEqual(['Two'])
  })

  it('move up and down, and the others make room', async () => {
    const move = (index: number, rank: number) => editor.put(`/deals/${ids[index]}/rank`, { rank })
    expect((await move(3, 1)).body).toMatchObject({ title: 'Four', rank: 1 })
    expect(await titles()).toEqual(['Four', 'One', 'Two', 'Three'])
    expect((await move(3, 99)).body).toMatchObject({ rank: 4 })
    expect(await titles()).toEqual(['One', 'Two', 'Three', 'Four'])
    await move(0, 2)
    expect(await titles()).toEqual(['Two', 'One', 'Three', 'Four'])
    expect(await listed('/deals', 'rank')).toEqual([1, 2, 3, 4])
    expect((await move(0, 0)).status).toBe(422)
    const other = (await makeShop()).as('editor')
    expect(await other.put(`/deals/${ids[0]}/rank`, { rank: 1 })).toMatchObject({ body: { key: 'deal_not_found' } })
  })

  it('leave their old and new rank in the audit log', async () => {
    await editor.put(`/deals/${ids[0]}/rank`, { rank: 4 })
    const entries = (await shop.as('admin').get('/audit-log', { per_page: 100 })).body
    expect(entries).toContainEqual(
      expect.objectContaining({ changes: expect.objectContaining({ rank: { before: 2, after: 4 } }) }),
    )
  })
})

describe('announcements', () => {
  it('are listed, newest first, and filtered', async () => {
    for (const [text, language] of [
      ['A day later', 'en'],
      ['Einen Tag später', 'de'],
      ['Closed on Monday', 'en'],
    ] as const) {
      await editor.post('/announcements', { text, language })
    }
    const texts = (query: Record<string, string | number> = {}) => listed('/lists/announcements', 'text', query)
    expect(await texts()).toEqual(['Closed on Monday', 'Einen Tag später', 'A day later'])
    expect(await texts({ language: 'en' })).toEqual(['Closed on Monday', 'A day later'])
    expect(await texts({ q: 'DAY' })).toEqual(['Closed on Monday', 'A day later'])
    expect(await texts({ sort: 'text' })).toEqual(['A day later', 'Closed on Monday', 'Einen Tag später'])
    expect(await texts({ page: 2, per_page: 2 })).toEqual(['A day later'])
    const other = await makeShop()
    expect((await other.as('viewer').get('/lists/announcements')).body).toEqual([])
  })
})

describe('products', () => {
  it('are found by a part of their title or the beginning of their SKU', async () => {
    await editor.post('/products', [
      { product_id: '1', variant_id: '1', title: 'Larch wool socks', sku: 'LARCH-39' },
      { product_id: '2', variant_id: '2', title: 'Rain jacket', sku: 'RJ-42' },
    ])
    const titles = async (q: string) =>
      (await editor.get('/products', { q })).body.map(({ title }: { title: string }) => title)
    expect(await titles('WOOL')).toEqual(['Larch wool socks'])
    expect(await titles('rj-')).toEqual(['Rain jacket'])
    expect(await titles('42')).toEqual([])
  })
})
