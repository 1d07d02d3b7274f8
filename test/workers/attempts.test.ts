import { describe, expect, it, onTestFinished } from 'vitest'
import type { Attempt } from '../../src/deliveries/attempt.ts'
import { recordAttempts } from '../../src/deliveries/record-store.ts'
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
        shopId,
        id: queued.uuid,
        target: endpoint.uuid,
        notificationId: queued.uuid,
        eventGroup: 'group',
        attemptNumber,
        attemptSinceResend: attemptNumber,
        body: Buffer.alloc(0),
        endpoint: null,
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
})
