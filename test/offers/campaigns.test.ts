import { describe, expect, it } from 'vitest'
import {
  checkPeriod,
  localize,
  promotionTypeOf,
  propertiesOf,
  type Reader,
  statusOf,
} from '../../src/offers/campaigns/rules.ts'
import type { GivenProperties } from '../../src/offers/campaigns/schema.ts'
import { ApiError } from '../../src/platform/foundation/errors.ts'

const day = (date: number) => new Date(Date.UTC(2026, 10, date))
const reader = (acceptLanguage?: string): Reader => ({ acceptLanguage, shop: { language: 'en' } })

function problemOf(check: () => unknown): string {
  try {
    check()
    return 'none'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `${error.key} ${error.problems[0]?.loc.join('.')}`
  }
}

describe('status of a campaign', () => {
  it.each([
    [day(1), 'scheduled'],
    [day(2), 'active'],
    [day(4), 'active'],
    [day(5), 'completed'],
  ])('at %s is %s: its end does not count', (now, status) => {
    expect(statusOf({ start: day(2), end: day(5) }, true, now)).toBe(status)
    expect(statusOf({ start: day(2), end: day(5) }, false, now)).toBe('inactive')
  })

  it('never ends without an end', () => {
    expect(statusOf({ start: day(2), end: null }, true, new Date('2999-01-01'))).toBe('active')
  })

  it('is of a period that ends after it begins', () => {
    expect(problemOf(() => checkPeriod({ start: day(2), end: day(3) }))).toBe('none')
    expect(problemOf(() => checkPeriod({ start: day(2), end: null }))).toBe('none')
    expect(problemOf(() => checkPeriod({ start: day(2), end: day(2) }))).toBe('invalid_payload body.end_date')
    expect(problemOf(() => checkPeriod({ start: day(2), end: day(1) }))).toBe('invalid_payload body.end_date')
  })
})

const socks = { title: 'Socks', product_url: 'https://shop.example/socks', currency: 'EUR' }

describe('type of a campaign', () => {
  it('is a known one, and the error names the field of the request', () => {
    expect(promotionTypeOf('banner')).toBe('banner')
    expect(problemOf(() => promotionTypeOf('Banner'))).toBe('campaign_type_invalid body.promotion_type')
    expect(problemOf(() => promotionTypeOf('constructor', 'campaign_type'))).toBe(
      'campaign_type_invalid body.campaign_type',
    )
  })

  it('decides which properties it has', () => {
    const given: GivenProperties = {
      title: 'Socks',
      image_url: 'https://shop.example/socks.png',
      products: [socks],
    }
    expect(propertiesOf('basic', given)).toEqual({ title: 'Socks', image_url: 'https://shop.example/socks.png' })
    expect(propertiesOf('product', given)).toEqual({ title: 'Socks', products: [socks] })
  })

  it('has one text in each language, in each list of translations', () => {
    const twice = [
      { language: 'de' as const, values: { title: 'Socken' } },
      { language: 'de' as const, values: { title: 'Strümpfe' } },
    ]
    const at = 'body.promotion_properties'
    expect(problemOf(() => propertiesOf('basic', { translations: twice }))).toBe(
      `invalid_payload ${at}.translations.1.language`,
    )
    const products = [socks, { ...socks, translations: twice }]
    expect(problemOf(() => propertiesOf('product', { products }))).toBe(
      `invalid_payload ${at}.products.1.translations.1.language`,
    )
    // Not shown by this type, so not looked at.
    expect(problemOf(() => propertiesOf('banner', { products }))).toBe('none')
  })
})

describe('campaign as a reader sees it', () => {
  const stored = {
    title: 'Socks',
    subtitle: 'Warm',
    cta_url: 'https://shop.example/socks',
    translations: [{ language: 'de', values: { title: 'Socken', cta_label: 'Ansehen' } }],
  }

  it('is translated text by text', () => {
    expect(localize('basic', stored, reader('de-AT'))).toEqual({
      title: 'Socken',
      subtitle: 'Warm',
      cta_label: 'Ansehen',
      cta_url: 'https://shop.example/socks',
      discount_code: null,
      image_url: null,
      translations: stored.translations,
    })
    expect(localize('basic', stored, reader('en, de'))).toMatchObject({ title: 'Socks', cta_label: null })
    expect(localize('basic', stored, reader('fr'))).toMatchObject({ title: 'Socks' })
    expect(localize('basic', stored, reader())).toMatchObject({ title: 'Socks' })
  })

  it('has products instead of an image, each in the language of the reader', () => {
    const products = [
      { ...socks, translations: [{ language: 'de', values: { title: 'Socken' } }] },
      { ...socks, title: null },
    ]
    const shown = localize('product', { ...stored, products }, reader('de'))
    expect(shown).not.toHaveProperty('image_url')
    expect(shown).toMatchObject({ products: [{ title: 'Socken' }, { product_url: socks.product_url, title: null }] })
    expect(localize('product', {}, reader('de'))).toMatchObject({ title: null, products: [], translations: [] })
  })
})
