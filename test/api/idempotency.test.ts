import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { dayMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
const countKeys = async (shop: TestShop) => (await shop.as('admin').get('/api-keys')).body.tokens.length

describe('Idempotency-Key', () => {
  it('returns the first response to the same request, and does nothing twice', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    const first = await admin.post('/api-keys', { role: 'viewer' }, withKey('same'))
    const before = await countKeys(shop)
    const again = await admin.post('/api-keys', { role: 'viewer' }, withKey('same'))
    expect(again).toMatchObject({ status: 200, text: first.text })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(await countKeys(shop)).toBe(before)
  })

  it('repeats headers of the first response', async () => {
    const slug = `idempotent-${process.pid}`
    const body = { name: 'Once', slug }
    const first = await call('POST', '/v1/shops', { body, ...withKey('create-once') })
    const again = await call('POST', '/v1/shops', { body, ...withKey('create-once') })
    expect(again).toMatchObject({ status: 200, text: 'null' })
    expect(again.headers.location).toBe(first.headers.location)
  })

  it('rejects another body or another operation under the same key', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    await admin.post('/api-keys', { role: 'viewer' }, withKey('taken'))
    const before = await countKeys(shop)
    const other = await admin.post('/api-keys', { role: 'editor' }, withKey('taken'))
    expect(other).toMatchObject({
      status: 422,
      body: { key: 'invalid_payload', errors: [{ loc: ['header', 'Idempotency-Key'] }] },
    })
    expect(await countKeys(shop)).toBe(before)
    expect((await admin.post('/api-keys', { role: 'viewer' }, withKey('taken'))).status).toBe(200)
  })

  it('runs concurrent requests once', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    const before = await countKeys(shop)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => admin.post('/api-keys', { role: 'viewer' }, withKey('at-once'))),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(await countKeys(shop)).toBe(before + 1)
  })

  it('repeats an error response, even if the request would be accepted by now', async () => {
    const shop = await makeShop()
    const body = { name: 'Second', slug: shop.slug }
    const send = () => call('POST', '/v1/shops', { body, ...withKey(`refused-${shop.slug}`) })
    const first = await send()
    expect(first.status).toBe(409)
    await call('DELETE', `/v1/shops/${shop.slug}`)
    const again = await send()
    expect(again).toMatchObject({ status: 409, text: first.text })
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('does not store that there were too many requests: the same request is handled once it is not too early', async () => {
    const shop = await makeShop()
    const body = { group: 'shipment_in_transit', language: 'en', to: 'you@shop.example' }
    const send = (key: string) => shop.as('editor').post('/mail/test', body, withKey(key))
    for (let time = 0; time < 20; time += 1) expect((await send(`before-${time}`)).status).toBe(200)
    const early = await send('too-early')
    expect(early).toMatchObject({ status: 429, body: { key: 'rate_limited' } })
    const { database } = await theService()
    const { rows } = await sql`select status from idempotent_requests where idempotency_key = 'too-early'`.execute(
      database.db,
    )
    expect(rows).toEqual([])
    clock.advance(11 * minuteMs)
    const again = await send('too-early')
    expect(again).toMatchObject({ status: 200, body: { problem: 'no_account' } })
    expect(again.headers['idempotent-replayed']).toBeUndefined()
  })

  it('allows a corrected request after an invalid one', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    expect((await admin.post('/api-keys', { role: 'king' }, withKey('mended'))).status).toBe(422)
    expect((await admin.post('/api-keys', { role: 'viewer' }, withKey('mended'))).status).toBe(200)
  })

  it('is separate for each shop and each API key', async () => {
    const shop = await makeShop()
    const other = await makeShop()
    const secrets = [
      await shop.as('admin').post('/api-keys', { role: 'viewer' }, withKey('shared')),
      await other.as('admin').post('/api-keys', { role: 'viewer' }, withKey('shared')),
      await shop.as('superadmin').post('/api-keys', { role: 'viewer' }, withKey('shared')),
    ].map(({ body }) => body.secret)
    expect(new Set(secrets).size).toBe(3)
  })

  it('is valid for 24 hours', async () => {
    const shop = await makeShop()
    const send = async () => (await shop.as('admin').post('/api-keys', { role: 'viewer' }, withKey('kept'))).body.secret
    const first = await send()
    clock.advance(dayMs - 10 * secondMs)
    expect(await send()).toBe(first)
    clock.advance(20 * secondMs)
    const second = await send()
    expect(second).not.toBe(first)
    expect(await send()).toBe(second)
  })

  it.each(['', ' ', 'with space', 'é', 'x'.repeat(256)])('rejects the key %j', async (key) => {
    const shop = await makeShop()
    const reply = await shop.as('admin').post('/api-keys', {}, withKey(key))
    expect(reply.status).toBe(422)
    expect(reply.body.errors[0].loc).toEqual(['header', 'Idempotency-Key'])
  })

  it('stores no secret in plain text', async () => {
    const shop = await makeShop()
    const { body } = await shop.as('admin').post('/api-keys', {}, withKey('sealed'))
    const { database } = await theService()
    const { rows } = await sql<{ body: string }>`
      select body from idempotent_requests where idempotency_key = 'sealed'`.execute(database.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.body).not.toContain(body.secret)
  })
})
