import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startLedgerReceiver, streamOrders } from '../harness/order-stream.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { findPostgresPrograms, startPostgresServer } from '../harness/postgres-server.ts'
import { basic, callApi, makeFolder, makeShop, makeStore, operator } from '../harness/process.ts'
import { mountSmallDisk, type SmallDisk } from '../harness/small-disk.ts'
import { type SupervisedNode, supervise } from '../harness/supervised.ts'

const slug = 'full'
const programs = findPostgresPrograms()
const reason = mayMount() ? '' : ' (skipped: this user may not mount a small disk)'

describe.skipIf(reason !== '')(`full disk${reason}`, () => {
  it('is reported by the embedded store, loses nothing accepted, and ends with the space', async () => {
    const disk = mount(120)
    const dataDir = join(disk.folder, 'data')
    cpSync(await makeStore(), dataDir, { recursive: true })
    const node = await supervise({ DATA_DIR: dataDir, WEBHOOK_RETRY_BASE_MS: '100', LOG_LEVEL: 'fatal' })
    await node.ready()
    await expectSurvival(node, disk, async () => {})
    await expectWholeImages(node, disk, dataDir)
  })

  it.skipIf(programs === undefined)(
    'is reported by PostgreSQL, loses nothing accepted, and ends with the space',
    async () => {
      const disk = mount(150)
      const server = await onDisk(disk, () => startPostgresServer(programs ?? ''))
      const node = await supervise({
        DATABASE_URL: server.url,
        DATA_DIR: makeFolder(),
        ADMIN_API_KEY: operator.apiKey,
        WEBHOOK_RETRY_BASE_MS: '100',
        LOG_LEVEL: 'fatal',
      })
      await node.ready()
      // Without space for its log PostgreSQL stops, and its operator starts it when there is some.
      await expectSurvival(node, disk, () => server.start().catch(() => {}))
    },
  )
})

/** Accepts orders, has no space for more, has space again: every accepted event is received, once. */
async function expectSurvival(node: SupervisedNode, disk: SmallDisk, restart: () => Promise<void>): Promise<void> {
  const receiver = await startLedgerReceiver()
  await makeShop(node, operator, slug)
  expect(
    (await callApi(node, operator, `POST /v1/shops/${slug}/webhooks`, { body: { url: receiver.url } })).status,
  ).toBe(200)
  const process = node.current()
  const stream = streamOrders(() => node, operator, slug)
  const untilAccepted = (count: number) => until(() => (stream.orders.size < count ? undefined : true))
  await untilAccepted(5)
  disk.fill()
  await until(() => ((stream.refused.get(503) ?? 0) > 20 ? true : undefined))
  // A small order may still fit into the pages that the store has already.
  const refused = await until(async () => {
    const reply = await placeOrder(node)
    return reply.status === 200 ? undefined : reply
  })
  expect(refused).toMatchObject({ status: 503, body: { key: 'store_unavailable' } })
  disk.free()
  await restart()
  await untilAccepted(stream.orders.size + 5)
  await stream.stop()

  expect([...stream.refused.keys()].filter((status) => ![503, 409].includes(status))).toEqual([])
  expect(process.child.exitCode, process.complaints()).toBeNull()
  await until(() => ([...stream.events].every((event) => receiver.receipts.has(event)) ? true : undefined))
  const twice = [...receiver.receipts.values()].filter(({ ids, times }) => ids.size !== 1 || times.length !== 1)
  expect(twice).toEqual([])
  for (const number of stream.orders) {
    const { body } = await callApi(node, operator, `GET /v1/shops/${slug}/orders?order_number=${number}`)
    expect(body, `order ${number} was accepted`).toHaveLength(1)
  }
}

function placeOrder(node: SupervisedNode) {
  return callApi(node, operator, `PUT /v1/shops/${slug}/orders`, { body: upsertOf(uniqueNumber('D')) })
}

/** An image without space on the disk is rejected, and leaves no file. */
async function expectWholeImages(node: SupervisedNode, disk: SmallDisk, dataDir: string): Promise<void> {
  const noise = {
    create: {
      width: 600,
      height: 600,
      channels: 3 as const,
      noise: { type: 'gaussian' as const, mean: 128, sigma: 60 },
    },
  }
  const picture = await sharp({ create: { ...noise.create, background: '#fff' } })
    .png()
    .toBuffer()
  const upload = () => {
    const form = new FormData()
    form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'noise.png')
    return fetch(`${node.url}/v1/shops/${slug}/images/logo`, {
      method: 'POST',
      headers: { authorization: basic(operator) },
      body: form,
    })
  }
  const images = join(dataDir, 'images')
  const files = () => (existsSync(images) ? readdirSync(images) : [])
  expect((await upload()).status).toBe(200)
  const before = files()
  disk.fill()
  const refused = await upload()
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ key: 'store_unavailable' })
  expect(files()).toEqual(before)
  disk.free()
  expect((await upload()).status).toBe(200)
}

function mount(megabytes: number): SmallDisk {
  const disk = mountSmallDisk(megabytes, onTestFinished)
  if (disk === undefined) throw new Error('it could be mounted a moment ago')
  return disk
}

/** The server's folder is made where temporary files are. */
async function onDisk<Made>(disk: SmallDisk, make: () => Promise<Made>): Promise<Made> {
  const { TMPDIR } = process.env
  process.env.TMPDIR = disk.folder
  try {
    return await make()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

function mayMount(): boolean {
  const cleanups: (() => Promise<void>)[] = []
  const disk = mountSmallDisk(1, (clean) => void cleanups.push(clean))
  for (const clean of cleanups.reverse()) void clean()
  return disk !== undefined
}
