import { describe, expect, it } from 'vitest'
import { readAnnouncement, wake, wakeChannel } from '../../src/delivery/queue/wake-store.ts'
import { inTransaction } from '../../src/platform/foundation/transaction.ts'
import { until } from '../harness/patience.ts'
import { theService } from '../harness/service.ts'

// Nodes of different versions run beside each other for a while.
describe('receivers that have deliveries', () => {
  it('are announced to other nodes as released versions read them', async () => {
    const { database, context } = await theService()
    const announced: string[] = []
    await database.listen(wakeChannel, (payload) => announced.push(payload))
    const shopId = '018f0000-0000-7000-8000-000000000000'
    await inTransaction(context(), (context) => wake(context, [{ shopId, receiverId: 'klaviyo' }]))
    const payload = await until(() => announced.find((text) => text.includes(shopId)), 'the announcement')
    expect(JSON.parse(payload.slice(payload.indexOf(' ')))).toEqual([{ shopId, target: 'klaviyo' }])
  })

  it('are read as released versions announce them', () => {
    const payload = '6f0 [{"shopId": "shop", "target": "klaviyo"}]'
    expect(readAnnouncement('another node', payload)).toEqual([{ shopId: 'shop', receiverId: 'klaviyo' }])
    expect(readAnnouncement('6f0', payload)).toBeUndefined()
  })
})
