import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createReadiness } from '../../src/installation/status/readiness.ts'
import {
  backupJob,
  type FailedBackup,
  failedBackupFact,
  type LastBackup,
  lastBackupFact,
  putFact,
} from '../../src/platform/store/installation.ts'
import { leaseJobRun } from '../../src/platform/store/job-runs.ts'
import { SlowStatements } from '../../src/platform/store/slow-statements.ts'
import type { Service } from '../../src/service.ts'
import { newFolder } from '../harness/new-folder.ts'
import { until } from '../harness/patience.ts'
import {
  type Call,
  call,
  clock,
  engine,
  logLines,
  openTestDatabase,
  startNode,
  startTestService,
  theService,
} from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describe('status', () => {
  it('says how the installation does', async () => {
    // Jobs go through all shops, and in the shared store there are those of all tests before.
    const service = await startTestService({}, await openTestDatabase())
    onTestFinished(() => service.stop())
    await service.schedule.tick()
    const { status, body } = await call('GET', '/v1/status', {}, service)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      role: 'all',
      images_in: 'data_folder',
    })
    expect(body.store).toMatchObject({ engine, schema: expect.stringMatching(/^\d{4}_.*\.sql$/) })
    expect(body.store.bytes).toBeGreaterThan(0)
    expect(body.store.tables.length).toBeGreaterThan(5)
    expect(body.jobs).toContainEqual(expect.objectContaining({ name: 'figures', state: 'ok', failed_at: null }))
    expect(body.disk.free_bytes).toBeGreaterThan(0)
  })

  it('lists the processes that run, until they stop', async () => {
    const countApis = async (): Promise<number> =>
      (await call('GET', '/v1/status')).body.nodes.filter(({ role }: { role: string }) => role === 'api').length
    // Other tests may have left some.
    const before = await countApis()
    const node = await startNode({})
    await until(async () => ((await countApis()) === before + 1 ? true : undefined))
    await node.stop()
    expect(await countApis()).toBe(before)
  })

  it('says how long due work has waited', async () => {
    const { database } = await theService()
    const shop = await makeShop()
    const since = new Date(clock.now().getTime() - 90_000)
    await sql`insert into shopware_fetch_queues (shop_id, fetch_at, blocked_until)
      select id, ${since}, ${new Date(clock.now().getTime() + 90_000)} from shops where slug = ${shop.slug}`.execute(
      database.db,
    )
    const { body } = await call('GET', '/v1/status')
    const queue = body.queues.find(({ name }: { name: string }) => name === 'shopware_orders')
    expect(queue).toMatchObject({ oldest_due_at: since.toISOString() })
    await sql`delete from shopware_fetch_queues where fetch_at = ${since}`.execute(database.db)
  })

  it('shows the last scheduled backup and what became of the next, in metrics only where backups are made', async () => {
    const { database } = await theService()
    const metric = 'doorstep_backup_last_success_timestamp_seconds'
    const last: LastBackup = { at: '2026-11-16T03:00:00.000Z', name: 'doorstep.backup', bytes: 7_000, seconds: 2 }
    const failed: FailedBackup = { at: '2026-11-17T03:00:00.000Z', message: 'The folder is full.' }
    await putFact(database, lastBackupFact, JSON.stringify(last))
    await putFact(database, failedBackupFact, JSON.stringify({ ...failed, at: '2026-11-15T03:00:00.000Z' }))
    const node = await startNode({ BACKUP_TO: newFolder(), BACKUP_EVERY_HOURS: '6' })
    const backups = async () => (await call('GET', '/v1/status', {}, node)).body.backups
    try {
      const good = { every_hours: 6, last_at: last.at, last_bytes: 7_000, failed_at: null, failure: null }
      expect(await backups()).toEqual(good)
      const { text } = await call('GET', '/metrics', { auth: null }, node)
      expect(Number(new RegExp(`^${metric} (.*)$`, 'm').exec(text)?.[1])).toBe(Date.parse(last.at) / 1_000)
      await putFact(database, failedBackupFact, JSON.stringify(failed))
      expect(await backups()).toEqual({ ...good, failed_at: failed.at, failure: failed.message })
    } finally {
      await node.stop()
    }
    expect((await call('GET', '/v1/status')).body.backups).toMatchObject({ every_hours: null })
    expect((await call('GET', '/metrics', { auth: null })).text).not.toContain(metric)
    await database.db.deleteFrom('installation').where('name', 'in', [lastBackupFact, failedBackupFact]).execute()
  })

  it('has no overdue job of backups that were switched off', async () => {
    const { database } = await theService()
    await leaseJobRun(database, backupJob, new Date(clock.now().getTime() - 7 * 86_400_000), 86_400_000)
    const { jobs } = (await call('GET', '/v1/status')).body
    expect(jobs.map(({ name }: { name: string }) => name)).not.toContain(backupJob)
    expect((await call('GET', '/metrics', { auth: null })).text).not.toContain(`name="${backupJob}"`)
    await database.db.deleteFrom('job_runs').where('name', '=', backupJob).execute()
  })

  it('is for superadmins only', async () => {
    const shop = await makeShop()
    expect(await call('GET', '/v1/status', { auth: null })).toMatchObject({ status: 400 })
    expect(await call('GET', '/v1/status', { auth: await shop.credentials('admin') })).toMatchObject({ status: 403 })
  })
})

describe('slow statements', () => {
  it('are bounded, and those that took most time come first', () => {
    const statements = new SlowStatements()
    for (let number = 0; number < 1_000; number += 1) statements.add(`select ${number}`, 100 + number)
    statements.add('select fast', 1)
    statements.add('select 999', 5_000)
    const list = statements.list(1_000)
    expect(list.length).toBeLessThanOrEqual(100)
    expect(list[0]).toEqual({ text: 'select 999', count: 2, totalMs: 6_099, maxMs: 5_000 })
    expect(list.some(({ text }) => text === 'select fast')).toBe(false)
  })
})

describe('readiness', () => {
  it('names what was checked, without credentials', async () => {
    const { status, body } = await call('GET', '/readyz', { auth: null })
    expect(status).toBe(200)
    expect(body.status).toBe('ready')
    expect(body.checks.map(({ name }: { name: string }) => name)).toEqual([
      'store',
      'migrations',
      'clock',
      'disk',
      'workers',
    ])
  })

  it('says that the store hangs instead of waiting for it, and nothing about where it is', async () => {
    const hanging = { db: new Proxy({}, { get: () => () => new Promise(() => {}) }) } as never // every use of it waits for ever
    const readiness = createReadiness({
      scope: hanging,
      dataDir: newFolder(),
      role: 'worker',
      engine: 'postgres',
      stuckWorkers: () => ['deliveries'],
    })
    const { isReady, checks } = await readiness()
    expect(isReady).toBe(false)
    expect(checks).toContainEqual({
      name: 'store',
      state: 'failed',
      message: 'The store did not respond within 2 seconds.',
    })
    expect(checks).toContainEqual(expect.objectContaining({ name: 'workers', state: 'failed' }))
  })
})

describe('metrics', () => {
  it('stay small, whatever is requested', async () => {
    const { app } = await theService()
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'] as const
    for (let round = 0; round < 2_000; round += 1) {
      const method = methods[round % methods.length] ?? 'GET'
      const path = round % 2 === 0 ? `/made-up-${round}/${round}` : `/v1/shops/none-${round}/orders/${round}`
      await app.inject({ method, url: path })
    }
    const { text } = await call('GET', '/metrics', { auth: null })
    expect(text.length).toBeLessThan(60_000)
    expect(text).not.toMatch(/made-up|none-/)
  })

  it('need the token, if there is one', async () => {
    const token = 'the-token-of-prometheus'
    const node = await startNode({ METRICS_TOKEN: token })
    const read = (authorization?: string) =>
      call('GET', '/metrics', { auth: null, headers: authorization ? { authorization } : {} }, node)
    try {
      expect(await read()).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
      expect(await read('Bearer another-token-of-somebody')).toMatchObject({ status: 401 })
      expect(await read(`Bearer ${token}`)).toMatchObject({ status: 200 })
    } finally {
      await node.stop()
    }
  })
})

describe('metrics without a token', () => {
  const read = async (options: Call, service?: Service) =>
    (await call('GET', '/metrics', { auth: null, ...options }, service)).status

  it('are for programs of this machine', async () => {
    for (const from of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) expect(await read({ from })).toBe(200)
    for (const from of ['203.0.113.9', '10.0.0.7', '192.168.1.2', '2001:db8::1', '::ffff:10.0.0.7', 'fe80::1']) {
      const reply = await call('GET', '/metrics', { auth: null, from })
      expect(reply, from).toMatchObject({ status: 401, body: { key: 'invalid_merchant_or_key' } })
      expect([reply.headers['www-authenticate'], reply.text.includes('doorstep_')]).toEqual(['Bearer', false])
    }
    const { app } = await theService()
    expect((await app.inject({ method: 'HEAD', url: '/metrics', remoteAddress: '10.0.0.7' })).statusCode).toBe(401)
  })

  it.each([
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'x-forwarded-anything',
    'X-Real-IP',
    'CF-Connecting-IP',
    'True-Client-IP',
    'Fastly-Client-IP',
    'X-Cluster-Client-IP',
    'X-Client-IP',
    'CDN-Loop',
  ])('are not for what a proxy on this machine passes on: %s', async (name) => {
    expect(await read({ headers: { [name]: '127.0.0.1' } })).toBe(401)
    expect(await read({ headers: { [name]: '' } })).toBe(401)
  })

  it.each(['on', '2', 'loopback', '10.0.0.0/8'])('are so whatever TRUST_PROXY says: %s', async (trusted) => {
    const node = await startNode({ TRUST_PROXY: trusted })
    onTestFinished(() => node.stop())
    const forged = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }
    expect(await read({ headers: forged, from: '10.0.0.7' }, node)).toBe(401)
    expect(await read({ headers: forged, from: '203.0.113.9' }, node)).toBe(401)
    expect(await read({ headers: forged }, node)).toBe(401)
    expect(await read({}, node)).toBe(200)
  })

  it('are for everybody with the token once there is one, through proxies as well', async () => {
    const node = await startNode({ METRICS_TOKEN: 'the-token-of-prometheus' })
    onTestFinished(() => node.stop())
    const headers = { authorization: 'Bearer the-token-of-prometheus', 'x-forwarded-for': '203.0.113.9' }
    expect(await read({ headers, from: '203.0.113.9' }, node)).toBe(200)
    expect(await read({ from: '203.0.113.9' }, node)).toBe(401)
  })

  it('are mentioned at the start, in production, if nobody else can read them', async () => {
    const said = async (settings: Record<string, string>) => {
      const before = logLines.length
      const node = await startNode({ NODE_ENV: 'production', ...settings })
      await node.stop()
      return logLines.slice(before).some((line) => line.includes('only programs of this machine can read /metrics'))
    }
    expect(await said({})).toBe(true)
    expect(await said({ METRICS_TOKEN: 'the-token-of-prometheus' })).toBe(false)
    expect(await said({ METRICS_PORT: '0' })).toBe(false)
    expect(await said({ NODE_ENV: 'development' })).toBe(false)
  })
})

describe('metrics on their own port', () => {
  it('are not on the public one', async () => {
    const node = await startNode({ METRICS_PORT: '0', PORT: '0', HOST: '127.0.0.1' })
    try {
      expect(await call('GET', '/metrics', { auth: null }, node)).toMatchObject({ status: 404 })
      const url = `http://127.0.0.1:${node.metricsPort}`
      const response = await fetch(`${url}/metrics`)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('doorstep_processes 1')
      expect((await fetch(`${url}/v1/shops`)).status).toBe(404)
    } finally {
      await node.stop()
    }
  })
})
