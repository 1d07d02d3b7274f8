import { describe, expect, it } from 'vitest'
import type { StoredClaimDetails } from '../../src/claims/claims/rules.ts'
import { erasedClaim, erasedPickup, imageKeysIn } from '../../src/privacy/rules.ts'
import { createImageKey } from '../../src/shops/images/rules.ts'

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
