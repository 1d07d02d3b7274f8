import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../src/platform/store/database.ts'
import type { Service } from '../../src/service.ts'
import { call, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

let first: Service
let second: Service
/** The second node's connection for change notifications. */
const connection = { isUp: true }

beforeAll(async () => {
  const database = await openTestDatabase()
  first = await startTestService({}, database)
  second = await startTestService({}, behindConnection(database))
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

describe('caches of two nodes', () => {
  it('see a change made on either node', async () => {
    const shop = await makeShop({ name: 'Before' }, first)
    expect(await nameOn(second, shop.slug)).toBe('Before')
    await shop.as('superadmin').patch('', { name: 'After' })
    expect(await nameOn(first, shop.slug)).toBe('After')
    // The notification reaches the other node a moment after the commit.
    await expect.poll(() => nameOn(second, shop.slug)).toBe('After')
  })

  it('see it within half a second while change notifications are interrupted', async () => {
    const now = performance.now.bind(performance)
    let elapsedMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + elapsedMs)
    const shop = await makeShop({ name: 'Before' }, first)
    connection.isUp = false
    onTestFinished(() => {
      connection.isUp = true
      vi.restoreAllMocks()
    })
    expect(await nameOn(second, shop.slug)).toBe('Before')
    await shop.as('superadmin').patch('', { name: 'After' })
    elapsedMs = 500
    expect(await nameOn(second, shop.slug)).toBe('After')
  })
})

function behindConnection(database: Database): Database {
  return {
    ...database,
    listen: (channel, handle) =>
      database.listen(channel, (payload) => {
        if (connection.isUp) handle(payload)
      }),
    listeningSince: () => (connection.isUp ? database.listeningSince() : undefined),
    // The first one closes the store that both use.
    close: async () => {},
  }
}

async function nameOn(service: Service, slug: string): Promise<string> {
  const { body } = await call('GET', `/v1/shops/${slug}`, {}, service)
  return body.name
}
