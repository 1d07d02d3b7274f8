import { describe, expect, it } from 'vitest'
import type { StoredClaimDetails } from '../../src/claims/claims/rules.ts'
import { erasedClaim, erasedPayload, erasedPickup, imageKeysIn } from '../../src/privacy/rules.ts'
import { createImageKey } from '../../src/shops/images/rules.ts'
import type { Payload } from '../../src/webhooks/payloads/payload.ts'

const shopId = '019a0000-7b1e-7cc0-9d3a-ff6f7a1b4c5d'
const otherShopId = '019a0000-7b1e-7cc0-9d3a-ff6f7a1b4c5e'
const key = (imageType: 'claim' | 'signature' | 'product', shop = shopId) => createImageKey(imageType, shop, 'png')
const address = (image: string) => `https://doorstep.example/v1/images/${image}?expires=1&signature=x`

const item = {
  sku: 'RJ-42',
  title: 'Jacket',
  quantity: 1,
  net_price: 9.5,
  line_total: 9,
  image_urls: ['https://a.example/1.png'],
}
const details: StoredClaimDetails = {
  customer_signature_image_url: 'https://a.example/signature.png',
  selected_items: [item],
  damaged_product_items: [item],
  image_urls: ['https://a.example/1.png'],
  optional_image_urls: ['https://a.example/2.png'],
  dropoff_permission: true,
  step_user_input: [{ step_id: 'note', user_input: { input_type: 'text', input_value: 'Ada was not at home' } }],
}

describe('erased claim', () => {
  it('has its goods, and nothing that the customer wrote, photographed or signed', () => {
    const kept = { ...item, image_urls: [] }
    expect(erasedClaim(details)).toEqual({
      customer_signature_image_url: null,
      selected_items: [kept],
      damaged_product_items: [kept],
      image_urls: [],
      optional_image_urls: [],
      dropoff_permission: null,
      step_user_input: null,
    })
  })
})

describe('erased payload', () => {
  const word = 'Morgenstern'
  const url = `https://shop.example/${word}`
  const products = [
    {
      title: 'Mug',
      quantity: 1,
      properties: [{ name: 'Engraving', value: word }],
      bundled_products: [{ title: 'Spoon', quantity: 1, properties: [{ name: 'For', value: word }] }],
    },
  ]
  const withdrawal = { name: word, contact_email: `${word}@example.com`, text: word, is_whole_order: true }
  const claim = {
    uuid: '019a0000-7b1e-7cc0-9d3a-ff6f7a1b4c60',
    reason: 'damage',
    status: 'pending',
    ...details,
    customer_signature_image_url: url,
    selected_items: [{ ...item, image_urls: [url] }],
    damaged_product_items: [{ ...item, image_urls: [url] }],
    image_urls: [url],
    optional_image_urls: [url],
    step_user_input: [{ step_id: 'note', user_input: { input_type: 'text', input_value: word } }],
    description: word,
    reply: word,
    address: { name: word },
    withdrawal,
  }
  const payloadOf = (event_data: Record<string, unknown>) =>
    ({
      source: 'shipments',
      ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
      version: 1,
      triggered_at: '2026-11-09T09:30:00.000Z',
      event_group: 'shipment_delivered',
      event_data,
      context: {
        order: {
          order_number: '7001',
          total_order_price: 89.9,
          email_id: `${word}@example.com`,
          address: { name: word, street: word, country_code: 'DE' },
          products,
          segments: [word],
          external_customer_id: word,
          order_status_url: url,
          preferred_delivery_date: word,
          user_agent: word,
          order_analytics: { source: 'trackpages', landing_url: url },
        },
        customer: { external_id: word, email: word, first_name: word, last_name: word, full_name: word, phone: word },
        shipments: [
          {
            phase: 'delivered',
            products,
            carrier: { tracking_number: 'PE-1', tracking_url: url },
            pickup: { type: 'neighbor', name: word, address: { street: word }, url },
            proof_of_delivery: { received_by: word },
            events: [
              {
                event_key: 'SUCCESSFULLY_DELIVERED',
                location: { street: word, country_code: 'DE' },
                additional_info: { signed_by: word },
              },
            ],
          },
        ],
        claims: [claim],
      },
      shop_slug: 'river-and-pine',
      shop_id: shopId,
    }) as unknown as Payload // the fields that matter here, and the frame

  const ofParcel = payloadOf({ event_name: 'SUCCESSFULLY_DELIVERED', tracking_number: 'PE-1', tracking_url: url })
  const { uuid: claim_id, ...ofTheClaim } = claim
  const ofClaim = payloadOf({ claim_id, kind: 'withdrawal', order_number: '7001', ...ofTheClaim })

  it.each([
    ['a parcel', ofParcel],
    ['a claim', ofClaim],
  ])('of %s says nothing of the customer, and is marked', (_subject, payload) => {
    const erased = erasedPayload(payload)
    expect(JSON.stringify(erased)).not.toContain(word)
    expect(erased.erased).toBe(true)
  })

  it('has what concerns no person, in the same shape', () => {
    const { context, event_data, erased: _erased, ...frame } = erasedPayload(ofParcel)
    const { context: _context, event_data: _data, ...given } = ofParcel
    expect(frame).toEqual(given)
    expect(event_data).toEqual({
      event_name: 'SUCCESSFULLY_DELIVERED',
      tracking_number: 'PE-1',
      tracking_url: null,
    })
    expect(Object.keys(context.order).sort()).toEqual(Object.keys(ofParcel.context.order).sort())
    expect(context).toMatchObject({
      order: {
        order_number: '7001',
        total_order_price: 89.9,
        email_id: null,
        address: { country_code: 'DE' },
        products: [{ title: 'Mug', bundled_products: [{ title: 'Spoon' }] }],
        order_analytics: { source: 'trackpages' },
      },
      customer: { email: null, full_name: null, phone: null },
      shipments: [
        {
          phase: 'delivered',
          carrier: { tracking_number: 'PE-1', tracking_url: null },
          pickup: { type: 'neighbor', name: null },
          proof_of_delivery: null,
          events: [{ event_key: 'SUCCESSFULLY_DELIVERED', location: { country_code: 'DE' }, additional_info: {} }],
        },
      ],
      claims: [
        {
          uuid: claim_id,
          reason: 'damage',
          selected_items: [{ title: 'Jacket', image_urls: [] }],
          withdrawal: { is_whole_order: true, name: null, contact_email: null, text: null },
        },
      ],
    })
    expect(erasedPayload(ofClaim).event_data).toMatchObject({
      claim_id,
      kind: 'withdrawal',
      order_number: '7001',
      description: null,
      reply: null,
      customer_signature_image_url: null,
      image_urls: [],
      optional_image_urls: [],
      selected_items: [{ title: 'Jacket', image_urls: [] }],
      withdrawal: { is_whole_order: true, name: null },
    })
  })

  it('has no variable that is not known to identify nobody', () => {
    const { event_data } = erasedPayload(payloadOf({ event_name: 'DELAYED', gift_message: word, zip_code: word }))
    expect(event_data).toEqual({ event_name: 'DELAYED' })
  })
})

describe('erased pick-up point', () => {
  it('keeps its type only', () => {
    const pickup = {
      type: 'shop',
      name: 'Kiosk',
      address: { city: 'Berlin' },
      url: 'https://a.example',
      date_to: '2026-11-09',
    }
    expect(erasedPickup(pickup)).toEqual({
      type: 'shop',
      name: null,
      address: null,
      url: null,
      opening_hours: null,
      date_to: null,
    })
    expect(erasedPickup(null)).toBeNull()
  })
})

describe('images of an erased claim', () => {
  const keysIn = (fields: Partial<StoredClaimDetails>) =>
    imageKeysIn({ ...erasedClaim(details), selected_items: [], damaged_product_items: [], ...fields }, shopId)

  it('are found wherever the claim has them, each once', () => {
    const [photo, other, signature, damage, selected] = [
      key('claim'),
      key('claim'),
      key('signature'),
      key('claim'),
      key('claim'),
    ]
    const found = keysIn({
      image_urls: [address(photo), address(photo)],
      optional_image_urls: [address(other)],
      customer_signature_image_url: address(signature),
      damaged_product_items: [{ ...item, image_urls: [address(damage)] }],
      selected_items: [{ ...item, image_urls: [address(selected)] }],
    })
    expect(found.sort()).toEqual([photo, other, signature, damage, selected].sort())
  })

  it('are found under any host that the service ever had', () => {
    const photo = key('claim')
    expect(keysIn({ image_urls: [`http://10.0.0.7:8080/v1/images/${photo}#top`] })).toEqual([photo])
  })

  it('are never those of another shop, nor public ones', () => {
    const foreign = [key('claim', otherShopId), key('product'), 'claim-short.png', '../../etc/passwd']
    expect(keysIn({ image_urls: foreign.map(address) })).toEqual([])
    expect(keysIn({ image_urls: ['https://a.example/1.png'] })).toEqual([])
  })
})
