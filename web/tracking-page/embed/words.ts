import { type Texts, textsIn } from '../../../src/foundation/texts.ts'
import type { WidgetWords } from '../../../src/resources/embedding/describe.ts'
import { parcelsOf } from '../../../src/resources/order-page/parcels.ts'
import { findMailOrder } from '../../../src/resources/order-page/store.ts'
import { headlineOf, whenOf, wordsFor } from '../order/headline.ts'
import { type TextKey, viewerIn } from '../viewer.ts'
import type english from './texts/en.json'

const own = new URL('./texts/', import.meta.url)
const pages = new URL('../texts/', import.meta.url)

/** More would not fit where components are shown; the page has them all. */
const maxParcels = 10

/** What components say: the words of the pages, and a few of their own. */
export const widgetWords: WidgetWords = {
  texts(language) {
    const { say } = textsIn<keyof typeof english>(own, language)
    const page: Texts<TextKey> = textsIn<TextKey>(pages, language)
    return {
      title: page.say('lookup.title'),
      lead: page.say('lookup.lead'),
      number: page.say('lookup.number'),
      proof: page.say('lookup.proof'),
      submit: page.say('lookup.submit'),
      missing_number: page.say('lookup.missing_number'),
      missing_proof: page.say('lookup.missing_proof'),
      not_found: page.say('lookup.not_found'),
      wait: `${page.say('refused.wait.lead')} ${page.say('lookup.wait_zip')}`,
      failed: page.say('refused.other.lead'),
      loading: say('loading'),
      open_page: say('open_page'),
      another: say('another'),
    }
  },

  promised: (language, days) => textsIn<keyof typeof english>(own, language).say('promised', { days }),

  async describe(context, orderId, language) {
    const order = await findMailOrder(context, { shopId: context.shop.id, orderId })
    if (order === undefined) return undefined
    const reading = { viewer: viewerIn(context, language), shopName: context.shop.name, now: context.now }
    const parcels = parcelsOf(order)
    const { title, when, lead } = headlineOf(reading, parcels, order)
    return {
      title,
      when: when ?? null,
      text: lead,
      parcels: parcels.slice(0, maxParcels).map((parcel) => {
        const words = wordsFor(reading, parcel)
        return {
          title: words.header_headline,
          when: whenOf(reading, parcel) ?? null,
          text: words.header_title,
          carrier_name: parcel.carrierName ?? null,
          phase: parcel.phase,
          is_return: parcel.isReturn,
          updated_at: parcel.events[0] ? new Date(parcel.events[0].event_time).toISOString() : null,
        }
      }),
    }
  },
}
