import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runCli, watchCli } from '../harness/cli.ts'
import { settle } from '../harness/deliveries.ts'
import { until } from '../harness/patience.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

describe('doorstep deliveries', () => {
  let shop: TestShop
  let receiver: Receiver
  let webhookId: string

  beforeAll(async () => {
    shop = await makeShop()
    receiver = await startReceiver()
    const { body } = await shop.as('admin').post('/webhooks', { url: receiver.url })
    webhookId = body.uuid
    await runCli(['trigger', 'delivered'], { shop })
    await settle()
  })

  afterAll(() => receiver.close())

  it('list shows what was sent, and how it went', async () => {
    const { stdout } = await runCli(['deliveries', 'list', '--event', 'successfully_delivered'], { shop })
    const [titles, ...rows] = stdout.trimEnd().split('\n')
    expect(titles).toMatch(/^ID +CREATED +STATUS +EVENT +ORDER +RECEIVER +ATTEMPTS +RESPONSE$/)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatch(/ delivered +SUCCESSFULLY_DELIVERED +SAMPLE-\w+ +\S+ +1 +200$/)
    const { json } = await runCli(['deliveries', 'list', '--webhook', webhookId, '--limit', '2', '--json'], { shop })
    expect(json).toHaveLength(2)
    const none = await runCli(['deliveries', 'list', '--status', 'dead'], { shop })
    expect(none.stdout).toBe('There are no such deliveries.\n')
  })

  it('show has the payload and the attempts', async () => {
    const [one] = (await runCli(['deliveries', 'list', '--json'], { shop })).json
    const { stdout } = await runCli(['deliveries', 'show', one.uuid], { shop })
    expect(stdout).toContain(`event     ${one.ref}\n`)
    expect(stdout).toMatch(/^1 +20\d\d-\S+ \S+ +\d+ ms +200$/m)
    expect(stdout).toContain('"triggered_at"')
    expect((await runCli(['deliveries', 'show', one.uuid, '--json'], { shop })).json.uuid).toBe(one.uuid)
  })

  it('resend sends them again', async () => {
    const [one] = (await runCli(['deliveries', 'list', '--json'], { shop })).json
    const before = receiver.received.length
    const run = await runCli(['deliveries', 'resend', one.uuid], { shop })
    expect([run.code, run.stdout]).toEqual([0, 'Sending 1 again.\n'])
    await receiver.until(before + 1)
    const unknown = '00000000-0000-7000-8000-000000000000'
    const missing = await runCli(['deliveries', 'resend', unknown, '--json'], { shop })
    expect([missing.code, missing.json]).toEqual([5, { resent: 0, not_found: [unknown] }])
    expect((await runCli(['deliveries', 'resend'], { shop })).code).toBe(2)
    expect((await runCli(['deliveries', 'resend', '--dead', '--json'], { shop })).json).toEqual({
      resent: 0,
      not_found: [],
    })
  })

  it('tail prints deliveries as they are attempted, until it is interrupted', async () => {
    const controller = new AbortController()
    onTestFinished(() => controller.abort())
    const argv = ['deliveries', 'tail', '--event', 'OUT_FOR_DELIVERY']
    const human = watchCli(argv, { shop, signal: controller.signal })
    const machine = watchCli([...argv, '--json'], { shop, signal: controller.signal })
    await until(() => (human.stderr.includes('Watching') ? true : undefined))
    await runCli(['trigger', 'OUT_FOR_DELIVERY'], { shop })
    await until(() => (human.stdout.includes(' delivered ') ? true : undefined))
    await until(() => (machine.stdout.includes('"delivered"') ? true : undefined))
    controller.abort()
    expect([await human.code, await machine.code]).toEqual([0, 0])
    expect(human.stdout).toMatch(/^\d\d:\d\d:\d\d delivered OUT_FOR_DELIVERY → \S+ 200$/m)
    expect(JSON.parse(machine.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ event_name: 'OUT_FOR_DELIVERY' })
  })
})
