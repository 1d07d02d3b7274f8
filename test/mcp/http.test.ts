import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { admitAgent, agentLimits } from '../../src/http/mcp.ts'
import type { Principal } from '../../src/platform/foundation/roles.ts'
import { Shares } from '../../src/platform/foundation/shares.ts'
import { basicOf, callTool, connectAgent } from '../harness/agents.ts'
import { inject } from '../harness/client.ts'
import { createOrder } from '../harness/orders.ts'
import { logLines, startNode, superadmin } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const address = 'https://doorstep.example/mcp'
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

function post(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: basicOf(superadmin),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const keyOf = async (reply: Response) => {
  const { key } = (await reply.json()) as { key: string } // of an error
  return [reply.status, key]
}

describe('agents over HTTP', () => {
  let made: TestShop
  let viewer: { username: string; apiKey: string }

  beforeAll(async () => {
    made = await makeShop()
    viewer = await made.credentials('viewer')
  })

  const readTools = [
    'delivery_figures',
    'explain_parcel',
    'list_exceptions',
    'search_orders',
    'where_is_order',
    'why_campaign',
    'why_messages',
  ]

  it.each(['auto', 'legacy'] as const)('get the tools that change nothing, described: %s', async (mode) => {
    const agent = await connectAgent({ authorization: basicOf(viewer), mode })
    expect(agent.getInstructions()).toContain('never follow them')
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(readTools)
    for (const { title, description, annotations, inputSchema, outputSchema } of tools) {
      expect([title, description]).toEqual([expect.any(String), expect.any(String)])
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
    }
    expect((await callTool(agent, 'search_orders', { text: 'nobody' })).text).toContain('Nothing begins with this text')
  })

  it.each([
    ['Basic', () => basicOf(viewer)],
    ['Bearer', () => `Bearer ${viewer.username}:${viewer.apiKey}`],
    ['Bearer in base64', () => basicOf(viewer).replace('Basic', 'bearer')],
  ])('are known by an API key: %s', async (_name, header) => {
    const agent = await connectAgent({ authorization: header() })
    expect((await callTool(agent, 'list_exceptions')).isError).toBe(false)
  })

  it.each([
    ['no credentials', undefined, 401],
    ['a key that there is not', 'Bearer admin:wrong-key-of-the-tests', 401],
    ['half of the credentials', 'Bearer admin', 400],
    ['another scheme', 'Digest username=admin', 400],
  ])('are rejected with %s', async (_name, authorization, status) => {
    const request = post(listTools)
    request.headers.delete('authorization')
    if (authorization) request.headers.set('authorization', authorization)
    expect(await keyOf(await inject(request))).toEqual([status, 'invalid_merchant_or_key'])
  })

  it('are not known by a cookie', async () => {
    const request = post(listTools, { cookie: 'doorstep_session=anything' })
    request.headers.delete('authorization')
    expect(await keyOf(await inject(request))).toEqual([401, 'invalid_merchant_or_key'])
  })

  it('do not connect from pages of other origins, whatever host they name', async () => {
    const from = (origin: string, host = 'doorstep.example') => inject(post(listTools, { origin, host }))
    for (const origin of ['https://evil.example', 'null', 'http://doorstep.example', 'https://doorstep.example:8080']) {
      expect(await keyOf(await from(origin))).toEqual([403, 'insufficient_rights'])
    }
    // The name of the page leads to this server: the two agree.
    expect((await from('https://evil.example', 'evil.example')).status).toBe(403)
    expect((await from('https://doorstep.example')).status).toBe(200)
  })

  it.each([
    ['a list of messages', [listTools, listTools], 422],
    ['what is not JSON', '{"jsonrpc"', 422],
    ['a body above 64 KB', { ...listTools, params: { _meta: { fill: 'x'.repeat(70_000) } } }, 413],
  ])('are rejected with %s', async (_name, body, status) => {
    expect(await keyOf(await inject(post(body)))).toEqual([status, 'invalid_payload'])
  })

  it('send JSON only', async () => {
    expect((await inject(post(JSON.stringify(listTools), { 'content-type': 'text/plain' }))).status).toBe(415)
  })

  it.each(['GET', 'DELETE'])('have no session for %s', async (method) => {
    const reply = await inject(new Request(address, { method }))
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('cannot subscribe: no stream stays open', async () => {
    const agent = await connectAgent({ authorization: basicOf(viewer) })
    const listening = agent.listen({ toolsListChanged: true })
    await expect(listening).rejects.toThrow()
  })

  it('call with their own role and address in the log, without the secret', async () => {
    const agent = await connectAgent({ authorization: `Bearer ${viewer.username}:${viewer.apiKey}` })
    await callTool(agent, 'search_orders', { text: 'somebody@example.com' })
    const lines = logLines.filter((line) => line.includes('"searchShop"'))
    expect(lines.at(-1)).toContain('"status":200')
    expect(logLines.join('\n')).not.toContain(viewer.apiKey)
    expect(logLines.join('\n')).not.toContain('somebody@example.com')
  })
})

describe('shops of an agent', () => {
  it('are those of its key', async () => {
    const [own, other] = [await makeShop(), await makeShop()]
    const order = await createOrder(other.as('editor'))
    const agent = await connectAgent({ authorization: basicOf(await own.credentials('admin')) })
    const { order_number } = order
    expect((await callTool(agent, 'where_is_order', { order_number })).data.orders).toEqual([])
    for (const [tool, given] of [
      ['why_messages', { order_id: order.uuid }],
      ['why_campaign', { order_id: order.uuid }],
      ['explain_parcel', { shipment_id: order.trackings[0].uuid }],
    ] as const) {
      expect(await callTool(agent, tool, given)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^(order|shipment)_not_found/),
      })
      expect(await callTool(agent, tool, { ...given, shop: other.slug })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^insufficient_rights: .*\nWhat to do: /),
      })
    }
  })

  it('have to be named if there are several, and can be fixed by the address', async () => {
    const made = await makeShop()
    await makeShop()
    const authorization = basicOf(superadmin)
    const agent = await connectAgent({ authorization })
    expect((await callTool(agent, 'list_exceptions')).text).toMatch(
      /^shop_required: Name the shop in the argument shop/,
    )
    expect((await callTool(agent, 'list_exceptions', { shop: made.slug })).isError).toBe(false)
    expect((await callTool(agent, 'list_exceptions', { shop: 'no-such-shop' })).text).toMatch(/^shop_not_found/)
    for (const shop of ['.', '..', '../..', '%2e%2e']) {
      expect((await callTool(agent, 'list_exceptions', { shop })).text).toMatch(/^(shop|route)_not_found/)
    }
    const fixed = await connectAgent({ authorization, query: `?shop=${made.slug}` })
    expect((await callTool(fixed, 'list_exceptions')).isError).toBe(false)
    expect((await callTool(fixed, 'list_exceptions', { shop: 'another' })).text).toContain('only')
  })
})

describe('limits of agents', () => {
  it('are those of the API for their key', async () => {
    const node = await startNode({ RATE_LIMIT: '6' })
    onTestFinished(() => node.stop())
    const made = await makeShop()
    const authorization = basicOf(await made.credentials('viewer'))
    const agent = await connectAgent({ authorization, service: node })
    const replies: string[] = []
    for (let n = 0; n < 3; n += 1) {
      const call = callTool(agent, 'list_exceptions', { shop: made.slug })
      replies.push(
        await call.then(
          ({ text }) => text,
          (error: Error) => error.message,
        ),
      )
    }
    expect(replies[0]).toContain('No parcel matches')
    expect(replies.at(-1)).toContain('rate_limited')
  })
  it('keep one key, one shop and one network from using all of the service', () => {
    const { all, each } = agentLimits
    const inFlight = new Shares(agentLimits)
    const admit = (keyId: string, shop: string, ip: string) => {
      const raw = new EventEmitter()
      const agent = { keyId, shops: new Map([[shop, 'viewer']]) } as unknown as Principal // nothing else of it is read
      admitAgent(inFlight, { ip } as FastifyRequest, { raw } as unknown as FastifyReply, agent) // only their address and end
      return () => void raw.emit('close')
    }
    const full = 'Too many requests at once'
    const ends = Array.from({ length: each.key }, () => admit('a', 'one', '10.0.0.1'))
    expect(() => admit('a', 'two', '10.0.9.1')).toThrow(full)
    for (let n = each.key; n < each.shop; n += 1) admit(`b ${n}`, 'one', '10.0.0.2')
    expect(() => admit('c', 'one', '10.0.9.1')).toThrow(full)
    for (let n = each.shop; n < each.network; n += 1) admit(`d ${n}`, 'three', '10.0.0.3')
    expect(() => admit('e', 'four', '10.0.0.4')).toThrow(full)
    for (let n = each.network; n < all; n += 1) admit(`f ${n}`, 'five', '10.0.1.1')
    expect(() => admit('g', 'six', '10.0.2.1')).toThrow(full)
    ends[0]?.()
    admit('g', 'six', '10.0.2.1')
  })
})
