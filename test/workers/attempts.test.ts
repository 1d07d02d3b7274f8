import { describe, expect, it, onTestFinished } from 'vitest'
import { type AttemptRecord, recordAttempts } from '../../src/notifications/delivery-store.ts'
import { settle } from '../harness/deliveries.ts'
import { startReceiver } from '../harness/receiver.ts'
import { theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describe('delivery log', () => {
  it('records a late attempt in its place, and undoes nothing', async () => {
    const made = await makeShop()
    const shop = made.as('admin')
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    const { body: queued } = await shop.post(`/webhooks/${endpoint.uuid}/test`)
    await receiver.until(1)
    await settle()
    // As if it had been resent, and two others had taken it since, each from the one before.
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
    const attemptOf = (number: number, error: string): AttemptRecord => ({
      shopId,
      deliveryId: queued.uuid,
      number,
      startedAt: context().now,
      durationMs: 10_000,
      statusCode: null,
      answer: null,
      stage: 'timeout',
      error,
      status: 'pending',
      nextAttemptAt: context().now,
      endpointId: endpoint.uuid,
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
})
