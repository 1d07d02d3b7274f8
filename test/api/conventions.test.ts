import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Problem } from '../../src/platform/foundation/errors.ts'
import type { Service } from '../../src/service.ts'
import { type Call, call, logLines, startNode, superadmin, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const json = { 'content-type': 'application/json' }
const places = (errors: Problem[]) => errors.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()
const sendRaw = (payload: string | Buffer, headers: Record<string, string> = json) =>
  call('POST', '/v1/shops', { payload, headers })

describe('error', () => {
  it('has key, message, type and errors, and nothing else', async () => {
    const { status, body, headers } = await call('GET', '/v1/shops/no-such-shop')
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      key: 'shop_not_found',
      message: 'There is no shop "no-such-shop".',
      type: 'invalid_request_error',
      errors: [],
    })
  })

  it('requests credentials in a way that browsers understand', async () => {
    const auth = { username: 'admin', apiKey: 'wrong' }
    const { status, headers } = await call('GET', '/v1/shops', { auth, from: '10.1.1.1' })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toMatch(/^Basic /)
  })
})

describe('validation', () => {
  it('reports all problems at once, with the index of list items', async () => {
    const shop = await makeShop()
    const { status, body } = await shop.as('admin').post('/api-keys', {
      role: 'king',
      expiration: 'tomorrow',
      username: 'with space',
      shops: [{ shop_slug: shop.slug, role: 'viewer' }, { role: 3 }, 'text'],
    })
    expect(status).toBe(422)
    expect(body.key).toBe('invalid_payload')
    expect(places(body.errors)).toEqual([
      'body.expiration type_error',
      'body.role value_error',
      'body.shops.1.role type_error',
      'body.shops.1.shop_slug missing',
      'body.shops.2 type_error',
      'body.username value_error',
    ])
    expect(body.errors.find(({ loc }: Problem) => loc.length === 4)?.loc[2]).toBe(1)
  })

  it('names the field for a problem of the query or the path', async () => {
    const query = await call('GET', '/v1/shops', { query: { page: 'x', uuid: 'y', language: 'xx' } })
    expect(places(query.body.errors)).toEqual([
      'query.language value_error',
      'query.page type_error',
      'query.uuid value_error',
    ])
    const shop = await makeShop()
    const path = await shop.as('admin').delete(`/api-keys/${'x'.repeat(17)}`)
    expect(places(path.body.errors)).toEqual(['path.token_id value_error'])
  })

  it.each(['{', '{"name":}', 'name', "{'name': 1}", '{"name":"a"} trailing', '\uFEFF{', 'NaN'])(
    'rejects the body %j, which is not JSON',
    async (payload) => {
      const { status, body } = await sendRaw(payload)
      expect(status).toBe(422)
      expect(body).toMatchObject({ key: 'invalid_payload', errors: [{ loc: ['body'], type: 'value_error' }] })
    },
  )

  it('rejects a missing body', async () => {
    for (const reply of [await sendRaw(''), await call('POST', '/v1/shops'), await sendRaw('', {})]) {
      expect(reply.status).toBe(422)
      expect(reply.body.errors).toEqual([{ loc: ['body'], msg: 'a JSON body is required', type: 'missing' }])
    }
  })

  it('accepts a request that names JSON and has no body if none is needed', async () => {
    const shop = await makeShop()
    const { id } = (await shop.as('admin').post('/api-keys', {})).body
    const reply = await call('DELETE', `/v1/shops/${shop.slug}/api-keys/${id}`, { headers: json })
    expect(reply).toMatchObject({ status: 200, body: { token_id: id } })
  })

  it.each(['null', '[]', '"text"', '7', 'true'])('rejects the body %s if an object is required', async (payload) => {
    const { status, body } = await sendRaw(payload)
    expect(status).toBe(422)
    expect(places(body.errors)).toEqual(['body type_error'])
  })

  it('never reads one JSON type as another', async () => {
    const shop = await makeShop()
    const { body } = await shop.as('admin').patch('', {
      name: 7,
      description: ['text'],
      contact_phone: true,
      language: { code: 'en' },
      organization: 1.5,
    })
    expect(places(body.errors)).toEqual([
      'body.contact_phone type_error',
      'body.description type_error',
      'body.language type_error',
      'body.name type_error',
      'body.organization type_error',
    ])
    expect((await shop.as('admin').post('/api-keys', { expiration: '0' })).status).toBe(422)
    expect((await shop.as('admin').post('/api-keys', { expiration: 1.5 })).status).toBe(422)
  })

  it('ignores fields it does not know, whatever they are called', async () => {
    const slug = `unknown-${process.pid}`
    const payload = `{"name":"a","slug":"${slug}","color":"red","__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"toString":1}`
    expect(await sendRaw(payload)).toMatchObject({ status: 200 })
    expect((await call('GET', `/v1/shops/${slug}`, { query: { color: 'red' } })).status).toBe(200)
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it.each([
    ['U+0000 in a value', '{"name":"a\\u0000b","slug":"never"}'],
    ['U+0000 in the name of a field', '{"name":"a","slug":"never","a\\u0000":1}'],
    ['half a surrogate pair', '{"name":"a\\ud800b","slug":"never"}'],
    ['half a surrogate pair deep inside', '{"name":"a","slug":"never","other":[{"x":["\\udfff"]}]}'],
    ['200,000 levels of nesting', `{"name":"a","slug":"never","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ])('rejects %s', async (_what, payload) => {
    const { status, body } = await sendRaw(payload)
    expect(status).toBe(422)
    expect(body.errors[0]).toMatchObject({ type: 'value_error' })
    expect((await call('GET', '/v1/shops/never')).status).toBe(404)
  })

  it('accepts every character that can be stored', async () => {
    const name = 'Ærøskøbing 🧦 שָׁלוֹם \u202E \t'
    const shop = await makeShop({ name })
    expect((await shop.as('viewer').get('')).body.name).toBe(name)
  })

  it('survives U+0000 and broken encoding in addresses', async () => {
    const shop = await makeShop()
    expect(await call('GET', '/v1/shops/a%00b')).toMatchObject({ status: 404, body: { key: 'shop_not_found' } })
    expect(await call('GET', '/v1/shops?name=a%00b')).toMatchObject({ status: 422 })
    expect(await call('DELETE', `/v1/shops/${shop.slug}/api-keys/a%00b`)).toMatchObject({ status: 422 })
    expect(await call('GET', '/v1/shops?name=%FF%ZZ')).toMatchObject({ status: 200, text: '[]' })
    for (const path of ['/nothing/a%ZZ', '/v1/shops/%FF/nothing', `/v1/shops/${'a'.repeat(600)}/nothing`]) {
      const reply = await call('GET', path)
      expect(reply).toMatchObject({ status: 404, body: { key: 'route_not_found', errors: [] } })
      expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'service-version': '2026-11-01' })
    }
  })
})

describe('content type of a body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'garbage', 'multipart/form-data'])(
    'is not %s',
    async (type) => {
      const { status, body } = await sendRaw('{"name":"a","slug":"never"}', { 'content-type': type })
      expect({ status, key: body.key }).toEqual({ status: 415, key: 'invalid_payload' })
    },
  )

  it('must not be a form if JSON is required', async () => {
    const payload = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--x--\r\n'
    expect((await sendRaw(payload, { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(415)
  })

  it('may name the character set', async () => {
    expect((await sendRaw('{}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(422)
  })
})

describe('pages', () => {
  it('are linked by the page that was used, however often the query names one', async () => {
    const organization = `linked-${process.pid}`
    for (let number = 0; number < 3; number += 1) await makeShop({ organization })
    const linksOf = async (query: string) =>
      String((await call('GET', `/v1/shops?organization=${organization}&per_page=1&${query}`)).headers.link)
    expect(await linksOf('page=1&page=2')).toMatch(/page=1>; rel="prev".*page=3>; rel="next"/)
    expect(await linksOf('page=')).toMatch(/page=2>; rel="next"/)
    expect(await linksOf('page=')).not.toContain('rel="prev"')
  })
})

describe('headers', () => {
  it.each([undefined, '2026-11-01', '1999-01-01', 'nonsense'])(
    'name the version used when %s is requested',
    async (version) => {
      const { status, headers } = await call(
        'GET',
        '/v1/shops',
        version ? { headers: { 'service-version': version } } : {},
      )
      expect(status).toBe(200)
      expect(headers['service-version']).toBe('2026-11-01')
    },
  )

  it('adopt a valid request id, and replace any other', async () => {
    const idOf = async (given?: string) =>
      (await call('GET', '/healthz', given === undefined ? {} : { headers: { 'x-request-id': given } })).headers[
        'x-request-id'
      ]
    expect(await idOf('order-import.7:a_b')).toBe('order-import.7:a_b')
    for (const bad of [undefined, '', 'with space', '<b>', 'é', 'x'.repeat(129)]) {
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('keep browsers from guessing, framing, caching and leaking', async () => {
    for (const path of ['/v1/shops', '/v1/shops/no-such-shop', '/no-such-route', '/healthz']) {
      expect((await call('GET', path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'cache-control': 'no-store',
      })
    }
  })
})

describe('methods and routes', () => {
  it('serve HEAD like GET, without the body', async () => {
    const shop = await makeShop()
    const got = await call('GET', `/v1/shops/${shop.slug}`)
    const head = await call('HEAD', `/v1/shops/${shop.slug}`)
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
    expect(head.headers['content-type']).toBe(got.headers['content-type'])
    expect((await call('HEAD', `/v1/shops/${shop.slug}`, { auth: null })).status).toBe(400)
    expect((await call('HEAD', '/v1/shops/no-such-shop')).status).toBe(404)
  })

  it('respond to OPTIONS with the allowed methods, without credentials', async () => {
    const shop = await makeShop()
    const reply = await call('OPTIONS', `/v1/shops/${shop.slug}?x=1`, { auth: null })
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.allow).toBe('OPTIONS, GET, HEAD, PATCH, DELETE')
    expect((await call('OPTIONS', '/v1/nothing')).status).toBe(404)
  })

  it('report an unknown route before they check credentials or body', async () => {
    const reply = await call('POST', '/v1/nothing', { auth: null, payload: '{', headers: json })
    expect(reply).toMatchObject({ status: 404, body: { key: 'route_not_found', errors: [] } })
    expect(reply.headers.allow).toBeUndefined()
  })

  it('report the methods that a known address allows', async () => {
    const reply = await call('PUT', '/v1/shops', { body: {} })
    expect(reply).toMatchObject({ status: 404, body: { key: 'route_not_found' } })
    expect(reply.headers.allow).toBe('OPTIONS, GET, HEAD, POST')
    expect(reply.body.message).toContain('This address takes GET, HEAD, POST.')
  })

  it('accept a trailing slash', async () => {
    expect((await call('GET', '/v1/shops/')).status).toBe(200)
  })
})

describe('log', () => {
  it('contains no secret and no e-mail address', async () => {
    const shop = await makeShop({ contact_email: 'merchant@secret.example' })
    const { apiKey } = await shop.credentials('admin')
    await shop.as('admin').get('', { name: 'query@secret.example' })
    await call('GET', '/v1/shops/path@secret.example/nothing')
    await call('GET', '/v1/shops/path%40secret.example')
    await call('GET', '/v1/shops', { auth: { username: 'user@secret.example', apiKey: 'tried-key' }, from: '10.1.1.2' })
    await call('POST', '/v1/shops', { body: { slug: 'body@secret.example', contact_email: 7 } })
    const log = logLines.join('\n')
    for (const line of logLines)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) })
    expect(log).toContain(`/v1/shops/${shop.slug}`)
    const basic = Buffer.from(`${superadmin.username}:${superadmin.apiKey}`).toString('base64')
    for (const secret of ['secret.example', apiKey, 'tried-key', superadmin.apiKey, basic]) {
      expect(log).not.toContain(secret)
    }
  })

  it('redacts credentials and e-mail addresses anywhere in a log line', async () => {
    const { app } = await theService()
    const around: Record<string, unknown> = { mark: 'hidden-fields', email: null }
    around.itself = around
    const at = new Date('2026-11-15T12:00:00Z')
    const fields = {
      ...around,
      headers: { Authorization: 'Basic secret-1', cookie: 'secret-2', host: 'shop.example' },
      tried: [{ api_key: 'secret-3', name: 'first' }, 'second'],
      account: { access: { client_secret: 'secret-4', at } },
      email_id: 'secret-5',
    }
    const before = structuredClone(fields.headers)
    app.log.warn(fields, 'tried')
    const line = logLines.find((text) => text.includes('"mark":"hidden-fields"')) ?? ''
    expect(line).not.toContain('secret-')
    expect(JSON.parse(line)).toMatchObject({
      headers: { Authorization: '[redacted]', cookie: '[redacted]', host: 'shop.example' },
      tried: [{ api_key: '[redacted]', name: 'first' }, 'second'],
      account: { access: { client_secret: '[redacted]', at: at.toISOString() } },
      email_id: '[redacted]',
      email: null,
      msg: 'tried',
    })
    expect(fields.headers).toEqual(before)
  })

  it('names the request, its operation and its status', async () => {
    await call('GET', '/v1/shops/no-such-shop', { headers: { 'x-request-id': 'find-me' } })
    const line = logLines.find((text) => text.includes('"reqId":"find-me"'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      method: 'GET',
      path: '/v1/shops/no-such-shop',
      operation: 'getShop',
      status: 404,
    })
  })

  it('does not log an aborted request as a server error', async () => {
    const service = await startNode({ PORT: '0', HOST: '127.0.0.1' })
    onTestFinished(() => service.stop())
    const { port } = service.app.server.address() as { port: number } // it listens on a port
    // The key is cached from then on, so that the next request is read at once.
    await call('GET', '/v1/shops', {}, service)
    const begun = once(service.app.server, 'request')
    const socket = connect(port, '127.0.0.1')
    const basic = Buffer.from(`${superadmin.username}:${superadmin.apiKey}`).toString('base64')
    socket.write(
      `POST /v1/shops HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${basic}\r\nX-Request-Id: cut-off\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":',
    )
    await begun
    socket.destroy()
    const lines = () => logLines.filter((text) => text.includes('"reqId":"cut-off"')).map((text) => JSON.parse(text))
    await expect.poll(lines).toMatchObject([{ level: 'info', msg: 'the client disconnected while it sent the body' }])
  })
})

describe('health', () => {
  it('is reported without credentials', async () => {
    expect(await call('GET', '/healthz', { auth: null })).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await call('GET', '/readyz', { auth: null })).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('is measured by area and class of status', async () => {
    await call('GET', '/v1/shops/no-such-shop')
    const { status, text } = await call('GET', '/metrics', { auth: null })
    expect(status).toBe(200)
    expect(text).toMatch(/doorstep_http_requests_total\{area="Shops",status="4xx"\} [1-9]/)
    expect(text).not.toContain('no-such-shop')
  })
})

describe('service with other settings', () => {
  let service: Service
  const callIt = (method: string, path: string, options: Call = {}) => call(method, path, options, service)

  beforeAll(async () => {
    service = await startNode({ BRAND: 'Acme', BODY_LIMIT: '2000', RATE_LIMIT: '3' })
  })
  afterAll(() => service.stop())

  it('has its brand in the name of the version header', async () => {
    const { headers } = await callIt('GET', '/healthz')
    expect(headers['acme-version']).toBe('2026-11-01')
    expect(headers['service-version']).toBeUndefined()
    const { components } = (await callIt('GET', '/openapi.json')).body
    expect(components.parameters.version.name).toBe('Acme-Version')
  })

  it('limits requests per minute per key, with Retry-After', async () => {
    const made = await callIt('POST', '/v1/shops', { body: { name: 'Limited', slug: 'limited' } })
    expect(made.status).toBe(200)
    const key = (await callIt('POST', '/v1/shops/limited/api-keys', { body: {} })).body
    const tooLarge = await callIt('POST', '/v1/shops', { body: { name: 'x'.repeat(3_000), slug: 'large' } })
    expect(tooLarge).toMatchObject({ status: 413, body: { key: 'invalid_payload' } })
    const refused = await callIt('GET', '/v1/shops')
    expect(refused).toMatchObject({ status: 429, body: { key: 'rate_limited', type: 'invalid_request_error' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    const auth = { username: key.username, apiKey: key.secret }
    for (let number = 0; number < 3; number += 1) {
      expect((await callIt('GET', '/v1/shops/limited', { auth })).status).toBe(200)
    }
    expect((await callIt('GET', '/v1/shops/limited', { auth })).status).toBe(429)
    expect((await callIt('GET', '/healthz')).status).toBe(200)
  })
})
