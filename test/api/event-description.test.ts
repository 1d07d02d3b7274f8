import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hourMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { eventKinds } from '../../src/webhooks/payloads/event-kinds.ts'
import { runJob } from '../harness/deliveries.ts'
import { addFormatsTo, NamedSchemas } from '../harness/json-schemas.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { dayIn, promisedOrder, scan, writeJourneys } from '../harness/promised-orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const names = eventKinds.map(({ name }) => name)

afterEach(() => clock.reset())

describe('/asyncapi.json', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document is read field by field
  let document: any

  beforeAll(async () => {
    const reply = await call('GET', '/asyncapi.json', { auth: null })
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    })
    document = reply.body
  })

  it('is valid AsyncAPI 3', () => {
    const official = new URL('../../node_modules/@asyncapi/specs/schemas/3.0.0-without-$id.json', import.meta.url)
    const ajv = new Ajv({ strict: false, allErrors: true })
    addFormatsTo(ajv)
    const validate = ajv.compile(JSON.parse(readFileSync(official, 'utf8')))
    expect(validate(document) || validate.errors).toBe(true)
  })

  it('has every event, with a payload that refers to what is there', () => {
    expect(names).toHaveLength(162)
    expect(Object.keys(document.channels.webhook.messages)).toEqual(names)
    expect(Object.keys(document.components.messages)).toEqual(names)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => String(path))
    const broken = references.filter(
      (path) => path.split('/').reduce((node, step) => node?.[step], document) === undefined,
    )
    expect(broken).toEqual([])
  })

  it('names this installation and its headers', () => {
    expect(document.info.externalDocs.url).toBe('https://doorstep.example/docs')
    expect(document.components.schemas.WebhookHeaders.required).toContain('Service-Signature')
    expect(document.components.messages.OUT_FOR_DELIVERY).toMatchObject({
      title: 'Your parcel is out for delivery',
      externalDocs: { url: 'https://doorstep.example/schemas/events/OUT_FOR_DELIVERY.json' },
    })
  })
})

describe('JSON Schemas of events', () => {
  const schemas = new Map<string, ValidateFunction>()

  beforeAll(async () => {
    const shared = new Map<string, { definitions: string; named: NamedSchemas }>()
    for (const { name, source } of eventKinds) {
      const { body } = await call('GET', `/schemas/events/${name}.json`, { auth: null })
      expect(body.$id).toBe(`https://doorstep.example/schemas/events/${name}.json`)
      const { $defs, ...schema } = body
      const definitions = JSON.stringify($defs)
      const first = shared.get(source) ?? { definitions, named: new NamedSchemas('#/$defs/', $defs) }
      shared.set(source, first)
      // The definitions that all of them share are compiled once.
      expect(definitions === first.definitions, name).toBe(true)
      const validate = first.named.compile(schema)
      expect(validate(body.examples[0]) || validate.errors, name).toBe(true)
      schemas.set(name, validate)
    }
  })

  it('accept what endpoints receive: an event of every group, a parcel at risk, claims, a trigger and a test', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const made = await makeShop()
    const shop = made.as('admin')
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    await writeJourneys(made)
    const late = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
    await scan(shop, late.trackings[0].uuid, 'PARCEL_DISPATCHED')
    const trackingNumber = uniqueNumber('OUT-')
    const order = await createOrder(shop, {}, [{ tracking_number: trackingNumber, carrier_reference: 'dhl' }])
    const sentBack = uniqueNumber('BACK-')
    const shipment = {
      order_id: order.uuid,
      order_id_type: 'uuid',
      tracking_number: sentBack,
      carrier_reference: 'dhl',
    }
    expect((await shop.post('/shipments', shipment)).status).toBe(200)
    const groups = new Map(eventKinds.flatMap(({ name, groups }) => groups.map((group) => [group, name])))
    for (const [group, event_name] of groups) {
      const id = group.startsWith('return_') ? sentBack : trackingNumber
      if (!event_name.startsWith('CLAIM_') && event_name !== 'SHIPMENT_AT_RISK') {
        await shop.post('/shipment-events', { id, event_name }, { query: { notify: true } })
      }
    }
    const claim = { tracking_number: trackingNumber, reason: 'damage', description: 'The box is open.' }
    const { body: created } = await shop.post('/claims', claim)
    await shop.put(`/claims/${created.uuid}`, { status: 'accepted', reply: 'A new one is on its way.' })
    await shop.post(`/webhooks/${endpoint.uuid}/test`)
    await shop.post('/settings/triggers/webhook/internal-triggers', stuck)
    clock.advance(11 * secondMs)
    await runJob('exceptions')
    clock.advance(49 * hourMs)
    await runJob('internal triggers')
    const payloads = receiver.received.map(({ body }) => body)
    expect(new Set(payloads.map(({ event_group }) => event_group))).toEqual(new Set(groups.keys()))
    expect(payloads.filter(({ test }) => test)).toHaveLength(1)
    for (const payload of payloads) {
      const name = payload.source === 'claims' ? `CLAIM_${payload.event_data.event_name.toUpperCase()}` : undefined
      const validate = schemas.get(name ?? payload.event_data.event_name)
      expect(validate?.(payload) || validate?.errors, payload.ref).toBe(true)
    }
  })

  it('reject what is not the event that they describe', async () => {
    const { body } = await call('GET', '/schemas/events/OUT_FOR_DELIVERY.json', { auth: null })
    const [example] = body.examples
    const ajv = new Ajv2020({ strict: false })
    addFormatsTo(ajv)
    expect(ajv.validate(body, example) || ajv.errors).toBe(true)
    const accepts = (payload: unknown, name = 'OUT_FOR_DELIVERY') => schemas.get(name)?.(payload)
    expect(accepts(example)).toBe(true)
    expect(accepts(example, 'IN_DELIVERY')).toBe(false)
    expect(accepts({ ...example, event_group: 'claim_created' })).toBe(false)
    expect(accepts({ ...example, shop_id: undefined })).toBe(false)
    const { shipment_id: _, ...data } = example.event_data
    expect(accepts({ ...example, event_data: data })).toBe(false)
  })

  it('are listed by one that fits them all', async () => {
    const { body } = await call('GET', '/schemas/events.json', { auth: null })
    expect(body.oneOf).toEqual(names.map((name) => ({ $ref: `https://doorstep.example/schemas/events/${name}.json` })))
  })

  it('are there for known events only', async () => {
    for (const name of ['NO_SUCH_EVENT.json', 'constructor', 'OUT_FOR_DELIVERY', '%2e%2e']) {
      expect((await call('GET', `/schemas/events/${name}`, { auth: null })).status, name).toBe(404)
    }
  })
})

const stuck = {
  name: 'Stuck',
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: 48,
}
