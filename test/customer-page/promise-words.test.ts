import { describe, expect, it } from 'vitest'
import { promiseOf } from '../../src/customer-page/order/headline.ts'
import type { ShownParcel } from '../../src/customer-view/order-page/parcels.ts'
import type { PagePromise } from '../../src/customer-view/order-page/store.ts'
import { toMailPromise } from '../../src/messages/customer-mail/promise.ts'
import { renderMail } from '../../src/messages/rendering/render.ts'
import { type Language, languages } from '../../src/platform/foundation/languages.ts'
import { mailOf } from '../harness/mails.ts'
import { parcelOf, readingAt } from '../harness/shown-parcels.ts'

const now = new Date('2026-11-17T09:00:00Z')

const reading = (language?: Language) => readingAt(now, language)

const orderWith = (promise: Partial<PagePromise> | null, country_code: string | null = 'DE') => ({
  promise: promise && {
    earliest: '2026-11-18',
    latest: '2026-11-20',
    state: 'open' as const,
    delivered_on: null,
    ...promise,
  },
  country_code,
  nothing_to_send: false,
})

const said = (promise: Partial<PagePromise> | null, parcels = [parcelOf()], when: string | undefined = 'soon') =>
  promiseOf(reading(), orderWith(promise), parcels, { when })

/** Ranges of days have thin spaces. */
const plain = (text: string | undefined) => text?.replaceAll('\u2009', ' ')

const delivered = parcelOf({ phase: 'delivered' })

describe('promise on the page of an order', () => {
  it('is its last day beside the estimate, and the whole window where there is none', () => {
    expect(said({})).toBe('Promised by Friday 20 November.')
    const window = promiseOf(reading(), orderWith({}), [], { when: undefined })
    expect(plain(window)).toBe('Promised: Wednesday 18 November – Friday 20 November.')
    expect(promiseOf(reading(), orderWith({ earliest: null }), [], { when: undefined })).toBe(
      'Promised by Friday 20 November.',
    )
  })

  it('says that it may be later, that it was kept, that it takes longer and that it came later', () => {
    expect(said({ state: 'at_risk' })).toBe('Promised by Friday 20 November. It may arrive a little later.')
    expect(said({ state: 'kept', delivered_on: '2026-11-19' }, [delivered])).toBe(
      'Promised by Friday 20 November and delivered in time.',
    )
    expect(said({ state: 'broken', latest: '2026-11-16' })).toBe(
      'Promised by Monday 16 November. We are sorry that it is taking longer.',
    )
    expect(said({ state: 'broken', latest: '2026-11-13', delivered_on: '2026-11-16' }, [delivered])).toBe(
      'Promised by Friday 13 November. We are sorry that it arrived later.',
    )
  })

  it('is late as soon as its last day is over where the parcel goes to', () => {
    const evening = { ...reading(), now: new Date('2026-11-17T16:00:00Z') }
    const wordsIn = (country: string) =>
      promiseOf(evening, orderWith({ latest: '2026-11-17' }, country), [parcelOf()], { when: 'soon' })
    expect(wordsIn('DE')).toBe('Promised by Tuesday 17 November.')
    expect(wordsIn('JP')).toContain('taking longer')
  })

  it('is not mentioned of what is not promised, waits to be collected, goes back, was cancelled or is not sent at all', () => {
    expect(said(null)).toBeUndefined()
    expect(said({}, [parcelOf({ phase: 'collect' })])).toBeUndefined()
    expect(said({}, [parcelOf({ phase: 'order_cancelled' })])).toBeUndefined()
    expect(said({ state: 'kept' }, [delivered, parcelOf({ isReturn: true })])).toBeUndefined()
    expect(promiseOf(reading(), { ...orderWith({}), nothing_to_send: true }, [], { when: undefined })).toBeUndefined()
  })

  it('is about all parcels: one that has arrived does not keep it', () => {
    expect(said({ state: 'at_risk' }, [delivered, parcelOf({ id: '2' })])).toContain('may arrive a little later')
  })

  it.each(languages)('has its day in every sentence in %s', (language) => {
    const sentences = (['open', 'at_risk', 'kept', 'broken'] as const).map((state) => {
      const parcels = state === 'kept' ? [delivered] : [parcelOf()]
      return promiseOf(reading(language), orderWith({ state }), parcels, { when: 'soon' }) ?? ''
    })
    for (const sentence of sentences) expect(sentence).toContain('20')
    expect(new Set(sentences).size).toBe(4)
  })
})

describe('promise in a message', () => {
  const mailIn = (
    promise: Partial<PagePromise> | null,
    fields: { language?: Language; parcels?: ShownParcel[] } = {},
  ) => {
    const { language = 'en', parcels = [parcelOf()] } = fields
    const view = mailOf('shipment_in_transit', { language })
    return renderMail({ ...view, promise: toMailPromise({ language, now }, orderWith(promise), parcels, parcels[0]) })
  }

  it('stands beside the expected delivery, which stays', () => {
    const without = mailIn(null)
    const mail = mailIn({})
    for (const part of [mail.html, mail.text]) expect(part).toContain('Promised by Friday 20 November.')
    expect(plain(mail.text)).toContain('Tuesday 17 November – Thursday 19 November')
    expect(mail.text.replace('Promised by Friday 20 November.\n\n', '')).toBe(without.text)
    expect(without.text).not.toContain('Promised')
  })

  it('is shown as a window where nothing is expected yet', () => {
    const bare = mailOf('shipment_pre_transit', { sample: 'bare' })
    expect(renderMail(bare).text).not.toContain('Promised')
    const promise = toMailPromise({ language: 'en', now }, orderWith({}), [], undefined)
    const { text } = renderMail({ ...bare, promise })
    expect(text).toContain('Promised delivery')
    expect(plain(text)).toContain('Wednesday 18 November – Friday 20 November')
  })

  it('apologises when it is over, and says nothing of a parcel that has arrived', () => {
    expect(mailIn({ latest: '2026-11-16', state: 'broken' }).text).toContain('We are sorry that it is taking longer.')
    expect(mailIn({ state: 'at_risk' }).text).toContain('It may arrive a little later.')
    const arrived = [{ ...delivered, id: '1' }, parcelOf({ id: '2' })]
    expect(mailIn({}, { parcels: arrived }).text).not.toContain('Promised')
  })

  it.each(languages)('is in the words of the page in %s', (language) => {
    const page = promiseOf(reading(language), orderWith({}), [parcelOf()], { when: 'soon' }) ?? 'nothing'
    expect(mailIn({}, { language }).text).toContain(page)
  })
})
