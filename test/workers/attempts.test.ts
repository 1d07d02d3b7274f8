import { describe, expect, it, onTestFinished } from 'vitest'
import type { Attempt } from '../../src/delivery/queue/attempt.ts'
import type { Delivery } from '../../src/delivery/queue/delivery.ts'
import { releaseDeliveries } from '../../src/delivery/queue/fetch-store.ts'
import { postponeDeliveries, recordAttempts } from '../../src/delivery/queue/record-store.ts'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { startReceiver } from '../harness/receiver.ts'
import { theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describe('delivery log', () => {
  it('records a late attempt at its position, and undoes nothing', async () => {
    const made = await makeShop()
    const shop = made.as('admin')
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    const { body: queued } = await shop.post(`/webhooks/${endpoint.uuid}/test`)
    await receiver.until(1)
    await settle()
    // As if it had been resent, and two other workers had claimed it since, one after the other.
    const { database, context } = await theService()
    await database.db
      .updateTable('deliveries')
      .set({ attempts: 2, status: 'pending', finished_at: null })
      .where('id', '=', queued.uuid)
      .execute()
    const { shop_id: shopId } = await database.db
      .selectFrom('deliveries')
      .select('shop_id')
      .where('id', '=', queued.uuid)
      .executeTakeFirstOrThrow()
    const attemptOf = (attemptNumber: number, error: string): Attempt => ({
      delivery: {
        ...deliveryOf(shopId, queued.uuid, endpoint.uuid),
        attemptNumber,
        attemptSinceResend: attemptNumber,
      },
      startedAt: context().now,
      durationMs: 10_000,
      outcome: {
        verdict: 'retry',
        statusCode: null,
        responseBody: null,
        stage: 'timeout',
        error,
        retryAfterMs: undefined,
      },
      status: 'pending',
      nextAttemptAt: context().now,
    })
    await recordAttempts(context(), [{ ...attemptOf(3, 'the last'), status: 'dead' }])
    await recordAttempts(context(), [attemptOf(2, 'late')])
    await recordAttempts(context(), [attemptOf(2, 'late, once more')])
    const { body: delivery } = await shop.get(`/deliveries/${queued.uuid}`)
    expect(delivery.status).toBe('dead')
    expect(delivery.attempts).toMatchObject([
      { number: 1, status_code: 200, error: null },
      { number: 2, error: 'late' },
      { number: 3, error: 'the last' },
    ])
  })

  it('is not reopened by a worker that gives a delivery back too late', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    const { body: queued } = await shop.post(`/webhooks/${endpoint.uuid}/test`)
    await receiver.until(1)
    await settle()
    const { database, context } = await theService()
    const rows = database.db.selectFrom('deliveries').where('id', '=', queued.uuid)
    const read = () =>
      rows.select(['status', 'attempts', 'next_attempt_at', 'postponed_until']).executeTakeFirstOrThrow()
    const { shop_id: shopId } = await rows.select('shop_id').executeTakeFirstOrThrow()
    const giveBack = async (attemptNumber: number) => {
      const delivery = { ...deliveryOf(shopId, queued.uuid, endpoint.uuid), attemptNumber }
      await postponeDeliveries(context(), [{ delivery, until: after(context().now, hourMs) }])
      await releaseDeliveries(context(), [delivery], context().now)
    }
    const delivered = await read()
    expect(delivered).toMatchObject({ status: 'delivered', attempts: 1, postponed_until: null })
    // Its own attempt was recorded by somebody else, or the whole delivery has ended.
    for (const number of [1, 2]) {
      await giveBack(number)
      expect(await read()).toEqual(delivered)
    }
    // Another worker has made the first attempt since: the next one is due when that says.
    const later = after(context().now, dayMs)
    await database.db
      .updateTable('deliveries')
      .set({ status: 'pending', finished_at: null, next_attempt_at: later })
      .where('id', '=', queued.uuid)
      .execute()
    await giveBack(1)
    expect(await read()).toMatchObject({ next_attempt_at: later, postponed_until: null })
    await giveBack(2)
    expect((await read()).postponed_until).not.toBeNull()
  })
})

function deliveryOf(shopId: string, id: string, receiverId: string): Delivery {
  return {
    shopId,
    id,
    receiverId,
    notificationId: id,
    eventGroup: 'group',
    attemptNumber: 1,
    attemptSinceResend: 1,
    body: Buffer.alloc(0),
    endpoint: null,
  }
}
