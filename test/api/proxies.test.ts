import { describe, expect, it, onTestFinished } from 'vitest'
import { call, openTestDatabase, startTestService } from '../harness/service.ts'

const proxy = '10.9.0.1'

async function startBehind(trusted: string) {
  const service = await startTestService({ TRUST_PROXY: trusted }, await openTestDatabase())
  onTestFinished(() => service.stop())
  let guesses = 0
  /** A wrong key, as the proxy at `from` hands it on. */
  const guess = async (forwarded: string, from = proxy) => {
    guesses += 1
    const auth = { username: 'admin', apiKey: `guess-${guesses}` }
    return (await call('GET', '/v1/shops', { auth, from, headers: { 'x-forwarded-for': forwarded } }, service)).status
  }
  return { service, guess }
}

describe('a client behind proxies', () => {
  it.each([
    ['1', (client: string) => `${client}`],
    ['on', (client: string) => `${client}`],
    ['2', (client: string) => `${client}, 10.9.0.2`],
    ['10.9.0.0/16', (client: string) => `${client}, 10.9.0.2`],
  ])('gains nothing by a forged X-Forwarded-For where TRUST_PROXY is %s', async (trusted, seenBy) => {
    const { guess } = await startBehind(trusted)
    const statuses: number[] = []
    for (let index = 0; index < 22; index += 1) {
      statuses.push(await guess(`192.0.2.${index}, ${seenBy('203.0.113.9')}`))
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429, 429])
    expect(await guess(seenBy('203.0.113.10'))).toBe(401)
  })

  it('is believed in nothing where it is no trusted proxy itself', async () => {
    const { service, guess } = await startBehind('10.9.0.0/16')
    const statuses: number[] = []
    for (let index = 0; index < 21; index += 1) statuses.push(await guess(`192.0.2.${index}`, '203.0.113.11'))
    expect(statuses.at(-1)).toBe(429)
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
    const direct = await call('GET', '/healthz', { auth: null, from: '203.0.113.11', headers }, service)
    expect(direct.status).toBe(200)
    const proxied = await call('GET', '/healthz', { auth: null, from: proxy, headers }, service)
    expect(proxied).toMatchObject({ status: 308, headers: { location: 'https://evil.example/healthz' } })
  })
})
