import { describe, expect, it, onTestFinished } from 'vitest'
import { call, startNode } from '../harness/service.ts'

const proxy = '10.9.0.1'

async function startBehind(trusted: string) {
  const service = await startNode({ TRUST_PROXY: trusted })
  onTestFinished(() => service.stop())
  let guesses = 0
  /** A request with a wrong key, as the proxy at `from` forwards it. */
  const guess = async (forwarded: string, from = proxy) => {
    guesses += 1
    const auth = { username: 'admin', apiKey: `guess-${guesses}` }
    return (await call('GET', '/v1/shops', { auth, from, headers: { 'x-forwarded-for': forwarded } }, service)).status
  }
  return { service, guess }
}

describe('client behind proxies', () => {
  // Failed log-ins are counted by address, so each case has its own clients.
  it.each([
    ['1', '203.0.113', (client: string) => `${client}`],
    ['on', '203.0.114', (client: string) => `${client}`],
    ['2', '203.0.115', (client: string) => `${client}, 10.9.0.2`],
    ['10.9.0.0/16', '203.0.116', (client: string) => `${client}, 10.9.0.2`],
  ])('gains nothing from a forged X-Forwarded-For if TRUST_PROXY is %s', async (trusted, network, seenBy) => {
    const { guess } = await startBehind(trusted)
    const statuses: number[] = []
    for (let index = 0; index < 22; index += 1) {
      statuses.push(await guess(`192.0.2.${index}, ${seenBy(`${network}.9`)}`))
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429, 429])
    expect(await guess(seenBy(`${network}.10`))).toBe(401)
  })

  it('cannot set its address if it is not a trusted proxy', async () => {
    const { service, guess } = await startBehind('10.9.0.0/16')
    const statuses: number[] = []
    for (let index = 0; index < 21; index += 1) statuses.push(await guess(`192.0.2.${index}`, '203.0.113.11'))
    expect(statuses.at(-1)).toBe(429)
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
    const direct = await call('GET', '/healthz', { auth: null, from: '203.0.113.11', headers }, service)
    expect(direct.status).toBe(200)
    const proxied = await call('GET', '/healthz', { auth: null, from: proxy, headers }, service)
    expect(proxied).toMatchObject({ status: 308, headers: { location: 'https://doorstep.example/healthz' } })
  })
})

describe('redirect to HTTPS behind a proxy', () => {
  const redirected = async (settings: Record<string, string>, headers: Record<string, string>) => {
    const service = await startNode({ TRUST_PROXY: 'on', ...settings })
    onTestFinished(() => service.stop())
    const { app } = service
    const { statusCode, headers: sent } = await app.inject({
      url: '/track/x?a=b',
      remoteAddress: proxy,
      headers: { 'x-forwarded-proto': 'http', ...headers },
    })
    return statusCode === 308 ? sent.location : statusCode
  }

  it('leads to the host of PUBLIC_URL, whatever hosts the request names', async () => {
    const headers = { host: 'inner.example', 'x-forwarded-host': 'evil.example' }
    expect(await redirected({ PUBLIC_URL: 'https://doorstep.example:8443' }, headers)).toBe(
      'https://doorstep.example:8443/track/x?a=b',
    )
    expect(await redirected({ PUBLIC_URL: 'http://doorstep.example:8080' }, headers)).toBe(
      'https://doorstep.example/track/x?a=b',
    )
  })

  it('leads to the host of the request without PUBLIC_URL, never to the forwarded one, and nowhere if it is none', async () => {
    const to = (host: string) => redirected({ PUBLIC_URL: '' }, { host, 'x-forwarded-host': 'evil.example' })
    expect(await to('api.shop.example')).toBe('https://api.shop.example/track/x?a=b')
    expect(await to('[::1]:8080')).toBe('https://[::1]:8080/track/x?a=b')
    for (const host of ['user@evil.example', 'evil.example/x', 'a b', '"><x'])
      expect(await to(host), host).toBeTypeOf('number')
  })
})
