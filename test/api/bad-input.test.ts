import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { pathSchema } from '../../src/http/read-input.ts'
import { operations } from '../../src/operations.ts'
import type { Operation } from '../../src/platform/foundation/operation.ts'
import type { TSchema } from '../../src/platform/foundation/schema.ts'
import { nearly, nearlyPathText, nearlyQuery, wellFormed } from '../harness/bad-input.ts'
import { call, logPosition, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

/** The same inputs in every run, so that a failure can be reproduced. */
const seed = 20_261_101

const tried = operations.filter(({ callsOut, file }) => !callsOut && file === undefined)

/** Inputs per operation, chosen so that the whole test takes well under a minute. */
const runs = Math.max(8, Math.min(25, Math.floor(1_200 / tried.length)))

describe('bad input', () => {
  // Jobs would change rows while requests are compared.
  beforeAll(async () => (await theService()).schedule.stop())

  it.each(tried.map((operation) => [operation.name, operation] as const))(
    'to %s never causes an unexpected error, and what is rejected changes nothing',
    async (_name, operation) => {
      const isRead = operation.method === 'GET'
      const { slug, id } = await (isRead ? shopOfReads() : makeOne())
      let before = isRead ? undefined : await snapshot(id)
      await fc.assert(
        fc.asyncProperty(requests(operation), async ({ path, query, body }) => {
          const address = fill(operation.path, { ...path, slug })
          const sent = { query, ...(operation.body ? { body } : {}) }
          // The harness fails on 500 and on every error that the operation does not declare.
          const reply = await call(operation.method, address, sent)
          // A request that wrote nothing to the write-ahead log changed nothing. Comparing rows takes longer than a call.
          if (before === undefined || (await logPosition(await theService())) === before.position) return
          const after = await snapshot(id)
          if (reply.status >= 400) expect(after.rows, `${reply.status} ${reply.text}`).toEqual(before.rows)
          before = after
        }),
        { seed, numRuns: runs, endOnFailure: true },
      )
    },
  )
})

let shared: ReturnType<typeof makeOne> | undefined

/** All operations that only read have one shop. */
function shopOfReads() {
  shared ??= makeOne()
  return shared
}

async function makeOne(): Promise<{ slug: string; id: string }> {
  const shop = await makeShop()
  return { slug: shop.slug, id: (await shop.as('superadmin').get('')).body.uuid }
}

function requests(operation: Operation) {
  const { slug: _slug, ...parameters } = pathSchema(operation).properties as Record<string, TSchema>
  const path = Object.fromEntries(Object.entries(parameters).map(([name, schema]) => [name, nearlyPathText(schema)]))
  return fc.record({
    path: fc.record(path) as fc.Arbitrary<Record<string, string>>,
    query: operation.query ? nearlyQuery(operation.query) : fc.constant({}),
    body: operation.body ? nearly(operation.body) : fc.constant(undefined),
  })
}

function fill(route: string, values: Record<string, string>): string {
  return route.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(wellFormed(values[name] ?? 'x')))
}

let statement: ((shopId: string) => RawBuilder<Record<string, string>>) | undefined

/** The rows as they are, and the end of the write-ahead log before they were read. */
async function snapshot(shopId: string) {
  const position = await logPosition(await theService())
  return { position, rows: await contents(shopId) }
}

/** The contents of this shop's rows, and the number of rows in tables without a shop. */
async function contents(shopId: string): Promise<Record<string, string> | undefined> {
  const { database } = await theService()
  if (statement === undefined) {
    const { rows } = await sql<{ table: string; isTenant: boolean }>`
      select tables.table_name as table, columns.column_name is not null as "isTenant"
      from information_schema.tables
      left join information_schema.columns
        on columns.table_schema = 'public' and columns.table_name = tables.table_name and columns.column_name = 'shop_id'
      where tables.table_schema = 'public' and tables.table_name not in ('idempotent_requests', 'job_runs', 'service_nodes',
        -- Attempts to sign in are counted before they are checked.
        'attempt_counts',
        -- What workers have to do, and strike off when they have done it.
        'parcel_enrolments', 'code_replays')
      order by tables.table_name`.execute(database.db)
    statement = (id) =>
      sql<Record<string, string>>`select ${sql.join(
        rows.map(({ table, isTenant }) =>
          isTenant
            ? sql`(select count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0)
                from ${sql.table(table)} as t where shop_id = ${id}) as ${sql.ref(table)}`
            : sql`(select count(*)::text from ${sql.table(table)}) as ${sql.ref(table)}`,
        ),
      )}`
  }
  return (await statement(shopId).execute(database.db)).rows[0]
}
