import { describe, expect, it, onTestFinished } from 'vitest'
import { expectAllDelivered, makeStreamShop, streamEvents } from '../harness/event-stream.ts'
import { makeStore, operator, type RunningProcess, start } from '../harness/process.ts'
import { startReceiver } from '../harness/receiver.ts'

const kills = 20
const eventsBetween = 25

describe('killed process', () => {
  it('delivers every accepted event, even if it is killed 20 times', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    receiver.respond = () => ({ status: 200, afterMs: 10 })
    const settings = { DATA_DIR: await makeStore(), WEBHOOK_RETRY_BASE_MS: '100', LOG_LEVEL: 'warn' }
    let service = start(settings)
    await makeStreamShop(await service, operator, receiver)
    const stream = streamEvents(() => service, operator)
    for (let kill = 0; kill < kills; kill += 1) {
      await stream.until(stream.accepted.size + eventsBetween)
      service = killAndStart(await service, settings)
    }
    await stream.until(stream.accepted.size + eventsBetween)
    await stream.stop()
    await expectAllDelivered(stream, receiver)
  })
})

/** Restarts it in the same folder and on the same port. */
async function killAndStart(killed: RunningProcess, settings: Record<string, string>): Promise<RunningProcess> {
  killed.child.kill('SIGKILL')
  expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' })
  return start({ ...settings, PORT: String(killed.port) })
}
