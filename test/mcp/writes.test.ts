import { PassThrough } from 'node:stream'
import { Client, type ElicitResult, InMemoryTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createAgentServer, serveStdio } from '../../packages/mcp/src/server.ts'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { GrantableRole } from '../../src/platform/foundation/roles.ts'
import type { Service } from '../../src/service.ts'
import { basicOf, callTool, connectAgent } from '../harness/agents.ts'
import { inject } from '../harness/client.ts'
import { runJob, settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, startNode, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const writeTools = ['add_note', 'resend_delivery', 'resolve_exception', 'snooze_exception']

describe('tools that change something', () => {
  let node: Service
  let made: TestShop

  beforeAll(async () => {
    node = await startNode({ MCP_WRITES: 'on' })
    made = await makeShop()
    return () => {
      clock.reset()
      return node.stop()
    }
  })

  async function agentAs(role: GrantableRole, mode: 'auto' | 'legacy' = 'auto') {
    return connectAgent({ authorization: basicOf(await made.credentials(role)), service: node, mode })
  }

  const notesOf = async (order: { uuid: string }) =>
    (await made.as('viewer').get('/notes', { order_id: order.uuid })).body.map(({ text }: { text: string }) => text)

  it('are offered only if the operator allows it', async () => {
    const { tools } = await (await agentAs('editor')).listTools()
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
    expect(writing.map(({ name }) => name).sort()).toEqual(writeTools)
    const other = await connectAgent({ authorization: basicOf(await made.credentials('editor')) })
    const { text, isError } = await callTool(other, 'add_note', {}).catch((error: Error) => ({
      text: error.message,
      isError: true,
    }))
    expect(isError).toBe(true)
    expect(text).toContain('add_note')
  })

  it.each(['auto', 'legacy'] as const)('need a second call, with the token of the first: %s', async (mode) => {
    const order = await createOrder(made.as('editor'))
    const agent = await agentAs('editor', mode)
    const given = { order_id: order.uuid, text: 'The customer is away until Monday.' }
    const first = await callTool(agent, 'add_note', given)
    expect(first.text).toContain('Not done yet. Add a note to the order.')
    expect(first.data).toMatchObject({
      status: 'needs_confirmation',
      subject: { order_number: order.order_number, text: given.text },
      result: null,
    })
    expect(await notesOf(order)).toEqual([])
    const confirmed = { ...given, confirm: first.data.confirm }
    expect((await callTool(agent, 'add_note', confirmed)).data).toMatchObject({ status: 'done' })
    // A client that sends it again changes nothing more.
    expect((await callTool(agent, 'add_note', confirmed)).data).toMatchObject({ status: 'done' })
    expect(await notesOf(order)).toEqual([given.text])
  })

  it('return what the service ignored of their request', async () => {
    const order = await createOrder(made.as('editor'))
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    const server = createAgentServer({
      baseUrl: 'https://doorstep.example',
      credentials: await made.credentials('editor'),
      writes: true,
      fetch: (request) => inject(new Request(`${request.url}?colour=red`, request), node),
      confirmationKey: Buffer.alloc(32, 'k'),
      caller: 'a key',
      shop: made.slug,
      now: () => clock.now(),
    })
    await server.connect(serverSide)
    const agent = new Client({ name: 'an agent', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } })
    await agent.connect(clientSide)
    onTestFinished(() => agent.close())
    const given = { order_id: order.uuid, text: 'Call back' }
    const { confirm } = (await callTool(agent, 'add_note', given)).data
    expect((await callTool(agent, 'add_note', { ...given, confirm })).data).toMatchObject({
      status: 'done',
      result: { warnings: [{ loc: ['query', 'colour'], msg: 'ignored: unknown field' }] },
    })
  })

  it('reject a token for anything else than what it was made for', async () => {
    const [order, other] = [await createOrder(made.as('editor')), await createOrder(made.as('editor'))]
    const agent = await agentAs('editor')
    const given = { order_id: order.uuid, text: 'One thing' }
    const { confirm } = (await callTool(agent, 'add_note', given)).data
    const rejected = { isError: true, text: expect.stringMatching(/^confirmation_invalid: .*Nothing was changed/) }
    expect(await callTool(agent, 'add_note', { ...given, text: 'Another thing', confirm })).toMatchObject(rejected)
    expect(await callTool(agent, 'add_note', { ...given, order_id: other.uuid, confirm })).toMatchObject(rejected)
    expect(await callTool(await agentAs('admin'), 'add_note', { ...given, confirm })).toMatchObject(rejected)
    expect(await callTool(agent, 'add_note', { ...given, confirm: 'yes' })).toMatchObject(rejected)
    expect(await callTool(agent, 'add_note', { ...given, confirm: `${confirm}x` })).toMatchObject(rejected)
    clock.advance(11 * minuteMs)
    expect(await callTool(agent, 'add_note', { ...given, confirm })).toMatchObject(rejected)
    expect([await notesOf(order), await notesOf(other)]).toEqual([[], []])
  })

  it('reject a token in any other shop of the same key', async () => {
    const other = await makeShop()
    const shops = [made, other].map(({ slug }) => ({ shop_slug: slug, role: 'editor' }))
    const { username, secret } = (await call('POST', '/v1/api-keys', { body: { shops } })).body
    const agent = await connectAgent({ authorization: basicOf({ username, apiKey: secret }), service: node })
    // An order that both shops have: an action on it is distinguished by its shop only.
    const order = await createOrder(made.as('editor'))
    const { database } = await theService()
    await sql`
      insert into orders select (jsonb_populate_record(orders, jsonb_build_object('shop_id', shops.id))).*
      from orders, shops where orders.id = ${order.uuid} and shops.slug = ${other.slug}`.execute(database.db)
    const given = { order_id: order.uuid, text: 'Only here' }
    const { confirm } = (await callTool(agent, 'add_note', { ...given, shop: made.slug })).data
    const elsewhere = await callTool(agent, 'add_note', { ...given, shop: other.slug, confirm })
    expect(elsewhere).toMatchObject({ isError: true, text: expect.stringMatching(/^confirmation_invalid: /) })
    expect((await other.as('viewer').get('/notes', { order_id: order.uuid })).body).toEqual([])
    expect((await callTool(agent, 'add_note', { ...given, shop: made.slug, confirm })).data.status).toBe('done')
    expect(await notesOf(order)).toEqual([given.text])
  })

  it('respect the role of the key', async () => {
    const order = await createOrder(made.as('editor'))
    const viewer = await agentAs('viewer')
    const given = { order_id: order.uuid, text: 'No' }
    const { confirm } = (await callTool(viewer, 'add_note', given)).data
    expect((await callTool(viewer, 'add_note', { ...given, confirm })).text).toMatch(/^insufficient_rights/)
    const delivery = { delivery_id: order.uuid }
    expect((await callTool(await agentAs('editor'), 'resend_delivery', delivery)).text).toMatch(/^insufficient_rights/)
    expect((await callTool(await agentAs('admin'), 'resend_delivery', delivery)).text).toMatch(/^delivery_not_found/)
    expect(await notesOf(order)).toEqual([])
  })

  it('send a delivery again, once', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const own = await makeShop()
    const shop = own.as('admin')
    await shop.post('/webhooks', { url: receiver.url, enabled_events: ['*'] })
    const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: uniqueNumber('W') }])
    await settle()
    const before = receiver.received.length
    expect(before).toBeGreaterThan(0)
    const agent = await connectAgent({ authorization: basicOf(await own.credentials('admin')), service: node })
    const { messages } = (await callTool(agent, 'why_messages', { order_id: order.uuid })).data
    const given = { delivery_id: messages[0].delivery_id }
    const { confirm, explanation } = (await callTool(agent, 'resend_delivery', given)).data
    expect(explanation[0]).toContain('to a webhook endpoint again')
    for (let time = 0; time < 2; time += 1) await callTool(agent, 'resend_delivery', { ...given, confirm })
    await settle()
    expect(receiver.received).toHaveLength(before + 1)
  })

  it('snooze and resolve an exception', async () => {
    const shop = made.as('editor')
    const order = await createOrder(shop, { order_placed_at: clock.now().toISOString() }, [
      { tracking_number: uniqueNumber('W'), carrier_reference: 'dhl' },
    ])
    const shipment_id = order.trackings[0].uuid
    await shop.post(`/shipments/${shipment_id}/events`, { event_name: 'SHIPMENT_LOST_IN_TRANSIT' })
    clock.advance(dayMs)
    await runJob('exceptions')
    const agent = await agentAs('editor')
    const runConfirmed = async (tool: string, given: Record<string, unknown>) => {
      const { confirm } = (await callTool(agent, tool, given)).data
      return (await callTool(agent, tool, { ...given, confirm })).data.result
    }
    const until = new Date(clock.now().getTime() + dayMs).toISOString()
    expect(await runConfirmed('snooze_exception', { shipment_id, until })).toMatchObject({
      kind: 'lost',
      state: 'snoozed',
      snoozed_until: until,
    })
    expect(await runConfirmed('resolve_exception', { shipment_id })).toMatchObject({ state: 'resolved' })
    const past = { shipment_id, until: '2020-01-01T00:00:00Z' }
    const { confirm } = (await callTool(agent, 'snooze_exception', past)).data
    expect((await callTool(agent, 'snooze_exception', { ...past, confirm })).text).toContain('must be in the future')
  })

  describe('asks the user if the client can', () => {
    /** An agent whose user replies like this, and the questions it got. */
    async function agentOfUser(
      reply: ElicitResult,
      connect: (client: Client) => Promise<void>,
      mode: 'auto' | 'legacy',
    ) {
      const asked: string[] = []
      const client = new Client(
        { name: 'an agent with a user', version: '1.0.0' },
        { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
      )
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params.message)
        return reply
      })
      await connect(client)
      onTestFinished(() => client.close())
      return { client, asked }
    }

    const connectionOf = async () => ({
      baseUrl: 'https://doorstep.example',
      credentials: await made.credentials('editor'),
      writes: true,
      fetch: (request: Request) => inject(request, node),
    })

    async function inMemory(client: Client): Promise<void> {
      const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
      const server = createAgentServer({
        ...(await connectionOf()),
        confirmationKey: Buffer.alloc(32, 'k'),
        caller: 'a key',
        now: () => clock.now(),
      })
      await server.connect(serverSide)
      await client.connect(clientSide)
    }

    async function overStdio(client: Client): Promise<void> {
      const [toServer, toClient] = [new PassThrough(), new PassThrough()]
      const served = serveStdio({ ...(await connectionOf()), input: toServer, output: toClient })
      onTestFinished(() => served.close())
      // Both sides of this transport read lines and write lines.
      await client.connect(new StdioServerTransport(toClient, toServer))
    }

    const ways = [
      ['in memory', inMemory, 'legacy'],
      ['over stdio', overStdio, 'legacy'],
      ['over stdio, by the newest protocol', overStdio, 'auto'],
    ] as const

    it.each(ways)('and does it if they agree: %s', async (_name, connect, mode) => {
      const order = await createOrder(made.as('editor'))
      const { client, asked } = await agentOfUser({ action: 'accept', content: { agreed: true } }, connect, mode)
      const { data } = await callTool(client, 'add_note', { order_id: order.uuid, text: 'Call back' })
      expect(data).toMatchObject({ status: 'done', confirm: null })
      expect(asked).toEqual([expect.stringContaining('text: "Call back"')])
      expect(await notesOf(order)).toEqual(['Call back'])
    })

    it.each<[string, ElicitResult]>([
      ['decline', { action: 'decline' }],
      ['close the question', { action: 'cancel' }],
      ['leave the box empty', { action: 'accept', content: { agreed: false } }],
    ])('and does not if they %s', async (_name, reply) => {
      const order = await createOrder(made.as('editor'))
      const { client, asked } = await agentOfUser(reply, overStdio, 'auto')
      const { data } = await callTool(client, 'add_note', { order_id: order.uuid, text: 'Call back' })
      expect(data).toMatchObject({ status: 'declined', confirm: null })
      expect(asked).toHaveLength(1)
      expect(await notesOf(order)).toEqual([])
    })

    it('over HTTP, and takes no reply without the question', async () => {
      const order = await createOrder(made.as('editor'))
      const authorization = basicOf(await made.credentials('editor'))
      const client = await connectAgent({ authorization, service: node, capabilities: { elicitation: {} } })
      client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { agreed: true } }))
      const given = { order_id: order.uuid, text: 'Over HTTP' }
      expect((await callTool(client, 'add_note', given)).data.status).toBe('done')
      const inputResponses = { confirmation: { action: 'accept', content: { agreed: true } } }
      const forged = await client.callTool({
        name: 'add_note',
        arguments: { ...given, text: 'Forged' },
        inputResponses,
        requestState: 'made-up',
      } as never) // a client that does not keep to the protocol
      expect(forged).toMatchObject({ isError: true })
      expect(await notesOf(order)).toEqual(['Over HTTP'])
    })
  })
})
