import { describe, expect, it, onTestFinished } from 'vitest'
import { verifyWebhook } from '../../packages/client/src/webhooks.ts'
import { type CliOptions, runCli, type WatchedCli, watchCli } from '../harness/cli.ts'
import { inject } from '../harness/client.ts'
import { eventKeys, followParcels, sendParcel } from '../harness/parcels.ts'
import { until } from '../harness/patience.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

/** A command that runs until it is interrupted, at the end of the test at the latest. */
function watch(argv: readonly string[], options: CliOptions): { cli: WatchedCli; interrupt(): Promise<number> } {
  const controller = new AbortController()
  const cli = watchCli(argv, { ...options, signal: controller.signal })
  const interrupt = async () => {
    controller.abort()
    return cli.code
  }
  onTestFinished(async () => void (await interrupt()))
  return { cli, interrupt }
}

/** Waits until the command has printed something. */
async function printed(cli: WatchedCli, text: string | RegExp): Promise<void> {
  const isThere = () => (`${cli.stderr}${cli.stdout}`.match(text) ? true : undefined)
  await until(isThere).catch(() => expect(`${cli.stderr}${cli.stdout}`).toMatch(text))
}

describe('doorstep listen', () => {
  it('sends events to a receiver, signed as webhooks are, until it is interrupted', async () => {
    const shop = await makeShop()
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    receiver.respond = ({ body }) => ({ status: body.ref.endsWith('ORDER_CREATED') ? 204 : 500 })
    const { cli, interrupt } = watch(['listen', '--forward-to', `${receiver.url}/hook`], { shop })
    await printed(cli, 'Secret to verify with: ')
    const secret = /whsec_\S+/.exec(cli.stderr)?.[0] ?? ''
    await sendParcel(shop.as('editor'))
    await receiver.until(2)
    const [first] = receiver.received
    expect(first?.path).toBe('/hook')
    const event = await verifyWebhook(first?.text ?? '', first?.headers ?? {}, secret, { now: clock.now() })
    expect(event.ref).toBe('shipments/order_created/ORDER_CREATED')
    expect(first?.body).not.toHaveProperty('cursor')
    await printed(cli, 'ORDER_PROCESSED')
    expect(await interrupt()).toBe(0)
    expect(cli.stdout).toMatch(
      /^\d\d:\d\d:\d\d {2}204 +\d+ ms {2}shipments\/order_created\/ORDER_CREATED {2}order \d+$/m,
    )
    expect(cli.stdout).toMatch(/^\d\d:\d\d:\d\d {2}500 +\d+ ms {2}shipments\/order_processed\/ORDER_PROCESSED/m)
  })

  it('filters events, signs with a given secret, and prints JSON lines', async () => {
    const shop = await makeShop()
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    await switchFeedOn(shop)
    const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
    const filter = ['--events', 'shipments/delivered,claims', '--secret', secret]
    const { cli } = watch(['listen', '-f', receiver.url, ...filter, '--json', '--from', 'oldest'], { shop })
    expect((await runCli(['trigger', 'delivered'], { shop })).code).toBe(0)
    await receiver.until(1)
    const [request] = receiver.received
    const event = await verifyWebhook(request?.text ?? '', request?.headers ?? {}, secret, { now: clock.now() })
    expect(event.ref).toBe('shipments/delivered/SUCCESSFULLY_DELIVERED')
    await printed(cli, /\n/)
    expect(
      cli.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { cursor: expect.any(String), ref: event.ref, status: 200, duration_ms: expect.any(Number), error: null },
    ])
    expect(cli.stderr).toBe('')
  })

  it('says why a receiver was not reached, and continues after an outage', async () => {
    const shop = await makeShop()
    const receiver = await startReceiver()
    await receiver.close()
    let isDown = false
    const fetch = async (request: Request) => {
      if (isDown) throw new TypeError('fetch failed')
      // Without waiting: an outage is noticed at once.
      const url = new URL(request.url)
      if (url.searchParams.has('wait')) url.searchParams.set('wait', '0')
      await new Promise((resolve) => setTimeout(resolve, 20))
      return inject(new Request(url, request))
    }
    const { cli, interrupt } = watch(['listen', '--forward-to', receiver.url], { shop, fetch })
    await printed(cli, 'Secret to verify with: ')
    isDown = true
    await printed(cli, 'The connection is lost. Trying again')
    await sendParcel(shop.as('editor'))
    isDown = false
    await printed(cli, 'Connected again.')
    await printed(cli, /nothing listens there {2}shipments\/order_created\/ORDER_CREATED/)
    expect(await interrupt()).toBe(0)
  })

  it('ends at once if the service rejects what it wants', async () => {
    const shop = await makeShop()
    const run = await runCli(['listen', '-f', 'localhost:1', '--events', 'parcels'], { shop })
    expect([run.code, run.stderr]).toEqual([6, expect.stringContaining('"parcels" is not a known event')])
    const unknown = await runCli(['listen', '-f', 'localhost:1', '--shop', 'no-such-shop'], { shop })
    expect(unknown.code).toBe(5)
  })
})

describe('doorstep events', () => {
  it('tail prints events as they happen', async () => {
    const shop = await makeShop()
    await switchFeedOn(shop)
    const { cli, interrupt } = watch(['events', 'tail', '--from', 'oldest', '--events', 'shipments/in_delivery'], {
      shop,
    })
    await runCli(['trigger', 'OUT_FOR_DELIVERY'], { shop })
    await printed(cli, /shipments\/in_delivery\/OUT_FOR_DELIVERY {2}order SAMPLE-\w+\n/)
    expect(await interrupt()).toBe(0)
    const { lines } = await runCli(['events', 'tail', '--from', 'oldest', '--until-now', '--json'], { shop })
    expect(lines.map(({ ref }) => ref)).toContain('shipments/in_delivery/OUT_FOR_DELIVERY')
    const after = ['events', 'tail', '--until-now', '--from', lines.at(-1)?.cursor]
    expect(await runCli(after, { shop })).toMatchObject({ code: 0, stdout: '' })
    expect((await runCli(['events', 'tail', '--from', 'nonsense'], { shop })).code).toBe(6)
  })

  it('send records an event of a parcel or of an order', async () => {
    const shop = await makeShop()
    const { number, id } = await sendParcel(shop.as('editor'))
    const run = await runCli(['events', 'send', 'out_for_delivery', '--parcel', number], { shop })
    expect(run).toMatchObject({ code: 0, stdout: `Recorded OUT_FOR_DELIVERY for parcel ${number}.\n` })
    expect(await eventKeys(shop.as('viewer'), id)).toContain('OUT_FOR_DELIVERY')
    const quiet = ['events', 'send', 'shipments/delivered', '--parcel', number, '--quiet', '--json']
    expect((await runCli(quiet, { shop })).json.events).toEqual(
      expect.arrayContaining([expect.objectContaining({ event_key: 'SUCCESSFULLY_DELIVERED' })]),
    )
    expect((await runCli(['events', 'send', 'delivered', '--parcel', 'NOPE'], { shop })).code).toBe(5)
    expect((await runCli(['events', 'send', 'delivered'], { shop })).stderr).toContain('Give --parcel or --order.')
    const typo = await runCli(['events', 'send', 'deliverd', '--parcel', number], { shop })
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('Did you mean "delivered"?')])
  })

  it('names lists the catalogue', async () => {
    const { stdout } = await runCli(['events', 'names', '--phase', 'in_delivery'])
    expect(stdout).toMatch(/^NAME +PHASE +TEXT\n/)
    expect(stdout).toMatch(/^OUT_FOR_DELIVERY +in_delivery +\S/m)
    expect((await runCli(['events', 'names', '--json'])).json).toHaveLength(159)
    expect((await runCli(['events', 'names', '--phase', 'nowhere'])).code).toBe(2)
  })
})

describe('doorstep trigger', () => {
  it('makes a sample order and the event', async () => {
    const shop = await makeShop()
    const { json } = await runCli(['trigger', 'delivered', '--email', 'ada@example.com', '--json'], { shop })
    expect(json).toMatchObject({ event: 'SUCCESSFULLY_DELIVERED', page: expect.stringContaining('/track/') })
    const { body } = await shop.as('viewer').get('/lists/orders', { order_number: json.order_number })
    expect(JSON.stringify(body)).toContain(json.order_number)
    const again = await runCli(['trigger', 'collect', '--parcel', json.tracking_number], { shop })
    expect(again.stdout).toBe(`event   ARRIVED_AT_PARCEL_SHOP\nparcel  ${json.tracking_number}\n`)
  })
})

describe('doorstep simulate', () => {
  it('sends a sandbox parcel on its way and shows it until it arrives', async () => {
    const shop = await makeShop()
    await shop.as('admin').patch('/settings/carriers', { shipment_updates: true })
    const { cli } = watch(['simulate', 'letterbox', '--step', '1s', '--watch'], { shop })
    await printed(cli, 'The first scan comes after 1s.')
    const arrived = () => cli.stdout.includes('SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX')
    for (let round = 0; round < 60 && !arrived(); round += 1) {
      await followParcels()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(await cli.code).toBe(0)
    expect(cli.stdout).toMatch(/^parcel {2}SBX-LETTERBOX-1S-\w+\norder {3}SAMPLE-\w+\npage {4}https:/)
  })

  it('warns if nothing will happen', async () => {
    const shop = await makeShop()
    const { json, stderr, code } = await runCli(['simulate', 'lost', '--json'], { shop })
    expect(code).toBe(0)
    expect(json.tracking_number).toMatch(/^SBX-LOST-5S-/)
    expect(stderr).toContain('Updates from carriers are off in this shop')
  })
})

/** A feed has events from its first reading on. */
async function switchFeedOn(shop: TestShop): Promise<void> {
  expect((await runCli(['events', 'tail', '--until-now'], { shop })).code).toBe(0)
}
