import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findCarrier } from '../../../src/carriers/find.ts'
import type {
  ParcelReport,
  ProviderAccount,
  ProviderCredentials,
  TrackedParcel,
  TrackingProvider,
} from '../../../src/carriers/provider.ts'
import { findMeaning } from '../../../src/catalogue/catalogue.ts'
import type { Call } from '../../../src/foundation/call.ts'
import { createFakeServer, type Failure, type FakeAnswer, type FakeRequest } from '../fake-server.ts'
import { describePushes, type Pushes } from './push-suite.ts'
import { describeRegistering } from './register-suite.ts'

/*
 * The promises of every tracking provider, proven over HTTP against a fake of the other side.
 *
 * A test file `<name>.test.ts` calls `describeProvider({...})` once, with a fake from `fakes/<name>-server.ts` that
 * answers every request as that provider's documentation says. The fake checks method, path, authentication, headers and
 * body strictly, knows the one parcel of the conformance with the `entries` that the suite gives it, and, while the
 * suite sets a `failure`, answers a rightly authenticated call with that failure in the documented shape.
 */

export interface ProviderConformance {
  create(baseUrl: string): TrackingProvider
  /** Made anew before every test; undefined for a provider that asks nobody. */
  createFake?(): FakeProvider
  credentials: ProviderCredentials
  /** What the fake refuses as an unknown key, and as a key without the right to track. */
  wrongCredentials?: ProviderCredentials
  limitedCredentials?: ProviderCredentials
  /** The parcel that the fake knows, and one that it does not know. */
  parcel: TrackedParcel
  unknownParcel: TrackedParcel
  /** The parcel's history as the provider writes it. */
  entries: Record<string, unknown>[]
  /** What the adapter makes of it. */
  report: ParcelReport
  /** An entry whose code nobody has heard of, and how its code and text are to be kept. */
  unknownEntry?: { entry: Record<string, unknown>; code: string; text: string }
  /** What `retryAfterMs` the fake's answer to the failure rateLimited means. */
  retryAfterMs?: number
  /** What it pushes; only where the adapter reads webhooks. */
  pushes?: Pushes
}

export interface FakeProvider {
  /** The history of the parcel that it knows; set by the suite. */
  entries: unknown[]
  answer(request: FakeRequest, failure: Failure | undefined): FakeAnswer
}

/** What the worker lends, over fetch: no redirects, header names in lower case, throws where there is no answer. */
export const call: Call = (request) => callUntil(request)

function callUntil({ method, url, headers, body }: Parameters<Call>[0], signal?: AbortSignal) {
  return fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  }).then(async (answer) => ({
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
  }))
}

export function describeProvider(conformance: ProviderConformance): void {
  const { parcel, unknownParcel, credentials, report } = conformance
  const { name, limit, minGapMs, parcelsPerRequest, carriers } = conformance.create('http://127.0.0.1')
  const account: ProviderAccount = { shopId: 'shop', credentials }

  describe(`${name}, as a provider`, () => {
    it('follows carriers of the catalogue, each named once', () => {
      expect(carriers.length).toBeGreaterThan(0)
      expect(new Set(carriers).size).toBe(carriers.length)
      for (const carrier of carriers) expect(findCarrier(carrier), carrier).toBeDefined()
    })

    it('says how often it may be asked', () => {
      for (const value of [limit.requests, limit.perMs, parcelsPerRequest, minGapMs ?? 1]) {
        expect(value).toBeGreaterThan(0)
        expect(Number.isFinite(value)).toBe(true)
      }
    })

    it('reports events of the catalogue', () => {
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
    server.reset((request, failure) => made?.answer(request, failure) ?? { status: 500 })
    provider = conformance.create(server.baseUrl)
  })

  const track = (parcels: TrackedParcel[] = [parcel], of: ProviderAccount = account, by: Call = call) =>
    provider.track(by, of, parcels)

  describe(`${name}, asked for a parcel`, () => {
    it('tells its scans, the expected delivery and where it waits', async () => {
      expect(await track()).toEqual({ result: 'found', reports: [report] })
    })

    it('tells nothing of a number that it does not know', async () => {
      expect(await track([unknownParcel])).toEqual({ result: 'found', reports: [] })
    })

    it('answers under the number as we write it', async () => {
      const typed = { ...parcel, trackingNumber: parcel.trackingNumber.toLowerCase() }
      expect(await track([typed])).toMatchObject({ reports: [{ trackingNumber: typed.trackingNumber }] })
    })

    it('takes as many parcels at once as it says', async () => {
      const parcels = [parcel, ...Array.from({ length: parcelsPerRequest - 1 }, (_, index) => another(index))]
      expect(await track(parcels)).toEqual({ result: 'found', reports: [report] })
      function another(index: number): TrackedParcel {
        return { ...unknownParcel, trackingNumber: `${unknownParcel.trackingNumber}${index}` }
      }
    })
  })

  if (conformance.createFake === undefined) return

  describe(`${name}, whatever is in its history`, () => {
    it('keeps code and text of an entry that nobody has heard of, and gives it no name', async () => {
      const { entry, code, text } = conformance.unknownEntry ?? { entry: {}, code: '', text: '' }
      if (fake) fake.entries = [...conformance.entries, entry]
      const answer = await track()
      const scans = answer.result === 'found' ? (answer.reports[0]?.scans ?? []) : []
      expect(scans).toHaveLength(report.scans.length + 1)
      expect(scans.find((scan) => scan.code === code)).toMatchObject({ code, text, eventName: undefined })
    })

    it('is the same in any order and with repetitions', async () => {
      if (fake) fake.entries = [...conformance.entries.toReversed(), ...conformance.entries]
      expect(await track()).toEqual({ result: 'found', reports: [report] })
    })

    it('leaves out entries that cannot be read', async () => {
      if (fake) fake.entries = [null, 'text', 7, [], {}, ...conformance.entries]
      expect(await track()).toEqual({ result: 'found', reports: [report] })
    })

    it('may be empty', async () => {
      if (fake) fake.entries = []
      expect(await track()).toMatchObject({ result: 'found' })
    })
  })

  describe(`${name}, where it does not tell`, () => {
    const rejected = { result: 'rejected', key: 'partner_key_missing_permissions' }
    const failed = { result: 'failed', key: 'bad_gateway' }

    it('refuses a wrong key, and a key without the right', async () => {
      const { wrongCredentials = {}, limitedCredentials = {} } = conformance
      expect(await track([parcel], { ...account, credentials: wrongCredentials })).toMatchObject(rejected)
      expect(await track([parcel], { ...account, credentials: limitedCredentials })).toMatchObject(rejected)
    })

    it('is not asked without credentials', async () => {
      expect(await track([parcel], { ...account, credentials: {} })).toMatchObject(rejected)
      expect(server.requests).toEqual([])
    })

    it('answers two shops side by side, each with its own account', async () => {
      const others = { shopId: 'another-shop', credentials: conformance.wrongCredentials ?? {} }
      const [own, other] = await Promise.all([track(), track([parcel], others)])
      expect([own.result, other.result]).toEqual(['found', 'rejected'])
    })

    it('asks for patience when there are too many requests, and gets it', async () => {
      server.fail('rateLimited')
      expect(await track()).toMatchObject({ ...failed, status: 429, retryAfterMs: conformance.retryAfterMs })
    })

    it('refuses a bad request for good', async () => {
      server.fail('badRequest')
      expect(await track()).toMatchObject({ result: 'rejected', key: 'invalid_payload' })
    })

    it('fails by itself and is asked again', async () => {
      server.fail('serverError')
      expect(await track()).toMatchObject(failed)
      server.fail(undefined)
      expect(await track()).toMatchObject({ result: 'found' })
    })

    it('fails with an answer that is cut off', async () => {
      server.fail('malformed')
      expect(await track()).toMatchObject(failed)
    })

    it.each(['', 'null', '[]', '"delivered"', '{}', '<html>Bad Gateway</html>', '{"shipments":{}}'])(
      'fails with something else in place of its answer: %s',
      async (body) => {
        server.answerAll({ status: 200, headers: { 'content-type': 'application/json' }, body })
        expect(await track()).toMatchObject(failed)
        server.answerAll({ status: 502, headers: { 'content-type': 'text/html' }, body })
        expect(await track()).toMatchObject(failed)
      },
    )

    it('is not followed elsewhere', async () => {
      server.answerAll({ status: 302, headers: { location: `${server.baseUrl}/elsewhere` } })
      expect(await track()).not.toMatchObject({ result: 'found' })
      expect(server.requests.map(({ path }) => path)).not.toContain('/elsewhere')
    })

    it('is out of reach: who lent the call learns it', async () => {
      await server.stop()
      try {
        await expect(track()).rejects.toThrow()
      } finally {
        await server.start()
      }
    })

    it('breaks off: who lent the call learns it', async () => {
      server.answerNone((response) =>
        response.writeHead(200, { 'content-length': '900' }).write('{"', () => response.destroy()),
      )
      await expect(track()).rejects.toThrow()
    })

    it('hangs until who lent the call gives up', async () => {
      const limit = new AbortController()
      server.answerNone((_response: ServerResponse) => limit.abort())
      await expect(track([parcel], account, (request) => callUntil(request, limit.signal))).rejects.toThrow()
    })

    it.each([400, 401, 403, 404, 409, 422, 429, 500, 503])('leaks no secret with %i', async (status) => {
      // Some systems repeat what they were sent: the worst case is all of it.
      server.echoAll(status)
      expect(findSecrets(credentials, await track())).toEqual([])
      expect(findSecrets(credentials, await provider.register?.(call, account, parcel))).toEqual([])
    })
  })

  describeRegistering(name, { server, parcel, account, conformance, provider: () => provider })
  describePushes(name, { pushes: conformance.pushes, report, provider: () => provider })
}

function findSecrets(credentials: ProviderCredentials, answer: unknown): string[] {
  const text = JSON.stringify(answer) ?? ''
  const { api_key = '', client_id = '', client_secret } = credentials
  const pairs = [`${api_key}:`, `${client_id}:${client_secret}`].map((pair) => Buffer.from(pair).toString('base64'))
  const secrets = [api_key, client_secret ?? '', ...pairs].filter((secret) => secret.length > 4)
  return secrets.filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
}
