import { beforeEach, describe, expect, it } from 'vitest'
import type { ProviderAccount, TrackedParcel } from '../../../src/adapters/carriers/provider.ts'
import type { TrackingProvider } from '../../../src/adapters/carriers/registry.ts'
import type { createFakeServer } from '../fake-server.ts'
import { call, type ProviderConformance } from './provider-suite.ts'

interface Registering {
  server: ReturnType<typeof createFakeServer>
  parcel: TrackedParcel
  account: ProviderAccount
  conformance: ProviderConformance
  provider: () => TrackingProvider
}

/** The promises of providers where parcels have to be registered. */
export function describeRegistering(
  name: string,
  { server, parcel, account, conformance, provider }: Registering,
): void {
  if (conformance.create('http://127.0.0.1').register === undefined) return

  describe(`${name} › registering a parcel`, () => {
    let register: (
      credentials?: ProviderAccount['credentials'],
    ) => ReturnType<NonNullable<TrackingProvider['register']>>

    beforeEach(() => {
      register = async (credentials = account.credentials) => {
        const response = await provider().register?.(call, { ...account, credentials }, parcel)
        if (response === undefined) throw new Error('it registers nothing')
        return response
      }
    })

    it('can be repeated', async () => {
      expect(await register()).toEqual({ result: 'registered', follows: true })
      expect(await register()).toEqual({ result: 'registered', follows: true })
    })

    it('is rejected with a wrong key, a key without the right, and without a key', async () => {
      const rejected = { result: 'rejected', key: 'partner_key_missing_permissions' }
      expect(await register(conformance.wrongCredentials)).toMatchObject(rejected)
      expect(await register(conformance.limitedCredentials)).toMatchObject(rejected)
      expect(await register({})).toMatchObject(rejected)
    })

    it('is rejected permanently for a bad request', async () => {
      server.fail('badRequest')
      expect(await register()).toMatchObject({ result: 'rejected', key: 'invalid_payload' })
    })

    it('fails temporarily on a rate limit, a server error and a malformed response', async () => {
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
