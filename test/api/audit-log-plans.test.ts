import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Service } from '../../src/service.ts'
import { searchAuditLog, searchInstallationAuditLog } from '../../src/shops/audit-log/operations.ts'
import { deleteEntriesBefore } from '../../src/shops/audit-log/store.ts'
import { expectNoScan, explain, indexesOf, nodesOf, type Plan } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const entriesOfShop = 4_000
const perPage = 30
const page = 2
const rowsOfPage = page * perPage + 1

let service: Service
let context: ShopContext
const now = new Date()
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

beforeAll(async () => {
  service = await theService()
  const shops = await Promise.all([makeShop(), makeShop(), makeShop()])
  const { db } = service.database
  const ids = await db
    .selectFrom('shops')
    .where(
      'slug',
      'in',
      shops.map(({ slug }) => slug),
    )
    .select('id')
    .execute()
  for (const shopId of [null, ...ids.map(({ id }) => id)]) await load(shopId)
  await sql`vacuum analyze audit_log`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[1].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
})

const filters: [name: string, filter: Record<string, string>, index: string][] = [
  ['nothing', {}, 'audit_log_shop'],
  ['time', { from: ago(900).toISOString(), to: ago(20).toISOString() }, 'audit_log_shop'],
  ['actor', { actor: 'Key 7' }, 'audit_log_actor_name'],
  ['id of the actor', { actor_id: 'key-7' }, 'audit_log_actor'],
  ['action', { action: 'updateDeal' }, 'audit_log_action'],
  ['area', { area: 'Deals' }, 'audit_log_area'],
  ['an area without entries', { area: 'Nothing' }, 'audit_log_area'],
  ['kind of subject', { subject_kind: 'deal' }, 'audit_log_kind'],
  ['subject', { subject_kind: 'deal', subject_id: 'subject-8' }, 'audit_log_subject'],
  ['actor and time', { actor_id: 'key-7', from: ago(40).toISOString() }, 'audit_log_actor'],
]

describe('search of the audit log reads no more than its page', () => {
  for (const operation of [searchAuditLog, searchInstallationAuditLog]) {
    it.each(filters)(`${operation.name} by %s`, async (_name, filter, index) => {
      const input = { path: {}, query: { page, per_page: perPage, ...filter }, body: undefined, upload: undefined }
      const [list, count] = await explain(context, (context) => operation.handle(context, input))
      expect(indexesOf(list)).toEqual([index])
      expectBounded(list)
      expectNoScan(count)
    })
  }
})

describe('retention of the audit log', () => {
  it('finds the oldest entries by their ids', async () => {
    const [plan] = await explain(context, (context) => deleteEntriesBefore(context, ago(900), 500))
    expect(indexesOf(plan)).toContain('audit_log_pkey')
    const read = nodesOf(plan).filter((node) => node['Node Type'].includes('Index'))
    for (const node of read) expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(500)
  })
})

function expectBounded(plan: Plan | undefined): void {
  expectNoScan(plan)
  for (const node of nodesOf(plan)) {
    const where = JSON.stringify(node, undefined, 1)
    // The few entries of one subject may be sorted; a sort of more would have to read more than the page.
    expect(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), where).toBeLessThanOrEqual(rowsOfPage)
  }
}

/** An entry every quarter of an hour. */
async function load(shopId: string | null): Promise<void> {
  const { db } = service.database
  await sql`
    insert into audit_log (id, shop_id, recorded_at, actor_kind, actor_id, actor_name, action, area, subject_kind,
      subject_id, changes)
    select
      (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' ||
        substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
      ${shopId}::uuid, at, 'key', 'key-' || n % 20, 'Key ' || n % 20,
      (array['updateDeal', 'updateWebhook', 'updateShop', 'createDeal'])[1 + n % 4],
      (array['Deals', 'Webhooks', 'Shops', 'Deals'])[1 + n % 4],
      (array['deal', 'webhook', 'shop', 'deal'])[1 + n % 4], 'subject-' || n % 480, '{}'
    from generate_series(1, ${entriesOfShop}::int) as n,
      lateral (select ${now}::timestamptz - n * interval '15 minutes' as at) as times`.execute(db)
}
