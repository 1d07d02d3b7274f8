import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { readBackupFile, writeBackupFile } from '../../src/installation/backup/backup-file.ts'
import { readStore } from '../../src/installation/backup/read-store.ts'
import { writeStore } from '../../src/installation/backup/write-store.ts'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { newMigratedStore, newStore, startOn } from '../harness/backups.ts'
import { settle } from '../harness/deliveries.ts'
import { newFolder } from '../harness/new-folder.ts'
import { createOrder } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { type Received, startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const passphrase = 'a long passphrase of the tests'
const count = 12
/** The receiver is on loopback, which a service on PostgreSQL does not call unless a setting allows it. */
const settings = { WEBHOOK_ALLOW_PRIVATE: 'on' }

afterAll(() => clock.reset())

it('what a receiver had not acknowledged when the backup was made is sent after the restore, and nothing else', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const source = await newMigratedStore()
  const service = await startOn(source, settings)
  const made = await makeShop({}, service)
  const admin = made.as('admin')
  const numbers: string[] = Array.from({ length: count }, (_, index) => `BACKUP-${process.pid}-${index}`)
  const nameOf = ({ path, text }: Received) => `${path} ${numbers.find((number) => text.includes(`"${number}"`))}`
  for (const tracking_number of numbers) await createOrder(admin, {}, [{ tracking_number }])
  for (const path of ['/good', '/failing']) {
    const endpoint = { url: `${receiver.url}${path}`, enabled_events: ['shipments'] }
    expect((await admin.post('/webhooks', endpoint)).status).toBe(200)
  }

  // One receiver acknowledges the first half, and takes its time with the others. The other one fails.
  const acknowledged = numbers.slice(0, count / 2)
  const ids = new Map<string, string>()
  receiver.respond = (request) => {
    ids.set(nameOf(request), String(request.headers['webhook-id']))
    if (request.path === '/failing') return { status: 500 }
    return acknowledged.some((number) => nameOf(request).endsWith(number)) ? { status: 200 } : { held: { status: 200 } }
  }
  const post = async (parcels: string[]) => {
    for (const id of parcels) {
      const posted = await admin.post('/shipment-events?notify=true', { id, event_name: 'PARCEL_DISPATCHED' })
      expect(posted.status).toBe(200)
    }
  }
  const reached = (path: string, parcels: string[]) => parcels.some((number) => ids.has(`${path} ${number}`))
  await post(acknowledged)
  await until(async () => {
    const { body } = await admin.get('/deliveries', { status: 'delivered', per_page: 100 })
    return body.length === acknowledged.length && reached('/failing', numbers) ? true : undefined
  })
  const others = numbers.slice(count / 2)
  await post(others)
  await until(() => (reached('/good', others) ? true : undefined))
  const file = join(newFolder(), 'pending.backup')
  const { entries } = readStore(source, { now: clock.now(), withImages: true, withKey: true })
  await writeBackupFile(file, entries, passphrase)
  // The backup does not have acknowledgements from now on.
  receiver.release()
  receiver.respond = () => ({ status: 200 })
  await service.stop()

  const restored = { ...(await newStore()), encryptionKey: undefined }
  await writeStore(restored, (await readBackupFile(file, passphrase)).entries, { replace: false })
  const again: { name: string; id: string }[] = []
  receiver.respond = (request) => {
    again.push({ name: nameOf(request), id: String(request.headers['webhook-id']) })
    return { status: 200 }
  }
  const second = await startOn(restored, settings)
  onTestFinished(() => second.stop())
  const expected = [
    ...numbers.map((number) => `/failing ${number}`),
    ...others.map((number) => `/good ${number}`),
  ].sort()
  await until(async () => {
    clock.advance(minuteMs)
    await settle(second)
    return again.length >= expected.length ? true : undefined
  })
  clock.advance(dayMs)
  await settle(second)
  expect(again.map(({ name }) => name).sort()).toEqual(expected)
  // By the same ids, so that a receiver recognises what it has had.
  for (const { name, id } of again) expect(ids.get(name) ?? id).toBe(id)
})
