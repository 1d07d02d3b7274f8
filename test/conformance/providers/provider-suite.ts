import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findCarrier } from '../../../src/adapters/carriers/find.ts'
import type {
  ParcelReport,
  ProviderAccount,
  ProviderCredentials,
  TrackedParcel,
} from '../../../src/adapters/carriers/provider.ts'
import type { TrackingProvider } from '../../../src/adapters/carriers/registry.ts'
import { findMeaning } from '../../../src/platform/catalogue/catalogue.ts'
import type { Call } from '../../../src/platform/foundation/call.ts'
import { createFakeServer, type Failure, type FakeRequest, type FakeResponse } from '../fake-server.ts'
import { describePushes, type Pushes } from './push-suite.ts'
import { describeRegistering } from './register-suite.ts'

/*
 * The promises of every tracking provider, tested over HTTP against a fake of its API.
 *
 * A test file `<name>.test.ts` calls `describeProvider({...})` once, with a fake from `fakes/<name>-server.ts` that
 * responds to every request as that provider's documentation says. The fake checks method, path, authentication,
 * headers and body strictly, and knows one parcel with the `entries` that the suite sets. While the suite sets a
 * `failure`, it returns that failure in the documented shape to correctly authenticated calls.
 */

export interface ProviderConformance {
  create(baseUrl: string): TrackingProvider
  /** Called before every test; undefined for a provider without a server. */
  createFake?(): FakeProvider
  credentials: ProviderCredentials
  /** Credentials that the fake rejects: an unknown key, and a key without the right to track. */
  wrongCredentials?: ProviderCredentials
  limitedCredentials?: ProviderCredentials
  /** The parcel that the fake knows, and one that it does not know. */
  parcel: TrackedParcel
  unknownParcel: TrackedParcel
  /** The parcel's history as the provider writes it. */
  entries: Record<string, unknown>[]
  /** The report that the adapter returns for it. */
  report: ParcelReport
  /** An entry with an unknown code, and the expected code and text. */
  unknownEntry?: { entry: Record<string, unknown>; code: string; text: string }
  /** Two scans of one second, listed as the provider lists them, and their codes in the order in which they happened. */
  ofOneSecond?: { entries: Record<string, unknown>[]; codes: string[] }
  /** The `retryAfterMs` that the fake's response to the failure rateLimited means. */
  retryAfterMs?: number
  /** Its pushes, if the adapter reads webhooks. */
  pushes?: Pushes
}

export interface FakeProvider {
  /** The history of the known parcel; set by the suite. */
  entries: unknown[]
  respond(request: FakeRequest, failure: Failure | undefined): FakeResponse
}

/** The worker's call, over fetch: no redirects, header names in lower case, throws if there is no response. */
export const call: Call = (request) => callUntil(request)

function callUntil({ method, url, headers, body }: Parameters<Call>[0], signal?: AbortSignal) {
  return fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  }).then(async (reply) => ({
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: await reply.text(),
  }))
}

export function describeProvider(conformance: ProviderConformance): void {
  const { parcel, unknownParcel, credentials, report } = conformance
  const { name, limit, minGapMs, parcelsPerRequest, carriers } = conformance.create('http://127.0.0.1')
  const account: ProviderAccount = { shopId: 'shop', credentials }

  describe(`${name} › declaration`, () => {
    it('lists carriers of the catalogue, each once', () => {
      expect(carriers.length).toBeGreaterThan(0)
      expect(new Set(carriers).size).toBe(carriers.length)
      for (const carrier of carriers) expect(findCarrier(carrier), carrier).toBeDefined()
    })

    it('has a limit of requests', () => {
      for (const value of [limit.requests, limit.perMs, parcelsPerRequest, minGapMs ?? 1]) {
        expect(value).toBeGreaterThan(0)
        expect(Number.isFinite(value)).toBe(true)
      }
    })

    it('uses events of the catalogue', () => {
      for (const { eventName } of report.scans) expect(findMeaning(eventName ?? ''), eventName).toBeDefined()
    })
  })

  const server = createFakeServer()
  let fake: FakeProvider | undefined
  let provider = conformance.create('http://127.0.0.1')

  beforeAll(() => server.start())
  afterAll(() => server.stop())
  beforeEach(() => {
    const made = conformance.createFake?.()
    if (made) made.entries = conformance.entries
    fake = made
    server.reset((request, failure) => made?.respond(request, failure) ?? { status: 500 })
    provider = conformance.create(server.baseUrl)
  })

  const track = (parcels: TrackedParcel[] = [parcel], of: ProviderAccount = account, by: Call = call) =>
    provider.track(by, of, parcels)

  describe(`${name} › tracking a parcel`, () => {
    it('returns its scans, the expected delivery and the pick-up point', async () => {
      expect(await track()).toEqual({ result: 'found', reports: [report] })
    })

    it('returns nothing for an unknown number', async () => {
      expect(await track([unknownParcel])).toEqual({ result: 'found', reports: [] })
    })

    it('returns the number in our spelling', async () => {
      const typed = { ...parcel, trackingNumber: parcel.trackingNumber.toLowerCase() }
      expect(await track([typed])).toMatchObject({ reports: [{ trackingNumber: typed.trackingNumber }] })
    })

    it('accepts as many parcels per request as declared', async () => {
      const parcels = [parcel, ...Array.from({ length: parcelsPerRequest - 1 }, (_, index) => another(index))]
      expect(await track(parcels)).toEqual({ result: 'found', reports: [report] })
      function another(index: number): TrackedParcel {
        return { ...unknownParcel, trackingNumber: `${unknownParcel.trackingNumber}${index}` }
      }
    })
  })

  if (conformance.createFake === undefined) return

  describe(`${name} › history`, () => {
    it('has code and text of an entry with an unknown code, without an event name', async () => {
      const { entry, code, text } = conformance.unknownEntry ?? { entry: {}, code: '', text: '' }
      if (fake) fake.entries = [...conformance.entries, entry]
      const reply = await track()
      const scans = reply.result === 'found' ? (reply.reports[0]?.scans ?? []) : []
      expect(scans).toHaveLength(report.scans.length + 1)
      expect(scans.find((scan) => scan.code === code)).toMatchObject({ code, text, eventName: undefined })
    })

    it('keeps the order in which scans of one second happened', async () => {
      const { entries, codes } = conformance.ofOneSecond ?? { entries: [], codes: ['missing'] }
      const codesOf = async (listed: unknown[]) => {
        if (fake) fake.entries = listed
        const reply = await track()
        return reply.result === 'found' ? reply.reports[0]?.scans.map(({ code }) => code) : undefined
      }
      const isNewestFirst = conformance.report.scans[0]?.code !== (await codesOf(conformance.entries.slice(0, 1)))?.[0]
      const [earlier] = isNewestFirst ? conformance.entries.toReversed() : conformance.entries
      const [first = ''] = (await codesOf([earlier])) ?? []
      const ofThese = async (listed: unknown[]) =>
        (await codesOf(listed))?.filter((code) => [first, ...codes].includes(code))
      // The list may have all at one second, or begin or end with an earlier one: then it shows its direction itself.
      expect(await ofThese(entries)).toEqual(codes)
      const documented = isNewestFirst ? [...entries, earlier] : [earlier, ...entries]
      expect(await ofThese(documented)).toEqual([first, ...codes])
      expect(await ofThese(documented.toReversed())).toEqual([first, ...codes])
    })

    it('is the same in any order and with repetitions', async () => {
      if (fake) fake.entries = [...conformance.entries.toReversed(), ...conformance.entries]
      expect(await track()).toEqual({ result: 'found', reports: [report] })
    })

    it('is returned without malformed entries', async () => {
      if (fake) fake.entries = [null, 'text', 7, [], {}, ...conformance.entries]
      expect(await track()).toEqual({ result: 'found', reports: [report] })
    })

    it('may be empty', async () => {
      if (fake) fake.entries = []
      expect(await track()).toMatchObject({ result: 'found' })
    })
  })

  describe(`${name} › failures`, () => {
    const rejected = { result: 'rejected', key: 'partner_key_missing_permissions' }
    const failed = { result: 'failed', key: 'bad_gateway' }

    it('include a wrong key, and a key without the right', async () => {
      const { wrongCredentials = {}, limitedCredentials = {} } = conformance
      expect(await track([parcel], { ...account, credentials: wrongCredentials })).toMatchObject(rejected)
      expect(await track([parcel], { ...account, credentials: limitedCredentials })).toMatchObject(rejected)
    })

    it('include missing credentials, without a call', async () => {
      expect(await track([parcel], { ...account, credentials: {} })).toMatchObject(rejected)
      expect(server.requests).toEqual([])
    })

    it('of one shop do not affect a concurrent request of another', async () => {
      const others = { shopId: 'another-shop', credentials: conformance.wrongCredentials ?? {} }
      const [own, other] = await Promise.all([track(), track([parcel], others)])
      expect([own.result, other.result]).toEqual(['found', 'rejected'])
    })

    it('have the Retry-After of a rate limit', async () => {
      server.fail('rateLimited')
      expect(await track()).toMatchObject({ ...failed, status: 429, retryAfterMs: conformance.retryAfterMs })
    })

    it('are permanent for a bad request', async () => {
      server.fail('badRequest')
      expect(await track()).toMatchObject({ result: 'rejected', key: 'invalid_payload' })
    })

    it('are temporary for a server error', async () => {
      server.fail('serverError')
      expect(await track()).toMatchObject(failed)
      server.fail(undefined)
      expect(await track()).toMatchObject({ result: 'found' })
    })

    it('include a truncated response', async () => {
      server.fail('malformed')
      expect(await track()).toMatchObject(failed)
    })

    it.each(['', 'null', '[]', '"delivered"', '{}', '<html>Bad Gateway</html>', '{"shipments":{}}'])(
      'include an unexpected body: %s',
      async (body) => {
        server.respondAll({ status: 200, headers: { 'content-type': 'application/json' }, body })
        expect(await track()).toMatchObject(failed)
        server.respondAll({ status: 502, headers: { 'content-type': 'text/html' }, body })
        expect(await track()).toMatchObject(failed)
      },
    )

    it('include a redirect, which is not followed', async () => {
      server.respondAll({ status: 302, headers: { location: `${server.baseUrl}/elsewhere` } })
      expect(await track()).not.toMatchObject({ result: 'found' })
      expect(server.requests.map(({ path }) => path)).not.toContain('/elsewhere')
    })

    it('are passed on if the server is unreachable', async () => {
      await server.stop()
      try {
        await expect(track()).rejects.toThrow()
      } finally {
        await server.start()
      }
    })

    it('are passed on if the response breaks off', async () => {
      server.handleAll((response) =>
        response.writeHead(200, { 'content-length': '900' }).write('{"', () => response.destroy()),
      )
      await expect(track()).rejects.toThrow()
    })

    it('are passed on if the call is aborted', async () => {
      const limit = new AbortController()
      server.handleAll((_response: ServerResponse) => limit.abort())
      await expect(track([parcel], account, (request) => callUntil(request, limit.signal))).rejects.toThrow()
    })

    it.each([400, 401, 403, 404, 409, 422, 429, 500, 503])('leak no secret with %i', async (status) => {
      // Some systems echo parts of the request: the worst case is all of it.
      server.echoAll(status)
      expect(findSecrets(credentials, await track())).toEqual([])
      expect(findSecrets(credentials, await provider.register?.(call, account, parcel))).toEqual([])
    })
  })

  describeRegistering(name, { server, parcel, account, conformance, provider: () => provider })
  describePushes(name, { pushes: conformance.pushes, parcel, report, provider: () => provider })
}

function findSecrets(credentials: ProviderCredentials, reply: unknown): string[] {
  const text = JSON.stringify(reply) ?? ''
  const { api_key = '', client_id = '', client_secret } = credentials
  const pairs = [`${api_key}:`, `${client_id}:${client_secret}`].map((pair) => Buffer.from(pair).toString('base64'))
  const secrets = [api_key, client_secret ?? '', ...pairs].filter((secret) => secret.length > 4)
  return secrets.filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
}
