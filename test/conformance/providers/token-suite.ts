import { describe, expect, it } from 'vitest'
import type { ProviderAccount, TrackedParcel, TrackingProvider } from '../../../src/carriers/provider.ts'
import type { Call } from '../../../src/foundation/call.ts'
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

/** The promises of adapters that ask with an access token. */
export function describeTokens({ name, tokenPath, lifetimeMs, create, createFake, account, parcel }: Granting): void {
  describe(`${name}, over several questions`, () => {
    function start() {
      const fake = createFake()
      const clock = { now: parcel.now.getTime() }
      const provider = create(() => clock.now)
      const call = callTo(fake)
      const track = (of = account, by: Call = call) => provider.track(by, of, [parcel])
      return { fake, clock, call, track }
    }

    it('asks for one token, and goes on with it', async () => {
      const { fake, track } = start()
      for (let count = 0; count < 3; count += 1) expect(await track()).toMatchObject({ result: 'found' })
      expect(fake.tokens.granted).toBe(1)
    })

    it('asks for one token for questions that arrive together', async () => {
      const { fake, track } = start()
      const answers = await Promise.all([track(), track(), track()])
      expect(answers.map(({ result }) => result)).toEqual(['found', 'found', 'found'])
      expect(fake.tokens.granted).toBe(1)
    })

    it('renews it shortly before it expires', async () => {
      const { fake, clock, track } = start()
      await track()
      clock.now += lifetimeMs - 61_000
      await track()
      expect(fake.tokens.granted).toBe(1)
      clock.now += 2_000
      await track()
      expect(fake.tokens.granted).toBe(2)
    })

    it('renews it once where it is turned down', async () => {
      const { fake, track } = start()
      await track()
      fake.tokens.revoke()
      expect(await track()).toMatchObject({ result: 'found' })
      expect(fake.tokens.granted).toBe(2)
    })

    it('gives up where the new one is turned down too', async () => {
      const { fake, call, track } = start()
      const answer = await track(account, async (request) => {
        const given = await call(request)
        fake.tokens.revoke()
        return given
      })
      expect(answer).toMatchObject({ result: 'rejected', key: 'partner_key_missing_permissions' })
      expect(fake.tokens.granted).toBe(2)
    })

    it('drops it with the credentials that it belongs to', async () => {
      const { track } = start()
      await track()
      expect(await track({ ...account, credentials: clients.limited })).toMatchObject({ result: 'rejected' })
      expect(await track({ ...account, shopId: 'another-shop', credentials: clients.wrong })).toMatchObject({
        result: 'rejected',
      })
      expect(await track()).toMatchObject({ result: 'found' })
    })

    it('keeps it out of what is reported', async () => {
      const { call, track } = start()
      const echo: Call = async (request) => {
        if (new URL(request.url).pathname === tokenPath) return call(request)
        return { status: 400, headers: {}, body: JSON.stringify(request.headers) }
      }
      const answer = await track(account, echo)
      expect(answer).toMatchObject({ result: 'rejected', key: 'invalid_payload' })
      expect(JSON.stringify(answer)).toContain('Bearer ***')
      expect(JSON.stringify(answer)).not.toContain('token-number')
    })

    it('fails with a grant that is cut off, without repeating what there was of it', async () => {
      const { track } = start()
      const answer = await track(account, async () => ({
        status: 200,
        headers: {},
        body: '{"access_token":"half-a-tok',
      }))
      expect(answer).toMatchObject({ result: 'failed', key: 'bad_gateway' })
      expect(JSON.stringify(answer)).not.toContain('half-a-tok')
    })

    it('takes a client that is refused with 400 for one without rights, as the standard allows', async () => {
      const { track } = start()
      const answer = await track(account, async () => ({
        status: 400,
        headers: {},
        body: '{"error":"invalid_client"}',
      }))
      expect(answer).toMatchObject({ result: 'rejected', key: 'partner_key_missing_permissions' })
    })
  })
}
