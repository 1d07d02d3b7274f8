import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { leaseMs } from '../../src/orders/imports/lease.ts'
import { leaseDueImport, resumeImport } from '../../src/orders/imports/resume-import.ts'
import { ImportLost } from '../../src/orders/imports/write-batch.ts'
import { secondMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { openWithoutWorkers, sendImport, stopWithoutWorkers } from '../harness/imports.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

afterAll(stopWithoutWorkers)

const csvOf = (orders: number) =>
  `order_number,zip_code\n${Array.from({ length: orders }, (_, n) => `n${n},10115\n`).join('')}`

async function left(service: Service) {
  const { rows } = await sql`
    select (select count(*)::int from import_chunks) as chunks, (select count(*)::int from import_names) as names,
      (select count(*)::int from imports where due_at is not null) as due`.execute(service.database.db)
  return rows[0]
}

describe('cancelling an import', () => {
  it('ends one that waits, before anything is read, and deletes its file', async () => {
    const { service, shop: editor, runner } = await openWithoutWorkers()
    const { id } = (await sendImport(editor, csvOf(3))).body
    const cancelled = await editor.post(`/imports/${id}/cancel`)
    expect(cancelled).toMatchObject({
      status: 200,
      body: { id, status: 'cancelled', reason: null, rows: 0, problems: [], finished_at: expect.any(String) },
    })
    await runner.runDue()
    expect((await editor.get(`/imports/${id}`)).body).toEqual(cancelled.body)
    expect((await editor.get('/orders')).body).toEqual([])
    expect(await left(service)).toEqual({ chunks: 0, names: 0, due: 0 })
  })

  it('ends one that runs after the batch that is being written, which stays', async () => {
    const { service, shop: editor, runner } = await openWithoutWorkers()
    const { id } = (await sendImport(editor, csvOf(3_000))).body
    const claimed = await leaseDueImport(service.context())
    if (claimed === undefined) throw new Error('nothing was due')
    let cancelling: Promise<{ status: number }> | undefined
    const running = resumeImport(service.context, claimed, () => {
      cancelling ??= editor.post(`/imports/${id}/cancel`)
      return true
    })
    await expect(running).rejects.toThrow(ImportLost)
    expect((await cancelling)?.status).toBe(200)
    const report = (await editor.get(`/imports/${id}`)).body
    expect(report).toMatchObject({ status: 'cancelled', failed: 0, reason: null })
    expect(report.created % 250).toBe(0)
    expect(report.created).toBeLessThan(3_000)
    await runner.runDue()
    clock.advance(leaseMs + secondMs)
    await runner.runDue()
    expect((await editor.get(`/imports/${id}`)).body).toEqual(report)
    expect(await left(service)).toEqual({ chunks: 0, names: 0, due: 0 })
    const { rows } = await sql`select count(*)::int as count from orders`.execute(service.database.db)
    expect(rows).toEqual([{ count: report.created }])
  })

  it('ends one whose worker is gone', async () => {
    const { service, shop: editor, runner } = await openWithoutWorkers()
    const { id } = (await sendImport(editor, csvOf(3))).body
    await leaseDueImport(service.context())
    expect((await editor.post(`/imports/${id}/cancel`)).body).toMatchObject({ status: 'cancelled' })
    await runner.runDue()
    expect(await left(service)).toEqual({ chunks: 0, names: 0, due: 0 })
  })

  it('leaves one that has ended as it is', async () => {
    const { shop: editor, runner, service } = await openWithoutWorkers()
    const sent = []
    for (const csv of [csvOf(2), 'nothing\n', csvOf(1), csvOf(1)]) sent.push((await sendImport(editor, csv)).body.id)
    const [, , aside, cancelled] = sent
    await sql`update imports set attempts = 2 where id = ${aside}`.execute(service.database.db)
    await editor.post(`/imports/${cancelled}/cancel`)
    await runner.runDue()
    const statuses = []
    for (const id of sent) {
      const before = (await editor.get(`/imports/${id}`)).body
      expect(await editor.post(`/imports/${id}/cancel`)).toMatchObject({ status: 200, body: before })
      expect((await editor.get(`/imports/${id}`)).body).toEqual(before)
      statuses.push(before.status)
    }
    expect(statuses).toEqual(['completed', 'failed', 'set_aside', 'cancelled'])
  })

  it('is for editors of the shop, and leaves an entry in its log', async () => {
    const { service, made: shop, shop: editor } = await openWithoutWorkers()
    const other = await makeShop({}, service)
    const { id } = (await sendImport(editor, csvOf(1))).body
    const path = `/imports/${id}/cancel`
    expect((await shop.as('viewer').post(path)).status).toBe(403)
    expect(await other.as('admin').post(path)).toMatchObject({ status: 404, body: { key: 'import_not_found' } })
    expect((await editor.get(`/imports/${id}`)).body.status).toBe('queued')
    const unknown = '/imports/0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d/cancel'
    expect((await editor.post(unknown)).body).toMatchObject({ key: 'import_not_found' })
    expect((await shop.as('admin').post(path)).body.status).toBe('cancelled')
    await editor.post(path)
    const entries = (await shop.as('admin').get('/audit-log', { action: 'cancelImport' })).body
    expect(entries).toMatchObject([
      { subject: { kind: 'import', id }, changes: { status: { before: 'queued', after: 'cancelled' } } },
    ])
  })

  it('does not know a file that is still arriving', async () => {
    const { service, shop: editor } = await openWithoutWorkers()
    const { id } = (await sendImport(editor, csvOf(1))).body
    await sql`update imports set status = 'receiving' where id = ${id}`.execute(service.database.db)
    expect((await editor.post(`/imports/${id}/cancel`)).status).toBe(404)
    const { rows } = await sql`select status from imports where id = ${id}`.execute(service.database.db)
    expect(rows).toEqual([{ status: 'receiving' }])
  })
})
