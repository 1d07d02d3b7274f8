import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeMail } from '../../src/messages/customer-mail/compose.ts'
import { renderMail } from '../../src/messages/rendering/render.ts'
import { EvaluationMemory, evaluateExceptions } from '../../src/tracking/exceptions/evaluate.ts'
import { readable, type SentOrder, scanParcel, sendOrder, visit } from '../harness/pages.ts'
import { moveTo } from '../harness/promises.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

// The first start of a store may take longer than the time limit of a test.
const service = await theService()

const promised_delivery = { earliest: '2026-11-18', latest: '2026-11-20', method: 'Standard' }
const placed = {
  order_placed_at: '2026-11-16T09:00:00Z',
  address: { name: 'Ada Example', zip_code: '10115', country_code: 'DE' },
}

const promise = (
  shop: TestShop,
  trackings: Record<string, unknown>[] = [{ tracking_placed_at: '2026-11-16T15:00:00Z' }],
) => sendOrder(shop, { ...placed, promised_delivery }, trackings)

const heroOf = async ({ path }: SentOrder, language = 'en') => {
  const { text } = await visit(`${path}?lang=${language}`)
  return readable(/<section class="hero">[\s\S]*?<\/section>/.exec(text)?.[0] ?? '')
}

/** Ranges of days have thin spaces. */
const plain = (text: string) => text.replaceAll('\u2009', ' ')

describe('promise on the page of its order', () => {
  beforeAll(() => moveTo('2026-11-17T09:00:00Z'))
  afterAll(() => clock.reset())

  it('is told before anything is sent, beside the estimate afterwards, and once it was kept', async () => {
    const shop = await makeShop()
    const waiting = await promise(shop, [])
    expect(plain(await heroOf(waiting))).toContain('Promised: Wednesday 18 November – Friday 20 November.')
    const sent = await promise(shop)
    const [number = ''] = sent.trackingNumbers
    await scanParcel(shop, number, 'ARRIVED_AT_SORTING_CENTER', '2026-11-17T06:00:00Z')
    const state = stateOf(await visit(sent.path))
    moveTo('2026-11-19T12:00:00Z')
    await scanParcel(shop, number, 'SUCCESSFULLY_DELIVERED', '2026-11-19T10:00:00Z')
    await evaluateExceptions(service.context(), new EvaluationMemory())
    expect(await heroOf(sent)).toContain('Promised by Friday 20 November and delivered in time.')
    expect(await heroOf(sent, 'de')).toContain('Zugesagt bis Freitag, 20. November und rechtzeitig angekommen.')
    // Open pages reload when it changes.
    expect(stateOf(await visit(sent.path))).not.toBe(state)
  })

  it('apologises once its last day has passed, and when the parcel came later', async () => {
    const shop = await makeShop()
    const sent = await promise(shop)
    const [number = ''] = sent.trackingNumbers
    await scanParcel(shop, number, 'ARRIVED_AT_SORTING_CENTER', '2026-11-17T06:00:00Z')
    moveTo('2026-11-21T09:00:00Z')
    expect(await heroOf(sent)).toContain('Promised by Friday 20 November. We are sorry that it is taking longer.')
    await scanParcel(shop, number, 'SUCCESSFULLY_DELIVERED', '2026-11-21T08:00:00Z')
    await evaluateExceptions(service.context(), new EvaluationMemory())
    expect(await heroOf(sent)).toContain('Promised by Friday 20 November. We are sorry that it arrived later.')
  })

  it('lets open pages reload when it is broken, although nothing else has happened', async () => {
    moveTo('2026-11-17T09:00:00Z')
    const shop = await makeShop()
    const sent = await promise(shop)
    const [number = ''] = sent.trackingNumbers
    await scanParcel(shop, number, 'ARRIVED_AT_SORTING_CENTER', '2026-11-17T06:00:00Z')
    await evaluateExceptions(service.context(), new EvaluationMemory())
    const state = stateOf(await visit(sent.path))
    moveTo('2026-11-21T09:00:00Z')
    expect(stateOf(await visit(sent.path))).toBe(state)
    await evaluateExceptions(service.context(), new EvaluationMemory())
    expect(stateOf(await visit(sent.path))).not.toBe(state)
  })

  it('is not invented for an order without one', async () => {
    const shop = await makeShop()
    const sent = await sendOrder(shop, placed)
    expect(await heroOf(sent)).not.toContain('Promised')
  })

  it('is in the messages about its parcels', async () => {
    moveTo('2026-11-23T09:00:00Z')
    const shop = await makeShop({ name: 'River & Pine' })
    const latest = { promised_delivery: { earliest: '2026-11-24', latest: '2026-11-26' } }
    const sent = await sendOrder(shop, { ...placed, ...latest })
    await scanParcel(shop, sent.trackingNumbers[0] ?? '', 'ARRIVED_AT_SORTING_CENTER')
    const context = service.context()
    const shopId = (await call('GET', `/v1/shops/${shop.slug}`)).body.uuid
    const [built] = await context.services.payloads.build(context, [
      {
        source: 'shipments',
        shopId,
        orderId: sent.order.uuid,
        shipmentId: sent.order.trackings[0].id,
        eventName: 'ARRIVED_AT_SORTING_CENTER',
        ref: 'shipments/in_transit/ARRIVED_AT_SORTING_CENTER',
        eventGroup: 'shipment_in_transit',
        additionalGroup: null,
        isOncePerGroup: true,
        eventTime: context.now,
        now: context.now,
      },
    ])
    const view = await composeMail(context, {
      shopId,
      deliveryId: sent.order.uuid,
      eventGroup: 'shipment_in_transit',
      payload: JSON.parse(built?.body ?? ''),
      wantsPromotion: false,
    })
    expect(view?.promise).toMatchObject({ stage: 'open', by: 'Thursday 26 November' })
    expect(view && plain(renderMail(view).text)).toMatch(
      /Promised by Thursday 26 November\.|Tuesday 24 November – Thursday 26 November/,
    )
  })
})

function stateOf({ text }: { text: string }): string | undefined {
  return /data-state="([^"]*)"/.exec(text)?.[1]
}
