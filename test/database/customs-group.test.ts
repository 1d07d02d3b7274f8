import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fillStore } from '../../bin/versions/kept-store.ts'
import { beginSharing, releaseReserved } from '../../src/delivery/queue/reserved-store.ts'
import { after, dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { Context } from '../../src/platform/foundation/context.ts'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openInMemory } from '../../src/platform/store/embedded/in-memory.ts'
import { migrate } from '../../src/platform/store/migrate.ts'
import { migrationNames } from '../../src/platform/store/migrations.ts'
import { keptVersions, readKeptStore } from '../harness/kept-versions.ts'

const delay = 'shipment_carrier_delay'
const customs = 'shipment_customs_action_needed'
const group = 'event_data.event_group'

/** A store of a released version, before the migrations that copy. */
async function openBefore(version = keptVersions().at(-1) ?? '') {
  const engine = await openInMemory()
  let release = () => {}
  // Closing waits for the owner of the connection.
  onTestFinished(async () => {
    release()
    await engine.close()
  })
  await fillStore(engine, readKeptStore(version))
  await migrate(engine.pool, { names: migrationNames().filter((name) => name < '0095') })
  const client = await engine.pool.connect()
  release = () => {
    client.release()
    release = () => {}
  }
  const run = async (text: string, values: unknown[] = []) => (await client.query({ text, values })).rows
  const [shop] = (await run(`select id from shops where slug = 'kept'`)) as { id: string }[]
  const migrateRest = async () => {
    release()
    await migrate(engine.pool)
    return createDatabase(engine)
  }
  return { run, shopId: shop?.id ?? '', migrateRest }
}

describe.each(keptVersions())('a store of version %s whose shops name the group of delays', (version) => {
  it('has conditions that both groups meet, and its mail templates twice', async () => {
    const { run, shopId, migrateRest } = await openBefore(version)
    const cases: [string, unknown, string, unknown][] = [
      ['eq', delay, 'in', [delay, customs]],
      ['neq', delay, 'not_in', [delay, customs]],
      ['in', ['claim_created', delay], 'in', ['claim_created', delay, customs]],
      ['not_in', [delay], 'not_in', [delay, customs]],
      ['in', [delay, customs], 'in', [delay, customs]],
      ['contains', delay, 'in', [delay, `return_${delay}`, customs]],
      ['eq', `return_${delay}`, 'eq', `return_${delay}`],
      ['in', ['claim_created'], 'in', ['claim_created']],
    ]
    const other = { field: 'event_data.phase', operator: 'eq', value: delay }
    const conditionsOf = (operator: string, value: unknown) => [
      other,
      { field: group, operator, value },
      { field: group, operator: 'exists' },
    ]
    for (const [index, [operator, value]] of cases.entries()) {
      await run(
        `insert into automations (shop_id, id, name, enabled, trigger_events, conditions, delay_minutes, actions, created_at, updated_at)
         values ($1, $2, $3, true, '{shipments}', $4, 0, '[]', now(), now())`,
        [shopId, randomUUID(), `case ${index}`, JSON.stringify(conditionsOf(operator, value))],
      )
    }
    const all = cases.flatMap(([operator, value]) => conditionsOf(operator, value))
    await run(`update webhook_endpoints set conditions = $2 where shop_id = $1`, [shopId, JSON.stringify(all)])
    for (const name of [delay, 'shipment_delivered']) {
      for (const language of ['de', 'en']) {
        await run(
          `insert into mail_templates (shop_id, event_group, language, subject, blocks, updated_at) values ($1, $2, $3, $4, $5, now())`,
          [shopId, name, language, `${name} ${language}`, ['parcels', 'help']],
        )
      }
    }
    const { db } = await migrateRest()
    const expected = cases.map(([, , operator, value]) => conditionsOf(operator, value))
    const automations = await db
      .selectFrom('automations')
      .where('shop_id', '=', shopId)
      .where('name', 'like', 'case %')
      .select('conditions')
      .orderBy('name')
      .execute()
    expect(automations.map(({ conditions }) => conditions)).toEqual(expected)
    const endpoints = await db
      .selectFrom('webhook_endpoints')
      .where('shop_id', '=', shopId)
      .select('conditions')
      .execute()
    expect(endpoints.map(({ conditions }) => conditions)).toEqual([expected.flat()])
    const rows = await db
      .selectFrom('mail_templates')
      .where('shop_id', '=', shopId)
      .select(['event_group', 'language', 'subject', 'blocks'])
      .orderBy('event_group')
      .orderBy('language')
      .execute()
    expect(rows.map(({ event_group, language, subject }) => [event_group, language, subject])).toEqual([
      [delay, 'de', `${delay} de`],
      [delay, 'en', `${delay} en`],
      [customs, 'de', `${delay} de`],
      [customs, 'en', `${delay} en`],
      ['shipment_delivered', 'de', 'shipment_delivered de'],
      ['shipment_delivered', 'en', 'shipment_delivered en'],
    ])
    expect(rows.every(({ blocks }) => blocks?.join() === 'parcels,help')).toBe(true)
  })
})

describe('deliveries about customs', () => {
  it('return to the common queue an hour after the last older node, and leave it when one comes back', async () => {
    const { run, shopId, migrateRest } = await openBefore()
    await run(
      `insert into exception_progress (shop_id, changed_until, changed_id)
       values ($1, now(), '00000000-0000-0000-0000-000000000000')
       on conflict (shop_id) do update set walk_before = null, walk_before_id = null`,
      [shopId],
    )
    const { db } = await migrateRest()
    const now = new Date()
    const at = (time: Date) => ({ db, now: time }) as Context // all that is read of it
    const [known] = await db.selectFrom('deliveries').where('shop_id', '=', shopId).selectAll().execute()
    if (known === undefined) throw new Error('the kept store has no delivery')
    const enqueue = async () => {
      const row = { ...known, id: randomUUID(), event_group: customs, status: 'pending', finished_at: null }
      await db
        .insertInto('deliveries')
        .values({ ...row, attempt_log: '[]', next_attempt_at: now })
        .execute()
      return row.id
    }
    const timesOf = (id: string) =>
      db
        .selectFrom('deliveries')
        .where('id', '=', id)
        .select(['next_attempt_at', 'reserved_due_at', 'postponed_until'])
        .executeTakeFirstOrThrow()
    const setOlderNode = (seenAt: Date) =>
      sql`
        insert into service_nodes (id, host, pid, role, version, started_at, seen_at)
        values ('00000000-0000-0000-0000-00000000000a', 'older', 1, 'all', '0.3.0', ${now}, ${seenAt})
        on conflict (id) do update set seen_at = excluded.seen_at`.execute(db)

    await setOlderNode(now)
    const first = await enqueue()
    const farOff = new Date('9999-01-01T00:00:00Z')
    expect(await timesOf(first)).toEqual({ next_attempt_at: farOff, reserved_due_at: now, postponed_until: farOff })
    expect(await beginSharing(at(now))).toBe(false)
    const gone = after(now, 3 * minuteMs)
    expect(await beginSharing(at(gone))).toBe(false)
    expect(await beginSharing(at(after(gone, hourMs - 1)))).toBe(false)
    expect(await beginSharing(at(after(gone, hourMs)))).toBe(true)
    await releaseReserved(at(after(gone, hourMs)))
    expect(await timesOf(first)).toEqual({ next_attempt_at: now, reserved_due_at: null, postponed_until: null })
    expect(await timesOf(await enqueue())).toMatchObject({ next_attempt_at: now, reserved_due_at: null })
    // Parcels that wait at customs are evaluated by the rules of this version.
    const progress = await db.selectFrom('exception_progress').select('walk_before').execute()
    expect(progress.length).toBeGreaterThan(0)
    expect(progress.every(({ walk_before }) => walk_before !== null)).toBe(true)

    const later = after(now, dayMs)
    await setOlderNode(later)
    expect(await beginSharing(at(later))).toBe(false)
    expect(await timesOf(await enqueue())).toMatchObject({ reserved_due_at: now })
  })
})
