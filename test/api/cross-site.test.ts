import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { exampleOf } from '../../src/http/example.ts'
import { pathSchema } from '../../src/http/read-input.ts'
import { operations } from '../../src/operations.ts'
import type { Operation } from '../../src/platform/foundation/operation.ts'
import type { Service } from '../../src/service.ts'
import { anyAddress, type Browser, openBrowser, signIn } from '../harness/people.ts'
import { call, logPosition, openTestDatabase, startNode, startTestService, superadmin } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const asAdmin = { username: superadmin.username, api_key: superadmin.apiKey }

/** Headers that browsers send with a request from a page of another site. */
const foreign: [name: string, headers: Record<string, string>][] = [
  ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['from another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }],
  ['from a subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://shop.doorstep.example' }],
  ['opened by the user', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['by a browser that sends only the origin', { origin: 'https://evil.example' }],
  ['by a browser that hides the origin', { origin: 'null' }],
  ['from our host at another port', { origin: 'http://localhost:8081' }],
  ['from our host without encryption', { origin: 'http://doorstep.example' }],
  ['without any word about its origin', {}],
]

const unsafe = operations.filter(({ method }) => method !== 'GET')

describe('cookie sent with an unsafe request of another site', () => {
  let service: Service
  let shop: TestShop
  let browser: Browser
  let known: { position: string | undefined; contents: unknown } | undefined

  beforeAll(async () => {
    service = await startTestService({}, await openTestDatabase())
    shop = await makeShop({}, service)
    browser = await openBrowser(asAdmin, service)
    // The times of last use are stored now and then.
    await service.schedule.stop()
    return () => service.stop()
  })

  for (const operation of unsafe) {
    it(`does not count for ${operation.name}`, async () => {
      const before = await readContents()
      for (const [name, headers] of foreign) {
        for (const path of [operation.path, operation.aliasPath]) {
          if (path === undefined) continue
          const send = (cookie: Record<string, string>) =>
            call(
              operation.method,
              fill(operation, path, shop.slug),
              {
                auth: null,
                from: anyAddress(),
                headers: { ...headers, ...cookie },
                ...(operation.body && !operation.file ? { body: exampleOf(operation.body) } : {}),
              },
              service,
            )
          const { status } = await send({ cookie: browser.cookie })
          if (operation.needs === 'nobody') expect(status, name).toBe((await send({})).status)
          else expect(status, name).toBe(400)
        }
      }
      expect(await readContents()).toEqual(before)
    })
  }

  /** Read again only if something was written to the log since: that takes fifty times as long as to look there. */
  async function readContents(): Promise<unknown> {
    const position = await logPosition(service)
    if (position !== known?.position || known === undefined) known = { position, contents: await contentsOf(service) }
    return known.contents
  }

  it('counts for one of our own pages', async () => {
    const own: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'http://localhost' },
      { origin: 'https://doorstep.example' },
    ]
    for (const headers of own) {
      const reply = await call(
        'PATCH',
        `/v1/shops/${shop.slug}`,
        { auth: null, body: {}, headers: { ...headers, cookie: browser.cookie } },
        service,
      )
      expect(reply.status, JSON.stringify(headers)).toBe(200)
    }
  })

  it('counts for an address that the user opens, and for images of our pages, but for nothing that others embed', async () => {
    const get = async (headers: Record<string, string>) =>
      (await call('GET', '/v1/session', { auth: null, headers: { ...headers, cookie: browser.cookie } }, service))
        .status
    expect(await get({})).toBe(200)
    expect(await get({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(200)
    expect(await get({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' })).toBe(200)
    expect(await get({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors' })).toBe(400)
    expect(await get({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBe(400)
    expect(await get({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).toBe(400)
    expect(await get({ origin: 'https://evil.example' })).toBe(400)
  })
})

describe('page of another site', () => {
  it('cannot sign its visitors in', async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of foreign) {
      const reply = await signIn(asAdmin, { headers })
      expect(reply).toMatchObject({ status: 403, body: { key: 'insufficient_rights' } })
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })

  it('cannot claim our origin by the name of a host that a client sends to us', async () => {
    const node = await startNode({ TRUST_PROXY: '10.9.0.1' })
    onTestFinished(() => node.stop())
    const browser = await openBrowser(asAdmin, node)
    const headers = { cookie: browser.cookie, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }
    const reply = await call('PATCH', '/v1/shops/x', { auth: null, body: {}, headers, from: '10.1.1.1' }, node)
    expect(reply.status).toBe(400)
  })
})

function fill(operation: Operation, path: string, slug: string): string {
  const examples = exampleOf(pathSchema(operation)) as Record<string, string> // of an object of texts
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(name === 'slug' ? slug : (examples[name] ?? 'x')),
  )
}

/** A checksum of every table, except for the counts of attempts. */
async function contentsOf({ database }: Service): Promise<unknown> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace as space on space.oid = relnamespace
    where space.nspname = 'public' and relkind = 'r' and relname not in ('attempt_counts', 'job_runs', 'service_nodes')
    order by 1`.execute(database.db)
  const { rows } = await sql`select ${sql.join(
    tables.map(
      ({ name }) =>
        sql`(select count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) from ${sql.table(name)} as t) as ${sql.ref(name)}`,
    ),
  )}`.execute(database.db)
  return rows
}
