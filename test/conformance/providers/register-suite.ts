import { beforeEach, describe, expect, it } from 'vitest'
import type { ProviderAccount, TrackedParcel, TrackingProvider } from '../../../src/carriers/provider.ts'
import type { createFakeServer } from '../fake-server.ts'
import { call, type ProviderConformance } from './provider-suite.ts'

interface Registering {
  server: ReturnType<typeof createFakeServer>
  parcel: TrackedParcel
  account: ProviderAccount
  conformance: ProviderConformance
  provider: () => TrackingProvider
}

/** The promises of providers that have to be told which parcels to follow. */
export function describeRegistering(
  name: string,
  { server, parcel, account, conformance, provider }: Registering,
): void {
  if (conformance.create('http://127.0.0.1').register === undefined) return

  describe(`${name}, told of a parcel to follow`, () => {
    let register: (
      credentials?: ProviderAccount['credentials'],
    ) => ReturnType<NonNullable<TrackingProvider['register']>>

    beforeEach(() => {
      register = async (credentials = account.credentials) => {
        const answer = await provider().register?.(call, { ...account, credentials }, parcel)
        if (answer === undefined) throw new Error('it registers nothing')
        return answer
      }
    })

    it('follows it, and is told of it twice without harm', async () => {
      expect(await register()).toEqual({ result: 'registered', follows: true })
      expect(await register()).toEqual({ result: 'registered', follows: true })
    })

    it('refuses a wrong key, a key without the right, and none', async () => {
      const rejected = { result: 'rejected', key: 'partner_key_missing_permissions' }
      expect(await register(conformance.wrongCredentials)).toMatchObject(rejected)
      expect(await register(conformance.limitedCredentials)).toMatchObject(rejected)
      expect(await register({})).toMatchObject(rejected)
    })

    it('refuses a bad request for good', async () => {
      server.fail('badRequest')
      expect(await register()).toMatchObject({ result: 'rejected', key: 'invalid_payload' })
    })

    it('is told again after its own failures', async () => {
      const { retryAfterMs } = conformance
      server.fail('rateLimited')
      expect(await register()).toMatchObject({ result: 'failed', key: 'bad_gateway', retryAfterMs })
      for (const failure of ['serverError', 'malformed'] as const) {
        server.fail(failure)
        expect(await register()).toMatchObject({ result: 'failed', key: 'bad_gateway' })
      }
    })
  })
}
