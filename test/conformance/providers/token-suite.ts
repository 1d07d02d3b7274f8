import { describe, expect, it } from 'vitest'
import type { ProviderAccount, TrackedParcel } from '../../../src/adapters/carriers/provider.ts'
import type { TrackingProvider } from '../../../src/adapters/carriers/registry.ts'
import type { Call } from '../../../src/platform/foundation/call.ts'
import { callTo } from '../direct-call.ts'
import { clients } from './fakes/credentials.ts'
import type { FakeTokens } from './fakes/token-server.ts'
import type { FakeProvider } from './provider-suite.ts'

interface Granting {
  name: string
  tokenPath: string
  lifetimeMs: number
  create(now: () => number): TrackingProvider
  createFake(): FakeProvider & { tokens: FakeTokens }
  account: ProviderAccount
  parcel: TrackedParcel
}

/** The promises of adapters that use an access token. */
export function describeTokens({ name, tokenPath, lifetimeMs, create, createFake, account, parcel }: Granting): void {
  describe(`${name} › access token`, () => {
    function start() {
      const fake = createFake()
      const clock = { now: parcel.now.getTime() }
      const provider = create(() => clock.now)
      const call = callTo(fake)
      const track = (of = account, by: Call = call) => provider.track(by, of, [parcel])
      return { fake, clock, call, track }
    }

    it('is requested once, and reused', async () => {
      const { fake, track } = start()
      for (let count = 0; count < 3; count += 1) expect(await track()).toMatchObject({ result: 'found' })
      expect(fake.tokens.granted).toBe(1)
    })

    it('is requested once for concurrent requests', async () => {
      const { fake, track } = start()
      const responses = await Promise.all([track(), track(), track()])
      expect(responses.map(({ result }) => result)).toEqual(['found', 'found', 'found'])
      expect(fake.tokens.granted).toBe(1)
    })

    it('is renewed shortly before it expires', async () => {
      const { fake, clock, track } = start()
      await track()
      clock.now += lifetimeMs - 61_000
      await track()
      expect(fake.tokens.granted).toBe(1)
      clock.now += 2_000
      await track()
      expect(fake.tokens.granted).toBe(2)
    })

    it('is renewed once if it is rejected', async () => {
      const { fake, track } = start()
      await track()
      fake.tokens.revoke()
      expect(await track()).toMatchObject({ result: 'found' })
      expect(fake.tokens.granted).toBe(2)
    })

    it('is not renewed again if the new one is rejected too', async () => {
      const { fake, call, track } = start()
      const response = await track(account, async (request) => {
        const given = await call(request)
        fake.tokens.revoke()
        return given
      })
      expect(response).toMatchObject({ result: 'rejected', key: 'partner_key_missing_permissions' })
      expect(fake.tokens.granted).toBe(2)
    })

    it('is dropped when the credentials change', async () => {
      const { track } = start()
      await track()
      expect(await track({ ...account, credentials: clients.limited })).toMatchObject({ result: 'rejected' })
      expect(await track({ ...account, shopId: 'another-shop', credentials: clients.wrong })).toMatchObject({
        result: 'rejected',
      })
      expect(await track()).toMatchObject({ result: 'found' })
    })

    it('is never reported', async () => {
      const { call, track } = start()
      const echo: Call = async (request) => {
        if (new URL(request.url).pathname === tokenPath) return call(request)
        return { status: 400, headers: {}, body: JSON.stringify(request.headers) }
      }
      const response = await track(account, echo)
      expect(response).toMatchObject({ result: 'rejected', key: 'invalid_payload' })
      expect(JSON.stringify(response)).toContain('Bearer ***')
      expect(JSON.stringify(response)).not.toContain('token-number')
    })

    it('is not leaked by a truncated grant', async () => {
      const { track } = start()
      const response = await track(account, async () => ({
        status: 200,
        headers: {},
        body: '{"access_token":"half-a-tok',
      }))
      expect(response).toMatchObject({ result: 'failed', key: 'bad_gateway' })
      expect(JSON.stringify(response)).not.toContain('half-a-tok')
    })

    it('is reported as a missing permission if the client is rejected with 400, as the standard allows', async () => {
      const { track } = start()
      const response = await track(account, async () => ({
        status: 400,
        headers: {},
        body: '{"error":"invalid_client"}',
      }))
      expect(response).toMatchObject({ result: 'rejected', key: 'partner_key_missing_permissions' })
    })
  })
}
