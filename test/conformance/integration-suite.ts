import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  Account,
  Credentials,
  Customer,
  IntegrationResult,
  OutgoingEvent,
} from '../../src/adapters/marketing/integration.ts'
import { type Integration, segmentFetchers } from '../../src/adapters/marketing/registry.ts'
import type { Call } from '../../src/platform/foundation/call.ts'
import { createFakeServer, type Failure, type FakeRequest, type FakeResponse } from './fake-server.ts'

export type { Failure, FakeRequest, FakeResponse } from './fake-server.ts'

/*
 * The promises of every marketing integration, tested over HTTP against a fake of its API.
 *
 * A test file `<name>.test.ts` calls `describeIntegration({...})` once (see Conformance below), with a fake from
 * `fakes/<name>-server.ts`: a `FakeApi`, whose `respond` handles every request as that system's documentation says. The
 * fake checks method, path, authentication, headers, media type and body strictly, and stores accepted events in
 * `events`. While the suite sets a `failure`, it returns that failure in the documented shape to correctly
 * authenticated calls. It recognises accounts with a wrong key or without rights by their credentials.
 *
 * This interface is shared by all adapters: add to it with optional fields only.
 */

export interface Conformance {
  create(baseUrl: string): Integration
  /** Called before every test. */
  createFake(): FakeApi
  /** The base address is given for systems whose address is a setting of the account. */
  account(baseUrl: string): Account
  /** Credentials that the fake rejects as an unknown key. */
  wrongCredentials: Credentials
  /** Credentials of a key without the right to send events or to read segments, as the fake treats it. */
  limitedCredentials: Credentials
  /** How `shipmentEvent` and `claimEvent` of this file arrive; 'skipped' if the system has no such event. */
  expected: { shipment: ReceivedEvent; claim: ReceivedEvent | 'skipped' }
  /** The `retryAfterMs` that the fake's response to the failure rateLimited means. */
  retryAfterMs: number
  /** The result of sending if the response is a success without JSON: for most systems only the status counts. */
  onMalformedResponse: IntegrationResult['result']
  /** The result of sending for a customer that the system does not know. */
  onUnknownCustomer: IntegrationResult['result']
  /** The same event without the identifiers that this system uses. Default: all of the customer's fields are null. */
  withoutIdentifier?(event: OutgoingEvent): OutgoingEvent
  /** The same event for a customer that the system does not know. Default: another address and id. */
  ofUnknownCustomer?(event: OutgoingEvent): OutgoingEvent
  /** The system keeps only the first event with an id, or has no field for one: then the adapter checks whether the event exists. */
  isSentOnce?: true
  /** The segments of the customer of `shipmentEvent`. Not given: the system has no segments. */
  segments?: string[]
  /** The segments of a customer that the system does not know. Default: none. */
  unknownCustomerSegments?: string[]
}

export interface FakeApi {
  /** The accepted events, in the order of arrival. */
  events: ReceivedEvent[]
  /** Responds as documented. A failure applies to correctly authenticated API calls; fetching an access token still works. */
  respond(request: FakeRequest, failure: Failure | undefined): FakeResponse
}

/** An accepted event in terms that all systems share; the fake translates. */
export interface ReceivedEvent {
  /** The id of the event, in the field by which the other side detects a repetition. */
  id: string
  name: string
  /** The time of the event, as `toISOString` writes it. */
  time: string
  /** The identifiers by the names this system gives them. */
  identifiers: Record<string, string>
  properties: Record<string, unknown>
}

const customer: Customer = {
  external_id: 'customer-77',
  email: 'jane.doe+parcels@example.com',
  first_name: 'Jane',
  last_name: "O'Doe",
  full_name: "Jane O'Doe",
  phone: '+4915112345678',
}

export const shipmentEvent: OutgoingEvent = {
  id: '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d',
  source: 'shipments',
  ref: 'shipments/in_delivery/OUT_FOR_DELIVERY',
  eventGroup: 'shipment_out_for_delivery',
  triggeredAt: '2026-11-03T08:15:30.000Z',
  shopSlug: 'demo',
  eventData: {
    shipment_id: '0192f3c4-0000-7000-8000-000000000001',
    carrier_reference: 'dhl',
    event_name: 'OUT_FOR_DELIVERY',
    phase: 'in_delivery',
    tracking_number: '00340434161094042557',
    tracking_url: 'https://track.example/00340434161094042557?lang=en',
    updated_at: '2026-11-03T08:15:30.000Z',
    event_group: 'shipment_out_for_delivery',
    order_number: 'A-1001',
    external_order_id: '5551234567890',
    external_customer_id: 'customer-77',
    total_order_value: 59.9,
    order_currency: 'EUR',
    expected_delivery_date: '03.11.2026',
    neighbour_name: null,
    shipping_address: { city: 'Köln', zip_code: '50667', country_code: 'DE' },
    number_of_shipments: 2,
    other_tracking_numbers: ['00340434161094042558', '00340434161094042559'],
  },
  customer,
  payload: {},
}

export const claimEvent: OutgoingEvent = {
  id: '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5e',
  source: 'claims',
  ref: 'claims/created',
  eventGroup: 'claim_created',
  triggeredAt: '2026-11-05T17:00:00.000Z',
  shopSlug: 'demo',
  eventData: {
    claim_id: '0192f3c4-0000-7000-8000-000000000002',
    event_name: 'created',
    created_at: '2026-11-05T17:00:00.000Z',
    updated_at: '2026-11-05T17:00:00.000Z',
    event_group: 'claim_created',
    resolution_preference: 'refund',
    reason: 'damage',
    status: 'pending',
    description: 'The box was "open"',
    customer_signature_image_url: null,
    selected_items: [{ sku: 'MUG-1', title: 'Mug', quantity: 1, net_price: 12.5, image_urls: [] }],
    image_urls: ['https://images.example/1.png'],
    optional_image_urls: [],
  },
  customer,
  payload: {},
}

const nobody: Customer = {
  external_id: null,
  email: null,
  first_name: null,
  last_name: null,
  full_name: null,
  phone: null,
}
const stranger: Customer = { ...nobody, external_id: 'stranger-1', email: 'stranger@example.com' }

/** The worker's call, over fetch: no redirects, header names in lower case, throws if there is no response. */
const call: Call = async ({ method, url, headers, body }) => {
  const reply = await fetch(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() }
}

export function describeIntegration(conformance: Conformance): void {
  const { wrongCredentials, limitedCredentials, expected } = conformance
  const withoutIdentifier =
    conformance.withoutIdentifier ?? ((event: OutgoingEvent): OutgoingEvent => ({ ...event, customer: nobody }))
  const ofUnknownCustomer =
    conformance.ofUnknownCustomer ?? ((event: OutgoingEvent): OutgoingEvent => ({ ...event, customer: stranger }))
  const server = createFakeServer()
  let fake = conformance.createFake()
  let integration: Integration
  let account: Account
  const name = conformance.create('http://127.0.0.1').name

  beforeAll(() => server.start())
  afterAll(() => server.stop())
  beforeEach(() => {
    fake = conformance.createFake()
    server.reset((request, failure) => fake.respond(request, failure))
    integration = conformance.create(server.baseUrl)
    account = conformance.account(server.baseUrl)
  })

  const send = (event: OutgoingEvent, credentials = account.credentials) =>
    integration.send(call, { ...account, credentials }, event)

  describe(`${name} › sending an event`, () => {
    it('transmits a shipment event with its name, identifiers, time and properties', async () => {
      expect(await send(shipmentEvent)).toMatchObject({ result: 'delivered' })
      expect(fake.events).toEqual([expected.shipment])
    })

    it('transmits a claim event, or skips it if the system has no such event', async () => {
      const outcome = await send(claimEvent)
      const isSkipped = expected.claim === 'skipped'
      expect(outcome).toMatchObject({ result: isSkipped ? 'skipped' : 'delivered' })
      expect(fake.events).toEqual(isSkipped ? [] : [expected.claim])
    })

    it('lets the other side detect a repetition by its id', async () => {
      await send(shipmentEvent)
      expect(await send(shipmentEvent)).toMatchObject({ result: 'delivered' })
      if (conformance.isSentOnce) return expect(fake.events.map((event) => event.id)).toEqual([expected.shipment.id])
      expect(fake.events.map((event) => event.id)).toEqual([expected.shipment.id, expected.shipment.id])
      const other = { ...shipmentEvent, id: '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c60' }
      await send(other)
      expect(fake.events[2]?.id).not.toBe(expected.shipment.id)
    })

    it('uses the account of each shop for concurrent events', async () => {
      const others = { ...account, shopId: 'another-shop', credentials: wrongCredentials }
      const [own, other] = await Promise.all([send(shipmentEvent), integration.send(call, others, shipmentEvent)])
      expect([own.result, other.result]).toEqual(['delivered', 'rejected'])
    })

    it('rejects a wrong key permanently', async () => {
      expect(await send(shipmentEvent, wrongCredentials)).toMatchObject({
        result: 'rejected',
        key: 'partner_key_missing_permissions',
      })
      expect(fake.events).toEqual([])
    })

    it('rejects a key without the right to send events', async () => {
      expect(await send(shipmentEvent, limitedCredentials)).toMatchObject({
        result: 'rejected',
        key: 'partner_key_missing_permissions',
      })
      expect(fake.events).toEqual([])
    })

    it('rejects a bad request permanently', async () => {
      server.fail('badRequest')
      expect(await send(shipmentEvent)).toMatchObject({ result: 'rejected', key: 'invalid_payload' })
    })

    it('is postponed by the Retry-After of a rate limit', async () => {
      server.fail('rateLimited')
      const { retryAfterMs } = conformance
      expect(await send(shipmentEvent)).toMatchObject({ result: 'failed', key: 'bad_gateway', retryAfterMs })
    })

    it('fails on a server error, and succeeds when it is retried', async () => {
      server.fail('serverError')
      expect(await send(shipmentEvent)).toMatchObject({ result: 'failed', key: 'bad_gateway' })
      server.fail(undefined)
      expect(await send(shipmentEvent)).toMatchObject({ result: 'delivered' })
    })

    it('fails on a proxy error page instead of a response', async () => {
      server.respondAll({ status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' })
      expect(await send(shipmentEvent)).toMatchObject({ result: 'failed', key: 'bad_gateway' })
    })

    it('handles a successful response that is not JSON', async () => {
      server.fail('malformed')
      expect(await send(shipmentEvent)).toMatchObject({ result: conformance.onMalformedResponse })
    })

    it('follows no redirect', async () => {
      server.respondAll({ status: 302, headers: { location: `${server.baseUrl}/elsewhere` } })
      expect(await send(shipmentEvent)).not.toMatchObject({ result: 'delivered' })
      expect(server.requests.map(({ path }) => path)).not.toContain('/elsewhere')
    })

    it('has the documented result for a customer that the system does not know', async () => {
      expect(await send(ofUnknownCustomer(shipmentEvent))).toMatchObject({ result: conformance.onUnknownCustomer })
    })

    it('makes no call for a customer without any identifier', async () => {
      expect(await send(withoutIdentifier(shipmentEvent))).toMatchObject({ result: 'skipped' })
      expect(server.requests).toEqual([])
    })

    it('passes on the error if the server is unreachable', async () => {
      await server.stop()
      try {
        await expect(send(shipmentEvent)).rejects.toThrow()
      } finally {
        await server.start()
      }
    })
  })

  describe(`${name} › checking credentials`, () => {
    const check = (credentials = account.credentials) => integration.check?.(call, { ...account, credentials })

    it('changes nothing, and tells a right key from a wrong one and from one without the rights', async () => {
      if (!integration.check) return
      expect(await check()).toMatchObject({ result: 'delivered' })
      const rejected = { result: 'rejected', key: 'partner_key_missing_permissions' }
      expect(await check(wrongCredentials)).toMatchObject(rejected)
      expect(await check(limitedCredentials)).toMatchObject(rejected)
      server.fail('serverError')
      expect(await check()).toMatchObject({ result: 'failed', key: 'bad_gateway' })
      expect(fake.events).toEqual([])
    })
  })

  describe(`${name} › any response`, () => {
    it.each([400, 401, 403, 404, 409, 422, 429, 500, 503])('leaks no secret with %i', async (status) => {
      // Some systems echo parts of the request: the worst case is all of it.
      server.echoAll(status)
      expect(findSecrets(account.credentials, await send(shipmentEvent))).toEqual([])
      if (integration.check) {
        expect(findSecrets(account.credentials, await integration.check(call, account))).toEqual([])
      }
      if (integration.fetchSegments) {
        expect(findSecrets(account.credentials, await integration.fetchSegments(call, account, customer))).toEqual([])
      }
    })

    it('has a limit of requests per second', () => {
      expect(integration.requestsPerSecond).toBeGreaterThan(0)
      expect(Number.isFinite(integration.requestsPerSecond)).toBe(true)
    })
  })

  describe(`${name} › fetching segments`, () => {
    const fetchSegments = (of = customer, credentials = account.credentials) =>
      integration.fetchSegments?.(call, { ...account, credentials }, of)

    if (conformance.segments === undefined) {
      it('is not supported, and the system is not listed as supporting it', () => {
        expect(integration.fetchSegments).toBeUndefined()
        expect(segmentFetchers).not.toContain(name)
      })
      return
    }

    it('is listed as supported, except for the shop system, and declares the kind of each call', async () => {
      expect([...segmentFetchers, 'shopify']).toContain(name)
      const kinds = new Set<string | undefined>()
      const recording: Call = (request) => {
        kinds.add(request.kind)
        return call(request)
      }
      await integration.fetchSegments?.(recording, account, customer)
      const limits = Object.entries(integration.segmentLimits ?? {})
      expect([...kinds].filter((kind) => kind !== undefined).sort()).toEqual(limits.map(([kind]) => kind).sort())
      for (const [, { perSecond, perMinute }] of limits) expect(perMinute).toBeGreaterThan(perSecond)
    })

    it('returns all segments of the customer', async () => {
      expect(await fetchSegments()).toEqual({ result: 'found', segments: conformance.segments })
    })

    it('returns none for a customer that the system does not know', async () => {
      expect(await fetchSegments(stranger)).toEqual({
        result: 'found',
        segments: conformance.unknownCustomerSegments ?? [],
      })
    })

    it('makes no call for a customer without any identifier', async () => {
      expect(await fetchSegments(nobody)).toMatchObject({ result: 'skipped' })
      expect(server.requests).toEqual([])
    })

    it('rejects a wrong key and a key without the right', async () => {
      const rejected = { result: 'rejected', key: 'partner_key_missing_permissions' }
      expect(await fetchSegments(customer, wrongCredentials)).toMatchObject(rejected)
      expect(await fetchSegments(customer, limitedCredentials)).toMatchObject(rejected)
    })

    it('is postponed by the Retry-After of a rate limit', async () => {
      server.fail('rateLimited')
      const { retryAfterMs } = conformance
      expect(await fetchSegments()).toMatchObject({ result: 'failed', key: 'bad_gateway', retryAfterMs })
    })

    it('fails on a server error or a response that is not JSON, and succeeds when it is retried', async () => {
      server.fail('serverError')
      expect(await fetchSegments()).toMatchObject({ result: 'failed', key: 'bad_gateway' })
      server.fail('malformed')
      expect(await fetchSegments()).toMatchObject({ result: 'failed', key: 'bad_gateway' })
    })
  })
}

function findSecrets(credentials: Credentials, outcome: unknown): string[] {
  const text = JSON.stringify(outcome)
  const { client_id: _, username: __, ...secret } = credentials as Record<string, string | null> // all are strings or null
  const basic = 'username' in credentials ? [`${credentials.username}:${credentials.password}`] : []
  const client = 'client_id' in credentials ? [`${credentials.client_id}:${credentials.client_secret}`] : []
  const encoded = [...basic, ...client].map((pair) => Buffer.from(pair).toString('base64'))
  return [...Object.values(secret), ...encoded].filter((value) => value !== null && text.includes(value)) as string[] // nulls were removed
}
