import { beforeAll, describe, expect, it } from 'vitest'
import { idIn, placesOf } from '../harness/catalogue.ts'
import { clock, type Reply } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

const text = 'Parcels take a day longer before the holidays.'
const missing = { status: 404, body: { key: 'announcement_not_found' } }
const exists = { status: 409, body: { key: 'announcement_exists' } }

describe('announcements', () => {
  let shop: TestShop
  let editor: ShopCaller

  beforeAll(async () => {
    shop = await makeShop()
    editor = shop.as('editor')
  })

  const announce = async (said: string, language = 'en') =>
    idIn(await editor.post('/announcements', { text: said, language }))
  const read = async (uuid: string, said: string) => (await editor.get('/announcements', { uuid, text: said })).body

  it('are created with an empty response that names them, and found by uuid and text', async () => {
    const created = await editor.post('/announcements', { text, language: 'en', unknown_field: 1 })
    expectEmpty(created)
    const uuid = idIn(created)
    expect(created.headers.location).toBe(`/v1/shops/${shop.slug}/announcements/${uuid}`)
    const found = await shop.as('viewer').get('/announcements', { uuid, text })
    expect(found.body).toEqual([
      { uuid, text, language: 'en', created_at: expect.any(String), updated_at: expect.any(String) },
    ])
    expect(found.headers['x-total-count']).toBe('1')
  })

  it('need a text and a known language', async () => {
    expect(placesOf((await editor.post('/announcements', {})).body)).toEqual([
      'body.language missing',
      'body.text missing',
    ])
    const { status, body } = await editor.post('/announcements', { text: 7, language: 'xx' })
    expect(status).toBe(422)
    expect(placesOf(body)).toEqual(['body.language value_error', 'body.text type_error'])
    expect((await editor.post('/announcements', { text: '', language: 'en' })).status).toBe(422)
  })

  it('are searched by uuid and text, both required', async () => {
    expect(placesOf((await editor.get('/announcements')).body)).toEqual(['query.text missing', 'query.uuid missing'])
    const uuid = await announce('Searched')
    expect(await editor.get('/announcements', { uuid })).toMatchObject({ status: 422 })
    expect(await editor.get('/announcements', { text: 'Searched' })).toMatchObject({ status: 422 })
    const wrong = await editor.get('/announcements', { uuid: 'x', text: 'a', language: 'xx', page: 0 })
    expect(placesOf(wrong.body)).toEqual([
      'query.language value_error',
      'query.page value_error',
      'query.uuid value_error',
    ])
    const find = async (query: Record<string, string | number>) =>
      (await editor.get('/announcements', { uuid, text: 'Searched', ...query })).body.length
    expect(await find({})).toBe(1)
    expect(await find({ language: 'en' })).toBe(1)
    expect(await find({ language: 'de' })).toBe(0)
    expect(await find({ text: 'searched' })).toBe(0)
    expect(await find({ page: 2 })).toBe(0)
  })

  it('exist once per text and language', async () => {
    await announce('Once')
    expect(await editor.post('/announcements', { text: 'Once', language: 'en' })).toMatchObject(exists)
    await announce('Once', 'de')
    expect(
      (await (await makeShop()).as('editor').post('/announcements', { text: 'Once', language: 'en' })).status,
    ).toBe(200)
    const race = await Promise.all(
      Array.from({ length: 8 }, () => editor.post('/announcements', { text: 'Race', language: 'en' })),
    )
    expect(race.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  })

  it('accept a text as long as a URL can name', async () => {
    const long = 'ő'.repeat(1_000)
    const uuid = await announce(long)
    expect(await read(uuid, long)).toHaveLength(1)
    expect((await editor.post('/announcements', { text: `${long}x`, language: 'en' })).status).toBe(422)
  })

  it('change only what an update names, with an empty response', async () => {
    const uuid = await announce('Before')
    const [before] = await read(uuid, 'Before')
    clock.advance(1_000)
    expectEmpty(await editor.patch(`/announcements/${uuid}`, { text: 'After' }))
    expectEmpty(await editor.patch(`/announcements/${uuid}`, { language: 'de', text: null }))
    const [changed] = await read(uuid, 'After')
    expect(changed).toMatchObject({ text: 'After', language: 'de', created_at: before.created_at })
    expect(changed.updated_at > before.updated_at).toBe(true)
    expect(placesOf((await editor.patch(`/announcements/${uuid}`, { language: 'xx' })).body)).toEqual([
      'body.language value_error',
    ])
    await announce('Taken', 'de')
    expect(await editor.patch(`/announcements/${uuid}`, { text: 'Taken' })).toMatchObject(exists)
  })

  it('are gone once deleted, with an empty response', async () => {
    const uuid = await announce('Gone')
    expectEmpty(await editor.delete(`/announcements/${uuid}`))
    expect(await read(uuid, 'Gone')).toEqual([])
    expect(await editor.delete(`/announcements/${uuid}`)).toMatchObject(missing)
    expect(await editor.patch(`/announcements/${uuid}`, {})).toMatchObject(missing)
    expect(placesOf((await editor.delete('/announcements/nonsense')).body)).toEqual(['path.uuid value_error'])
  })

  it('of another shop are not found', async () => {
    const uuid = await announce('Mine')
    const other = (await makeShop()).as('editor')
    expect((await other.get('/announcements', { uuid, text: 'Mine' })).body).toEqual([])
    expect(await other.patch(`/announcements/${uuid}`, { text: 'Theirs' })).toMatchObject(missing)
    expect(await other.delete(`/announcements/${uuid}`)).toMatchObject(missing)
    expect(await read(uuid, 'Mine')).toHaveLength(1)
  })

  it('return the first empty response to a repeated creation', async () => {
    const headers = { 'idempotency-key': 'announce-once' }
    const send = () => editor.post('/announcements', { text: 'Repeated', language: 'en' }, { headers })
    const [first, again] = [await send(), await send()]
    expectEmpty(again)
    expect(again.headers.location).toBe(first.headers.location)
  })
})

/** Expects 200 without a body and without a content type. */
function expectEmpty(reply: Reply): void {
  expect(reply).toMatchObject({ status: 200, text: '', body: undefined })
  expect(reply.headers['content-type']).toBeUndefined()
  expect(Number(reply.headers['content-length'] ?? 0)).toBe(0)
}
