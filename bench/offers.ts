import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { insertCampaign } from '../src/offers/campaigns/store.ts'
import { decideFor, presentOffers } from '../src/offers/decision/decide.ts'
import { getOffers } from '../src/offers/decision/operations.ts'
import { findOfferedOrder } from '../src/offers/decision/store.ts'
import { readConfig } from '../src/platform/config/config.ts'
import type { Context, ShopContext } from '../src/platform/foundation/context.ts'
import { newId } from '../src/platform/foundation/ids.ts'
import { inTransaction } from '../src/platform/foundation/transaction.ts'
import { type Service, startService } from '../src/service.ts'
import { announceOffers } from '../src/shops/offer-versions/store.ts'
import { findShopIdentity } from '../src/shops/shops/store.ts'
import { orderBody } from './lib/dataset.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { authorization, serviceSettings } from './lib/service.ts'
import { printTable } from './table.ts'

const campaignCount = Number(process.env.BENCH_CAMPAIGNS ?? 1_000)
const orderCount = 200
const calls = Number(process.env.BENCH_CALLS ?? 2_000)
const warmUp = Math.ceil(calls / 10)
const slug = 'offers'

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${campaignCount} campaigns in the shop, ${calls} calls each\n`,
)
const rows: string[][] = []
if (process.env.BENCH_DATABASE_URL) {
  const own = await createOwnDatabase(process.env.BENCH_DATABASE_URL)
  await measureOn('PostgreSQL', { DATABASE_URL: own.url }).finally(own.drop)
}
const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
await measureOn('embedded store', { DATA_DIR: dataDir }).finally(() =>
  rmSync(dataDir, { recursive: true, force: true }),
)
printTable(['store', 'what', 'p50 ms', 'p99 ms', 'statements'], rows)

async function measureOn(store: string, settings: Record<string, string>): Promise<void> {
  const service = await startService(readConfig({ ...serviceSettings, ROLE: 'api', ...settings }), { listen: false })
  try {
    const { context, orderIds } = await fill(service)
    const counter = countStatements()
    const counted: ShopContext = { ...context, db: context.db.withPlugin(counter.plugin) }
    const order = await findOfferedOrder(context, context.shop.id, orderIds[0] ?? '')
    if (order === undefined) throw new Error('the order is not there')
    const statements = (before: number) => ((counter.count() - before) / (calls + warmUp)).toFixed(2)

    // Everything that a request does except for the database and the HTTP layer.
    const decided = await presentOffers(context, order, await decideFor(context, order))
    const deciding = await time(async () => {
      await presentOffers(context, order, await decideFor(context, order))
    })
    rows.push([store, 'own time: decide, with every reason', ...deciding, '-'])
    const writing = await time(async () => void JSON.stringify(decided))
    rows.push([
      store,
      `own time: write ${Math.round(JSON.stringify(decided).length / 1_000)} KB of JSON`,
      ...writing,
      '-',
    ])
    const before = counter.count()
    const handled = await time(async (call) => {
      const path = { slug, order_id: orderIds[call % orderIds.length] ?? '' }
      await getOffers.handle(counted, { path, query: {}, body: undefined, upload: undefined })
    })
    rows.push([store, 'with the store', ...handled, statements(before)])
    const requested = await time(async (call) => {
      const url = `/v1/shops/${slug}/orders/${orderIds[call % orderIds.length]}/offers`
      const { statusCode } = await service.app.inject({ url, headers: { authorization } })
      if (statusCode !== 200) throw new Error(`status ${statusCode}`)
    })
    rows.push([store, 'whole request, one by one', ...requested, '-'])
  } finally {
    await service.stop()
  }
}

/** A shop with campaigns for many segments; its orders are in two of them. */
async function fill(service: Service): Promise<{ context: ShopContext; orderIds: string[] }> {
  const post = async (method: 'POST' | 'PUT', url: string, payload: object) => {
    const {
      statusCode,
      payload: text,
      headers,
    } = await service.app.inject({ method, url, payload, headers: { authorization } })
    if (statusCode !== 200) throw new Error(text)
    return String(headers.location).split('/').at(-1) ?? ''
  }
  await post('POST', '/v1/shops', { name: 'River & Pine', slug })
  const orderIds: string[] = []
  for (let number = 0; number < orderCount; number += 1) {
    const order = orderBody({ shops: 1, orders: 40 }, 100_000_000_000 + number, new Date().toISOString())
    orderIds.push(await post('PUT', `/v1/shops/${slug}/orders`, { id: order.order_number, order, trackings: [] }))
  }
  const base: Context = service.context()
  const shop = await findShopIdentity(base, slug)
  if (shop === undefined) throw new Error('the shop is not there')
  const context: ShopContext = { ...base, shop }
  await inTransaction(context, async (context) => {
    await announceOffers(context)
    for (let number = 0; number < campaignCount; number += 1) await insertCampaign(context, campaign(context, number))
  })
  return { context, orderIds }
}

function campaign(context: ShopContext, number: number): Parameters<typeof insertCampaign>[1] {
  const texts = { title: 'Warm feet', subtitle: 'All winter long', cta_label: 'To the socks' }
  return {
    shop_id: context.shop.id,
    id: newId(context.now),
    name: `Campaign ${number}`,
    // A third is for everybody, a third for the segments of these orders, a third for other segments.
    segment: ['default', 'vip', `segment-${number}`][number % 3] ?? 'default',
    promotion_type: number % 2 === 0 ? 'basic' : 'banner',
    promotion_properties: {
      ...texts,
      translations: ['de', 'fr', 'nl'].map((language) => ({ language, values: texts })),
    },
    enabled: number % 10 !== 0,
    start_date: new Date(context.now.getTime() - number * 60_000),
    end_date: null,
    discount_id: null,
    created_at: context.now,
    updated_at: context.now,
    deleted_at: null,
  }
}

async function time(call: (number: number) => Promise<void>): Promise<[p50: string, p99: string]> {
  for (let number = 0; number < warmUp; number += 1) await call(number)
  const timesMs: number[] = []
  for (let number = 0; number < calls; number += 1) {
    const startedAt = performance.now()
    await call(number)
    timesMs.push(performance.now() - startedAt)
  }
  timesMs.sort((left, right) => left - right)
  const quantile = (share: number) => (timesMs[Math.floor((timesMs.length - 1) * share)] ?? Number.NaN).toFixed(3)
  return [quantile(0.5), quantile(0.99)]
}

function countStatements(): { plugin: KyselyPlugin; count(): number } {
  let count = 0
  return {
    plugin: {
      transformQuery({ node }) {
        count += 1
        return node
      },
      transformResult: async ({ result }) => result,
    },
    count: () => count,
  }
}
