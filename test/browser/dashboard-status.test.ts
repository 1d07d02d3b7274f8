import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Status } from '../../src/installation/status/schema.ts'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describeInBrowser('status of the installation in the dashboard', () => {
  let service: Service
  let real: Status

  beforeAll(async () => {
    service = (await openDashboard()).service
    real = (await call('GET', '/v1/status', {}, service)).body
  })

  it('is one click away for superadmins, and says in a sentence how the installation does', async () => {
    const shop = await makeShop({}, service)
    const largest = real.store.tables[0]?.name ?? ''
    expect(largest).not.toBe('')
    await visit({ as: 'superadmin', movesClock: true }, async (page) => {
      await page.clock.install()
      await go(page, `/dashboard/${shop.slug}/settings/shop`)
      await page.getByRole('link', { name: 'System status' }).click()
      // As the service says it.
      await page.getByRole('row').filter({ hasText: largest }).first().waitFor()
      await page.getByText(`on Node.js ${process.versions.node}`).waitFor()
      let reply: Status | number = wellFrom(real)
      await page.route('**/v1/status', (route) =>
        typeof reply === 'number' ? route.fulfill({ status: reply, json: {} }) : route.fulfill({ json: reply }),
      )
      await nextRefresh(page)
      await page.getByText('All is well').waitFor()
      await expectGoodLooks(page, 'status')
      reply = brokenFrom(real)
      await nextRefresh(page)
      await page.getByText('6 things need attention').waitFor()
      const findings = page.getByRole('main').getByRole('alert').getByRole('listitem')
      await expect
        .poll(() => findings.allInnerTexts())
        .toEqual([
          'The last scheduled backup failed: The folder is full. What to do',
          'Only 740 MB are free on the disk of the data folder. What to do',
          'The processes run different versions: 0.2.0 and 0.3.0. During an upgrade this is normal. What to do',
          'Webhooks: the oldest has been due for 25 minutes. What to do',
          '3 webhook endpoints keep failing; their messages wait. What to do',
          'A scheduled job failed in its last run: figures. What to do',
        ])
      await page.getByRole('button', { name: 'Show all 18 Largest tables' }).click()
      await page.getByText('table_18').waitFor()
      await expectGoodLooks(page, 'status-attention')
      reply = 403
      await nextRefresh(page)
      await page.getByText('This did not work').waitFor()
      await page.getByText(/What you see below is of/).waitFor()
    })
  })

  it('has numbers and units in German, and fits on a phone', async () => {
    const shop = await makeShop({}, service)
    await visit({ as: 'superadmin', language: 'de', size: phone, scheme: 'dark' }, async (page) => {
      await page.route('**/v1/status', (route) => route.fulfill({ json: brokenFrom(real) }))
      await go(page, `/dashboard/${shop.slug}/settings/status`)
      await page.getByText('6 Punkte brauchen Aufmerksamkeit').waitFor()
      await page.getByText('nur noch 740 MB').waitFor()
      await page.getByText('1,2 GB').first().waitFor()
      await picture(page, 'status-attention-de-phone')
    })
  })

  it('is not for anybody else', async () => {
    const shop = await makeShop({}, service)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/status`)
      await page.getByText('This page is for superadmins').waitFor()
      expect(await page.getByRole('link', { name: 'System status' }).count()).toBe(0)
      await expectGoodLooks(page, 'status-no-rights')
    })
  })
})

/** The page loads again by itself while it is open. */
async function nextRefresh(page: Page): Promise<void> {
  await page.clock.fastForward(15_000)
  await settled(page)
}

function wellFrom(real: Status): Status {
  const now = new Date().toISOString()
  const node = { host: 'doorstep-1', version: '0.2.0', started_at: real.started_at, seen_at: now }
  return {
    ...real,
    version: '0.2.0',
    checks: real.checks.map((check) => ({ ...check, state: 'ok' })),
    store: { ...real.store, bytes: 1_240_000_000, tables: tables() },
    queues: real.queues.map((queue) => ({ ...queue, oldest_due_at: null, oldest_seconds: 0 })),
    open_circuits: 0,
    disk: { free_bytes: 41_000_000_000, size_bytes: 80_000_000_000 },
    clock_skew_ms: 3,
    nodes: [
      { ...node, pid: 4_211, role: 'all' },
      { ...node, pid: 4_212, role: 'worker' },
    ],
    jobs: ['exceptions', 'figures', 'retention', 'segments', 'sessions', 'tables', 'team digests'].map((name) => ({
      name,
      state: 'ok',
      every_seconds: 600,
      started_at: now,
      finished_at: now,
      failed_at: null,
    })),
    slow_statements: {
      source: 'process',
      statements: [
        { text: 'select count(*) from orders', count: 1_204, total_ms: 96_320, max_ms: 412.5 },
        {
          text: 'with due as (\n  select id from deliveries where finished_at is null and next_attempt_at <= $1\n)\nselect * from due limit $2',
          count: 12,
          total_ms: 1_440,
          max_ms: 180,
        },
      ],
    },
    backups: { every_hours: 24, last_at: now, last_bytes: 310_000_000, failed_at: null, failure: null },
  }
}

/** Of everything that can go wrong, something. */
function brokenFrom(real: Status): Status {
  const well = wellFrom(real)
  const now = new Date().toISOString()
  const waiting = new Date(Date.now() - 1_500_000).toISOString()
  return {
    ...well,
    checks: well.checks.map((check) => (check.name === 'disk' ? { ...check, state: 'warning' } : check)),
    disk: { free_bytes: 740_000_000, size_bytes: 80_000_000_000 },
    queues: well.queues.map((queue) =>
      queue.name === 'webhooks' ? { ...queue, oldest_due_at: waiting, oldest_seconds: 1_500 } : queue,
    ),
    open_circuits: 3,
    nodes: well.nodes.map((node, index) => (index === 1 ? { ...node, version: '0.3.0' } : node)),
    jobs: well.jobs.map((job) => (job.name === 'figures' ? { ...job, state: 'failed', failed_at: now } : job)),
    backups: { ...well.backups, failed_at: now, failure: 'The folder is full.' },
  }
}

function tables(): Status['store']['tables'] {
  return Array.from({ length: 18 }, (_, index) => ({
    name: ['shipment_events', 'orders', 'deliveries'][index] ?? `table_${index + 1}`,
    bytes: Math.round(520_000_000 / (index + 1) ** 2),
    rows_estimate: index === 17 ? null : Math.round(4_200_000 / (index + 1) ** 2),
  }))
}
