import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { applyDueDecisions } from '../../src/claims/claims/decisions.ts'
import { after, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, logLines, type Reply, startTestService, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const receivers: Receiver[] = []
const nowhere = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
const undoMs = 10 * secondMs

afterEach(() => clock.reset())
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

/** A shop whose changes of claims are sent to a receiver. */
async function open() {
  const owner = await makeShop()
  const shop = owner.as('admin')
  const receiver = await startReceiver()
  receivers.push(receiver)
  await shop.post('/webhooks', { url: receiver.url, enabled_events: ['claims/updated'] })
  return { owner, shop, editor: owner.as('editor'), receiver }
}

async function claim(shop: ShopCaller, fields: Record<string, unknown> = {}): Promise<string> {
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: uniqueNumber('CD-') }])
  const { body } = await shop.post('/claims', { shipment_id: order.trackings[0].id, reason: 'damage', ...fields })
  return body.uuid
}

const decide = (shop: ShopCaller, claims: string[], fields: Record<string, unknown>) =>
  shop.post('/claims/decisions', { claims, ...fields })
const undo = (shop: ShopCaller, claims: string[]) => shop.delete(`/claims/decisions?claims=${claims.join(',')}`)
const read = async (shop: ShopCaller, id: string) => (await shop.get(`/claims/${id}`)).body
const places = ({ body }: Reply) => body.errors.map(({ loc }: { loc: unknown[] }) => loc.join('.'))

/** Applies what is due, and sends what that causes. */
async function work(): Promise<void> {
  await (await theService()).workers?.claimDecisions.runDue()
  await settle()
}

describe('decision about a claim', () => {
  it('takes effect after 10 seconds, and only then notifies', async () => {
    const { shop, editor, receiver } = await open()
    const id = await claim(shop)
    const reply = 'We are sorry.\nA new one is on its way.'
    const { status, body } = await decide(editor, [id], { status: 'accepted', reply, resolution_preference: 'reorder' })
    expect(status).toBe(200)
    const effect = body.decisions[0].takes_effect_at
    expect(body).toEqual({ decisions: [{ claim: id, status: 'accepted', takes_effect_at: expect.any(String) }] })
    expect(after(new Date(effect), -undoMs).getTime()).toBeLessThanOrEqual(clock.now().getTime())
    await work()
    expect(await read(shop, id)).toMatchObject({
      status: 'pending',
      reply: null,
      pending_decision: { status: 'accepted', reply, takes_effect_at: effect },
    })
    expect(receiver.received).toHaveLength(0)

    clock.advance(undoMs)
    await work()
    const decided = await read(shop, id)
    expect(decided).toMatchObject({
      status: 'accepted',
      reply,
      resolution_preference: 'reorder',
      pending_decision: null,
    })
    expect(new Date(decided.decided_at).getTime()).toBeGreaterThanOrEqual(new Date(effect).getTime())
    expect(receiver.received.map(({ body }) => [body.ref, body.event_data.status, body.event_data.reply])).toEqual([
      ['claims/updated', 'accepted', reply],
    ])
    await work()
    expect(receiver.received).toHaveLength(1)
  })

  it('is in the audit log as the update by the person who decided', async () => {
    const { owner, shop, editor } = await open()
    const id = await claim(shop)
    await decide(editor, [id], { status: 'rejected', reply: 'It was worn.' })
    const logged = async () =>
      (await shop.get('/audit-log', { area: 'Claims' })).body.filter(
        ({ action }: { action: string }) => action === 'updateClaim',
      )
    expect(await logged()).toEqual([])
    clock.advance(undoMs)
    await work()
    const { username } = await owner.credentials('editor')
    expect(await logged()).toMatchObject([
      {
        action: 'updateClaim',
        actor: { kind: 'key', name: username },
        subject: { kind: 'claim', id },
        changes: { status: { before: 'pending', after: 'rejected' } },
      },
    ])
    expect(JSON.stringify(await logged())).not.toContain('worn')
  })

  it('can be undone until it takes effect', async () => {
    const { shop, editor, receiver } = await open()
    const [undone, late] = [await claim(shop), await claim(shop)]
    await decide(editor, [late], { status: 'closed' })
    clock.advance(undoMs)
    await work()
    await decide(editor, [undone], { status: 'closed' })
    const { status, body } = await undo(editor, [undone, late, nowhere])
    expect(status).toBe(200)
    expect(body).toEqual({ undone: [undone], too_late: [late, nowhere] })
    clock.advance(undoMs)
    await work()
    expect(await read(shop, undone)).toMatchObject({ status: 'pending', pending_decision: null, decided_at: null })
    expect(await read(shop, late)).toMatchObject({ status: 'closed' })
    expect(receiver.received).toHaveLength(1)
  })

  it('waits while its shop is paused, and takes effect once it is resumed', async () => {
    const { owner, shop, editor, receiver } = await open()
    const id = await claim(shop)
    await decide(editor, [id], { status: 'closed' })
    expect((await owner.as('superadmin').post('/pause')).status).toBe(200)
    clock.advance(undoMs)
    await work()
    expect((await read(shop, id)).status).toBe('pending')
    expect((await owner.as('superadmin').delete('/pause')).status).toBe(200)
    await work()
    expect((await read(shop, id)).status).toBe('closed')
    expect(receiver.received).toHaveLength(1)
  })

  it('replaces an earlier one about the same claim, and starts its time again', async () => {
    const { shop, editor, receiver } = await open()
    const id = await claim(shop)
    await decide(editor, [id], { status: 'accepted', reply: 'Yes.' })
    clock.advance(6 * secondMs)
    await decide(editor, [id], { status: 'rejected' })
    clock.advance(6 * secondMs)
    await work()
    expect((await read(shop, id)).status).toBe('pending')
    clock.advance(6 * secondMs)
    await work()
    expect(await read(shop, id)).toMatchObject({ status: 'rejected', reply: null })
    expect(receiver.received).toHaveLength(1)
  })

  it('is replaced by an update, which takes effect at once, and ends with the claim', async () => {
    const { shop, editor, receiver } = await open()
    const [updated, deleted] = [await claim(shop), await claim(shop)]
    await decide(editor, [updated, deleted], { status: 'accepted' })
    expect((await editor.put(`/claims/${updated}`, { status: 'rejected', reply: 'No.' })).body).toMatchObject({
      status: 'rejected',
      reply: 'No.',
      pending_decision: null,
    })
    await editor.delete(`/claims/${deleted}`)
    clock.advance(undoMs)
    await work()
    expect((await read(shop, updated)).status).toBe('rejected')
    expect(receiver.received.map(({ body }) => body.event_data.status)).toEqual(['rejected'])
  })

  it('is dropped when the customer is erased, before it would notify about them', async () => {
    const { shop, editor, receiver } = await open()
    const [erased, kept] = [await claim(shop), await claim(shop)]
    for (const id of [erased, kept])
      await decide(editor, [id], { status: 'accepted', reply: 'A new one is on its way.' })
    const { email_id: email } = (await shop.get(`/orders/${(await read(shop, erased)).order_id}`)).body
    expect((await shop.post('/privacy/erase', { email })).status).toBe(200)
    expect(await read(shop, erased)).toMatchObject({ status: 'pending', pending_decision: null })
    clock.advance(undoMs)
    await work()
    expect(await read(shop, erased)).toMatchObject({ status: 'pending', reply: null })
    expect(await read(shop, kept)).toMatchObject({ status: 'accepted' })
    expect(receiver.received.map(({ body }) => body.event_data.claim_id)).toEqual([kept])
  })

  it('is dropped without harm if the claim has changed so that it is impossible', async () => {
    const { shop, editor } = await open()
    const id = await claim(shop)
    await decide(editor, [id], { status: 'accepted' })
    const { database } = await theService()
    await database.db.updateTable('claims').set({ status: 'closed' }).where('id', '=', id).execute()
    clock.advance(undoMs)
    await work()
    expect(await read(shop, id)).toMatchObject({ status: 'closed', pending_decision: null })
    expect(logLines.findLast((line) => line.includes('a decision was dropped'))).toContain(id)
  })

  it('keeps what was decided when the claim is closed later', async () => {
    const { shop, editor } = await open()
    const id = await claim(shop)
    const { decided_at } = (await editor.put(`/claims/${id}`, { status: 'accepted' })).body
    clock.advance(minuteMs)
    expect((await editor.put(`/claims/${id}`, { status: 'closed' })).body.decided_at).toBe(decided_at)
  })
})

describe('decision about several claims', () => {
  it('is one for all of them', async () => {
    const { shop, editor, receiver } = await open()
    const ids = [await claim(shop), await claim(shop), await claim(shop)]
    const { body } = await decide(editor, [...ids, ids[0]?.toUpperCase() ?? ''], { status: 'accepted' })
    expect(body.decisions.map(({ claim }: { claim: string }) => claim)).toEqual(ids)
    clock.advance(undoMs)
    await work()
    for (const id of ids) expect((await read(shop, id)).status).toBe('accepted')
    expect(receiver.received).toHaveLength(3)
  })

  it('is none if it is impossible for some, which are named', async () => {
    const { shop, editor } = await open()
    const [pending, closed] = [await claim(shop), await claim(shop, { status: 'closed' })]
    const foreign = await claim((await makeShop()).as('editor'))
    const reply = await decide(editor, [pending, closed, foreign, nowhere], { status: 'accepted' })
    expect(reply.status).toBe(422)
    expect(places(reply)).toEqual(['body.claims.1', 'body.claims.2', 'body.claims.3'])
    expect((await read(shop, pending)).pending_decision).toBeNull()
  })

  it('names the fields that are wrong', async () => {
    const { editor } = await open()
    expect(places(await decide(editor, [], { status: 'accepted' }))).toEqual(['body.claims'])
    expect(places(await decide(editor, [nowhere], { status: 'perhaps' }))).toEqual(['body.status'])
    expect(places(await decide(editor, [nowhere], { status: 'closed', reply: 'x'.repeat(10_001) }))).toEqual([
      'body.reply',
    ])
    expect((await undo(editor, ['x'])).status).toBe(422)
    expect((await undo(editor, Array(101).fill(nowhere))).status).toBe(422)
  })
})

describe('nodes that apply decisions', () => {
  it('apply each once, however many there are', async () => {
    const { shop, editor, receiver } = await open()
    const service = await theService()
    const other = await startTestService({}, { ...service.database, close: async () => {} })
    onTestFinished(() => other.stop())
    const ids = [await claim(shop), await claim(shop), await claim(shop), await claim(shop)]
    await decide(editor, ids, { status: 'accepted' })
    clock.advance(undoMs)
    await Promise.all([
      service.workers?.claimDecisions.runDue(),
      other.workers?.claimDecisions.runDue(),
      service.workers?.claimDecisions.runDue(),
    ])
    await settle()
    await settle(other)
    for (const id of ids) expect((await read(shop, id)).status).toBe('accepted')
    await receiver.until(4)
    expect(receiver.received).toHaveLength(4)
  })

  it('apply it again as a whole if the first attempt is interrupted', async () => {
    const { shop, editor, receiver } = await open()
    const id = await claim(shop)
    await decide(editor, [id], { status: 'accepted', reply: 'Yes.' })
    clock.advance(undoMs)
    const context = (await theService()).context()
    const interrupted = { build: () => Promise.reject(new Error('interrupted after the claim was written')) }
    await applyDueDecisions({ ...context, services: { ...context.services, payloads: interrupted } })
    expect(await read(shop, id)).toMatchObject({ status: 'pending', pending_decision: { status: 'accepted' } })
    // Not at once: what fails must not keep the decisions behind it waiting.
    await work()
    expect((await read(shop, id)).status).toBe('pending')
    clock.advance(minuteMs)
    await work()
    expect(await read(shop, id)).toMatchObject({ status: 'accepted', reply: 'Yes.' })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('list of claims', () => {
  it('has what the desk shows, and is found by what the customer reads out', async () => {
    const { shop, editor } = await open()
    const number = uniqueNumber('CD-')
    const order = await createOrder(shop, { order_placed_at: undefined }, [
      { tracking_number: number, carrier_reference: 'dhl' },
    ])
    const { body } = await shop.post('/claims', { tracking_number: number, reason: 'damage' })
    await claim(shop)
    await decide(editor, [body.uuid], { status: 'accepted' })
    for (const q of [order.order_number, number.slice(0, -1), number]) {
      const found = (await shop.get('/claims', { q, status: 'pending' })).body.claims
      expect(found.map(({ uuid }: { uuid: string }) => uuid)).toContain(body.uuid)
    }
    const { claims } = (await shop.get('/claims', { q: order.order_number })).body
    expect(claims).toMatchObject([
      { customer_name: order.address.name, carrier_name: 'DHL', pending_decision: { status: 'accepted' } },
    ])
    expect((await shop.get('/claims', { q: 'nobody has this' })).body.claims).toEqual([])
  })
})
