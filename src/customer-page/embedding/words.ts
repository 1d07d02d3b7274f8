import { parcelsOf } from '../../customer-view/order-page/parcels.ts'
import { findCustomerOrder } from '../../customer-view/order-page/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { type Texts, textsIn } from '../../platform/foundation/texts.ts'
import { promiseTemplates } from '../../promises/words.ts'
import { headlineOf, whenOf, wordsFor } from '../order/headline.ts'
import { type TextKey, viewerIn } from '../viewer.ts'
import type { LookedUpOrder, WidgetTexts } from './schema.ts'
import type english from './texts/en.json'

const own = new URL('./texts/', import.meta.url)
const pages = new URL('../../customer-view/texts/page/', import.meta.url)

/** More would not fit where components are shown; the page has them all. */
const maxParcels = 10

/** The texts of components: those of the pages, and a few of their own. */
export function widgetTexts(language: Language): WidgetTexts {
  const { say } = ownTexts(language)
  const page: Texts<TextKey> = textsIn<TextKey>(pages, language)
  return {
    ...promiseTemplates(language),
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
}

/** The text about the promised days. */
export function promisedText(language: Language, days: string): string {
  return ownTexts(language).say('promised', { days })
}

/** A short form of the order's page; undefined if the order is gone. */
export async function describeOrder(
  context: ShopContext,
  orderId: string,
  language: Language,
): Promise<Omit<LookedUpOrder, 'language' | 'page_url' | 'promise'> | undefined> {
  const order = await findCustomerOrder(context, { shopId: context.shop.id, orderId })
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
}

function ownTexts(language: Language): Texts<keyof typeof english> {
  return textsIn<keyof typeof english>(own, language)
}
