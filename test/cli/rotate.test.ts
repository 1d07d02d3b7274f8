import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { type CliOptions, runCli } from '../harness/cli.ts'
import { inject } from '../harness/client.ts'
import { createOrder } from '../harness/orders.ts'
import { pagePathOf, visit } from '../harness/pages.ts'
import { call, clock, openTestDatabase, startTestService, superadmin } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

/** An installation of its own, whose keys change. It was set up with the second of its encryption keys. */
let service: Service
let made: TestShop

const keys = ['the-second-encryption-key', 'the-first-encryption-key'] as const

const on = (node: Service, options: CliOptions = {}): CliOptions => ({
  fetch: (request) => inject(request as Request, node),
  ...options,
})

beforeAll(async () => {
  const database = await openTestDatabase()
  const lent = { ...database, close: async () => {} }
  const first = await startTestService({ ROLE: 'api', ENCRYPTION_KEY: keys[1] }, lent)
  made = await makeShop({}, first)
  await made.as('admin').get('/woocommerce/webhook-config')
  await first.stop()
  service = await startTestService({ ROLE: 'api', ENCRYPTION_KEY: keys.join() }, database)
})
afterEach(() => clock.reset())
afterAll(() => service.stop())

describe('doorstep rotate-keys', () => {
  it('--check says what needs a former key; the command encrypts it again, and then nothing does', async () => {
    const before = await runCli(['rotate-keys', '--check', '--json'], on(service))
    expect([before.code, before.json.outdated_values]).toEqual([1, expect.any(Number)])
    expect(before.json.outdated_values).toBeGreaterThan(0)
    const human = await runCli(['rotate-keys', '--check'], on(service))
    expect(human.stdout).toMatch(/^KEY +USE +VALUES +WHERE\n/)
    expect(human.stdout).toContain(`${before.json.outdated_values} values still need a former key: do not remove it.`)

    const done = await runCli(['rotate-keys', '--batch-size', '1'], on(service))
    expect(done.code).toBe(0)
    expect(done.stdout).toContain(`Encrypted ${before.json.outdated_values} values again.`)
    const after = await runCli(['rotate-keys', '--check', '--json'], on(service))
    expect([after.code, after.json.outdated_values]).toEqual([0, 0])
  })

  it('--new-key is refused where the operator sets the keys, and everything is for the superadmin', async () => {
    const refused = await runCli(['rotate-keys', '--new-key'], on(service))
    expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining('ENCRYPTION_KEY')])
    expect(refused.code).not.toBe(0)
    const admin = await made.credentials('admin')
    for (const command of ['rotate-keys', 'rotate-page-links', 'rotate-admin-key']) {
      const yes = command === 'rotate-keys' ? [] : ['--yes']
      expect((await runCli([command, ...yes], on(service, { auth: admin }))).code, command).toBe(4)
    }
  })
})

describe('doorstep rotate-page-links', () => {
  it('asks first; links from before work for as long as was said', async () => {
    const admin = (await makeShop({}, service)).as('admin')
    const order = await createOrder(admin)
    const path = await pagePathOf(admin, order.order_number)
    const unasked = await runCli(['rotate-page-links'], on(service))
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Confirm with --yes.')])
    const { code, json } = await runCli(
      ['rotate-page-links', '--former-valid-days', '1', '--yes', '--json'],
      on(service),
    )
    expect([code, json.keys.length]).toEqual([0, 2])
    clock.advance(2 * minuteMs)
    expect((await visit(path, {}, service)).status).toBe(200)
    // The keys are read again when the change is announced.
    await expect.poll(() => pagePathOf(admin, order.order_number)).not.toBe(path)
    clock.advance(24 * hourMs)
    expect((await visit(path, {}, service)).status).toBe(404)
  })
})

describe('new key for page links', () => {
  it('signs, even if the clock was ahead when the one before it was made', async () => {
    const admin = (await makeShop({}, service)).as('admin')
    const order = await createOrder(admin)
    const rotate = () => runCli(['rotate-page-links', '--yes', '--json'], on(service))
    clock.advance(hourMs)
    expect((await rotate()).code).toBe(0)
    clock.advance(2 * minuteMs)
    const path = await pagePathOf(admin, order.order_number)
    clock.reset()
    expect((await rotate()).code).toBe(0)
    clock.advance(2 * hourMs)
    // The keys are read again when the change is announced.
    await expect.poll(() => pagePathOf(admin, order.order_number)).not.toBe(path)
  })
})

describe('doorstep rotate-inbound-secret', () => {
  it('shows the new secret of the shop, and says for how long the former one is accepted', async () => {
    const config = () => call('GET', `/v1/shops/${made.slug}/woocommerce/webhook-config`, {}, service)
    const former = (await config()).body.webhook_secret
    const env = { DOORSTEP_SHOP: made.slug }
    const refused = await runCli(['rotate-inbound-secret'], on(service, { env, isTerminal: true, input: 'n\n' }))
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('accepted for 24 hours')])
    expect((await config()).body.webhook_secret).toBe(former)
    const argv = ['rotate-inbound-secret', '--former-valid-hours', '72', '--yes', '--json']
    const { code, json } = await runCli(argv, on(service, { env }))
    expect(code).toBe(0)
    expect(json.webhook_secret).not.toBe(former)
    expect((await config()).body.webhook_secret).toBe(json.webhook_secret)
  })
})

describe('doorstep rotate-admin-key', () => {
  it('shows the new key once; with 0 hours the former one stops at once', async () => {
    const node = await startTestService({ ROLE: 'api', ADMIN_API_KEY: '' }, await openTestDatabase())
    onTestFinished(() => node.stop())
    const { username } = superadmin
    const status = async (apiKey: string) =>
      (await call('GET', '/v1/api-keys', { auth: { username, apiKey } }, node)).status
    const rotate = (apiKey: string, ...options: string[]) =>
      runCli(['rotate-admin-key', '--yes', ...options], on(node, { auth: { username, apiKey } }))
    const first = node.newCredentials?.apiKey ?? ''
    const second = (await rotate(first, '--json')).json.secret
    expect([await status(first), await status(second)]).toEqual([200, 200])
    const human = await rotate(second, '--former-valid-hours', '0')
    const third = /API key +(dsk_\w+)/.exec(human.stdout)?.[1] ?? ''
    expect(human.stderr).toContain('only time')
    expect([await status(first), await status(second), await status(third)]).toEqual([401, 401, 200])
  })

  it('says where the key is changed, if it is set', async () => {
    const refused = await runCli(['rotate-admin-key', '--yes'], on(service))
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('ADMIN_API_KEY')])
  })
})
