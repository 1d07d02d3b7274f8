import { describe, expect, it } from 'vitest'
import { composeMail, type MailToCompose } from '../../src/messages/customer-mail/compose.ts'
import type { MailView } from '../../src/messages/customer-mail/view.ts'
import { renderMail } from '../../src/messages/rendering/render.ts'
import { findShopById } from '../../src/shops/shops/find-by-id.ts'
import { samplePayload } from '../../src/webhooks/payloads/sample.ts'
import { createCampaign } from '../harness/campaigns.ts'
import { readable, type SentOrder, scanParcel, sendOrder, visit } from '../harness/pages.ts'
import { call, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

// The first start of a store may take longer than the time limit of a test.
const service = await theService()

async function shopIdOf(shop: TestShop): Promise<string> {
  return (await call('GET', `/v1/shops/${shop.slug}`)).body.uuid
}

/** The payload that an event of this parcel would have now. */
async function payloadOf(
  shop: TestShop,
  { order }: SentOrder,
  {
    eventName,
    eventGroup,
    parcel = 0,
    claimId,
  }: { eventName: string; eventGroup: string; parcel?: number; claimId?: string },
): Promise<Pick<MailToCompose, 'shopId' | 'deliveryId' | 'eventGroup' | 'payload'>> {
  const context = service.context()
  const shopId = await shopIdOf(shop)
  const [built] = await context.services.payloads.build(context, [
    {
      source: claimId === undefined ? 'shipments' : 'claims',
      shopId,
      orderId: order.uuid,
      shipmentId: order.trackings[parcel].id,
      ...(claimId === undefined ? {} : { claimId }),
      eventName,
      ref: 'shipments/in_delivery/OUT_FOR_DELIVERY',
      eventGroup,
      additionalGroup: null,
      isOncePerGroup: true,
      eventTime: context.now,
      now: context.now,
    },
  ])
  return { shopId, deliveryId: order.uuid, eventGroup, payload: JSON.parse(built?.body ?? '') }
}

async function compose(mail: Omit<MailToCompose, 'wantsPromotion'>): Promise<MailView> {
  const view = await composeMail(service.context(), { ...mail, wantsPromotion: true })
  if (view === undefined) throw new Error('there is no message')
  return view
}

const outForDelivery = { eventName: 'OUT_FOR_DELIVERY', eventGroup: 'shipment_out_for_delivery' }

describe('message about an order', () => {
  it('shows the shop, the customer, the parcel, the products and the link to the tracking page', async () => {
    const shop = await makeShop({
      name: 'River & Pine',
      contact_email: 'hello@shop.example',
      shop_url: 'https://shop.example',
      logo_url: 'https://shop.example/logo.png',
    })
    const sent = await sendOrder(shop)
    await scanParcel(shop, sent.trackingNumbers[0] ?? '', 'OUT_FOR_DELIVERY')
    const view = await compose(await payloadOf(shop, sent, outForDelivery))
    expect(view).toMatchObject({
      group: 'shipment_out_for_delivery',
      language: 'en',
      shop: { name: 'River & Pine', contactEmail: 'hello@shop.example', logoUrl: 'https://shop.example/logo.png' },
      customer: { firstName: 'Ada', fullName: 'Ada Example' },
      order: { number: sent.order.order_number, total: '€94.85' },
      parcels: [{ isSubject: true, carrier: 'DHL', trackingNumber: sent.trackingNumbers[0], step: 3 }],
      products: [
        {
          title: 'Rain jacket',
          variant: 'Blue / M',
          price: '€89.90',
          imageUrl: 'https://shop.example/images/rain-jacket.jpg',
        },
        { title: 'Socks', quantity: 2, price: null },
      ],
      promotion: null,
      template: null,
    })
    const { pathname } = new URL(view.order.trackingUrl)
    expect(readable((await visit(pathname)).text)).toContain('out for delivery')
    expect(renderMail(view).text).toContain('Rain jacket')
  })

  it('tells the state of the whole order now, not when the event happened', async () => {
    const shop = await makeShop()
    const products = [{ title: 'Rain jacket', quantity: 1 }]
    const sent = await sendOrder(shop, {}, [{ products }, {}])
    const [first = '', second = ''] = sent.trackingNumbers
    await scanParcel(shop, first, 'OUT_FOR_DELIVERY')
    const payload = await payloadOf(shop, sent, outForDelivery)
    await scanParcel(shop, first, 'SUCCESSFULLY_DELIVERED')
    await scanParcel(shop, second, 'OUT_FOR_DELIVERY')
    const view = await compose(payload)
    expect(view.parcels.map(({ isSubject, step }) => ({ isSubject, step }))).toEqual([
      { isSubject: true, step: 4 },
      { isSubject: false, step: 3 },
    ])
    expect(view.parcels[0]?.expected).toBeNull()
    expect(view.products.map(({ title }) => title)).toEqual(['Rain jacket'])
    expect(view.isOneParcelOnly).toBe(true)
  })

  it('is in the language of the shop, or in the one that a preview asks for', async () => {
    const shop = await makeShop({ language: 'de' })
    const sent = await sendOrder(shop)
    const payload = await payloadOf(shop, sent, outForDelivery)
    expect(await compose(payload)).toMatchObject({ language: 'de', order: { total: '94,85\u00a0€' } })
    expect(await compose({ ...payload, language: 'fr' })).toMatchObject({ language: 'fr' })
  })

  it('follows a change of the shop, which is cached', async () => {
    const shop = await makeShop({ name: 'Before' })
    const sent = await sendOrder(shop)
    const payload = await payloadOf(shop, sent, outForDelivery)
    expect((await compose(payload)).shop.name).toBe('Before')
    expect((await call('PATCH', `/v1/shops/${shop.slug}`, { body: { name: 'After' } })).status).toBe(200)
    expect((await compose(payload)).shop.name).toBe('After')
  })

  it('is not made of a group without a message, or once the shop is gone', async () => {
    const shop = await makeShop()
    const sent = await sendOrder(shop)
    const payload = { ...(await payloadOf(shop, sent, outForDelivery)), wantsPromotion: true }
    const context = service.context()
    expect(await composeMail(context, { ...payload, eventGroup: 'shipment_unheard_of' })).toBeUndefined()
    await call('DELETE', `/v1/shops/${shop.slug}`)
    expect(await composeMail(context, payload)).toBeUndefined()
  })

  it('is not made once the customer is erased', async () => {
    const shop = await makeShop()
    const email_id = `erased-${process.pid}@example.com`
    const sent = await sendOrder(shop, { email_id })
    const payload = await payloadOf(shop, sent, outForDelivery)
    expect((await shop.as('admin').post('/privacy/erase', { email: email_id })).status).toBeLessThan(300)
    expect(await composeMail(service.context(), { ...payload, wantsPromotion: true })).toBeUndefined()
  })

  it('of a test is about a made-up order', async () => {
    const shop = await makeShop({ name: 'River & Pine' })
    const found = await findShopById(service.context(), await shopIdOf(shop))
    if (found === undefined) throw new Error('no shop')
    const { event, payload } = samplePayload({ ...service.context(), shop: found })
    const view = await compose({ shopId: found.id, deliveryId: found.id, eventGroup: event.eventGroup, payload })
    expect(view).toMatchObject({ shop: { name: 'River & Pine' }, customer: { firstName: 'Ada' } })
  })
})

describe('message about a claim', () => {
  it('shows what was reported, and the decision as it is now', async () => {
    const shop = await makeShop()
    const sent = await sendOrder(shop)
    await scanParcel(shop, sent.trackingNumbers[0] ?? '', 'SUCCESSFULLY_DELIVERED')
    const editor = shop.as('editor')
    const claim = {
      shipment_id: sent.order.trackings[0].id,
      reason: 'damage',
      description: 'Torn',
      resolution_preference: 'refund',
    }
    const { body } = await editor.post('/claims', {
      ...claim,
      selected_items: [{ title: 'Rain jacket', quantity: 1 }],
    })
    const event = { eventName: 'CLAIM_CREATED', eventGroup: 'claim_created', claimId: body.uuid }
    const payload = await payloadOf(shop, sent, event)
    const { claim: filed } = await compose(payload)
    expect(filed).toMatchObject({ kind: 'claim', reason: 'damage', status: 'pending', statusKey: 'pending.next' })
    expect(filed?.items).toEqual([{ title: 'Rain jacket', quantity: 1 }])
    await editor.put(`/claims/${body.uuid}`, { status: 'accepted', reply: 'Sorry for that.' })
    const view = await compose({ ...payload, eventGroup: 'claim_updated' })
    expect(view.claim).toMatchObject({
      status: 'accepted',
      statusKey: 'accepted.next.refund',
      reply: 'Sorry for that.',
    })
    const { subject, text } = renderMail(view)
    expect(subject).toContain(sent.order.order_name)
    expect(text).toContain('> Sorry for that.')
    expect(text).toContain('Everything arrived damaged')
  })
})

describe('promotion in a message', () => {
  const properties = {
    title: 'Warme Füße',
    cta_url: 'https://shop.example/socks',
    image_url: 'https://shop.example/socks.jpg',
    discount_code: 'WARM10',
  }

  async function promotingShop(settings: Record<string, boolean>): Promise<TestShop> {
    const shop = await makeShop({ language: 'de' })
    await createCampaign(shop.as('editor'), {
      enabled: true,
      promotion_type: 'basic',
      promotion_properties: properties,
    })
    if ((await shop.as('admin').patch('/settings/mail', settings)).status !== 200) throw new Error('not set')
    return shop
  }

  it('is what the tracking page shows, with the page on which the customer stops it', async () => {
    const shop = await promotingShop({ promotion: true })
    const sent = await sendOrder(shop)
    const payload = await payloadOf(shop, sent, outForDelivery)
    const { promotion } = await compose(payload)
    expect(promotion?.campaign).toMatchObject({
      title: 'Warme Füße',
      ctaUrl: 'https://shop.example/socks',
      imageUrl: 'https://shop.example/socks.jpg',
      discountCode: 'WARM10',
    })
    expect((await visit(new URL(promotion?.unsubscribeUrl ?? '').pathname)).status).toBe(200)
    expect(await composeMail(service.context(), { ...payload, wantsPromotion: false })).toMatchObject({
      promotion: null,
    })
    const failed = { eventName: 'SHIPMENT_LOST', eventGroup: 'shipment_delivery_failed' }
    expect(await compose(await payloadOf(shop, sent, failed))).toMatchObject({ promotion: null })
  })

  it('has links that count clicks only if the shop wants it', async () => {
    const shop = await promotingShop({ promotion: true, click_counting: true })
    const { promotion } = await compose(await payloadOf(shop, await sendOrder(shop), outForDelivery))
    const link = new URL(promotion?.campaign?.ctaUrl ?? '')
    expect(link.href).not.toContain('shop.example/socks')
    expect((await visit(link.pathname)).headers.location).toBe('https://shop.example/socks')
  })

  it('is missing as long as the shop has not allowed it', async () => {
    const shop = await promotingShop({ promotion: false })
    expect(await compose(await payloadOf(shop, await sendOrder(shop), outForDelivery))).toMatchObject({
      promotion: null,
    })
  })
})
