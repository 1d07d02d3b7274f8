import { type Kysely, type KyselyPlugin, QueryNode, RawNode, SelectQueryNode, sql } from 'kysely'
import { expect } from 'vitest'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import { until } from './patience.ts'

/** A node of a plan as EXPLAIN returns it. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Runs the work on a database that returns the plan of each executed statement instead of its result. */
export async function explain(context: ShopContext, work: (context: ShopContext) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = []
  const explaining: KyselyPlugin = {
    transformQuery: ({ node }) =>
      SelectQueryNode.is(node)
        ? QueryNode.cloneWithExplain(node, 'json', sql`analyze, timing off`)
        : RawNode.create(['explain (analyze, timing off, format json) ', ''], [node]),
    async transformResult({ result }) {
      for (const row of result.rows) plans.push((row['QUERY PLAN'] as [{ Plan: Plan }])[0].Plan) // as EXPLAIN returns it
      return { rows: [] }
    },
  }
  const undo = new Error('undone')
  // EXPLAIN ANALYZE runs the statement, so it is rolled back.
  await context.db
    .transaction()
    .execute(async (db) => {
      await work({ ...context, db: db.withPlugin(explaining), afterCommit: [] })
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return plans
}

/**
 * Loads rows in sets, without triggers and without the checks of foreign keys, which take as long as the rows themselves.
 * Nothing of what triggers maintain is there: `name_key` of orders, and `changed_days`.
 */
export async function loadRows(db: Kysely<Tables>, load: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await load(db)
  })
}

/**
 * Vacuums a table until it can be read from an index alone. Rows that some older transaction may not see yet cannot; the
 * error says which one it is. A page that was added and never used does not count as visible, so a tenth may be missing.
 */
export async function untilVisible(db: ShopContext['db'], table: string): Promise<void> {
  const findVisible = async () => {
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
    const { rows } = await sql<{ isVisible: boolean }>`
      select relallvisible >= 0.9 * relpages as "isVisible" from pg_class where oid = ${table}::regclass`.execute(db)
    return rows[0]?.isVisible || undefined
  }
  await until(findVisible).catch(async (error: Error) => {
    const { rows } = await sql<{ text: string }>`
      select concat_ws(' ', pid, datname, state, now() - xact_start, query) as text from pg_stat_activity
      where backend_xmin is not null or backend_xid is not null
      union all
      select concat_ws(' ', relpages, 'pages, visible', relallvisible) from pg_class where oid = ${table}::regclass`.execute(
      db,
    )
    throw new Error([error.message, ...rows.map(({ text }) => text)].join('\n'))
  })
}

export function nodesOf(plan: Plan | undefined): Plan[] {
  return plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

/** The rows that a step has looked at, in all of its loops. */
export function rowsReadBy(node: Plan): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}

export function indexesOf(plan: Plan | undefined): string[] {
  return nodesOf(plan).flatMap((node) => node['Index Name'] ?? [])
}

export function conditionsOf(plan: Plan | undefined): string {
  return nodesOf(plan)
    .map((node) => node['Index Cond'] ?? '')
    .join('\n')
}

export function expectNoScan(plan: Plan | undefined): void {
  const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')
  expect(scans.map((node) => node['Relation Name'])).toEqual([])
  expect(nodesOf(plan).length).toBeGreaterThan(0)
}
