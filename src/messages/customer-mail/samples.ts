import type { PickupPlace, ShownParcel } from '../../customer-view/order-page/parcels.ts'
import { sampleProducts } from '../../customer-view/order-page/sample-products.ts'
import { type EventMeaning, eventNames, getMeaning } from '../../platform/catalogue/catalogue.ts'
import { after, dayMs, hourMs } from '../../platform/foundation/clock.ts'
import { formatsFor, money } from '../../platform/foundation/formats.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { findMailGroup, type MailGroup } from './groups.ts'
import { toMailParcel } from './parcels.ts'
import type { MailClaim, MailProduct, MailView } from './view.ts'

/**
 * Made-up orders: a usual one, one in three parcels, one that goes to a parcel shop, one with long names, and one of which
 * little is known.
 */
export const mailSamples = ['usual', 'three_parcels', 'pickup', 'long_names', 'bare'] as const
export type MailSample = (typeof mailSamples)[number]

interface SampleOptions {
  group: string
  language: Language
  shop: MailView['shop']
  /** The time it is sent; a fixed day by default. */
  now?: Date
}

const timeZone = 'Europe/Berlin'
const address = { name: 'Ada Example', street: 'Lindenstraße 12', zip: '10969', city: 'Berlin', country: 'Germany' }

/** A message about a made-up order: what the shop's customers would get for such an event. */
export function sampleView(sample: MailSample, options: SampleOptions): MailView {
  const { group, language, shop, now = new Date('2026-11-16T10:30:00Z') } = options
  const known = findMailGroup(group)
  const isBare = sample === 'bare'
  const reader = { language, shopName: shop.name, now }
  const parcels = sampleParcels(sample, group, known?.about === 'return', now)
  const product = { title: sampleProducts[language], price: money(language, 89.9, 'EUR') }
  return {
    group,
    language,
    shop,
    customer: isBare ? { firstName: null, fullName: null } : { firstName: 'Ada', fullName: 'Ada Example' },
    order: {
      number: '1042',
      name: isBare ? null : '#1042',
      placedOn: formatsFor(language, timeZone).day(after(now, -3 * dayMs)),
      total: isBare ? null : money(language, 94.85, 'EUR'),
      trackingUrl: 'https://shop.example/track/sample',
    },
    promise: null,
    parcels: parcels.map((parcel, index) =>
      toMailParcel(reader, parcel, { isSubject: index === 0, destination: isBare ? null : address }),
    ),
    products: samplesOf(sample, product),
    isOneParcelOnly: false,
    claim: claimOf(known, isBare, product.title, { ...options, now }),
    promotion: null,
    template: null,
  }
}

function samplesOf(sample: MailSample, { title, price }: { title: string; price: string }): MailProduct[] {
  const plain = { variant: null, quantity: 1, imageUrl: null, url: null }
  if (sample === 'bare') return [{ ...plain, title, price: null }]
  const usual = [{ ...plain, title, price, variant: 'M' }]
  if (sample !== 'long_names') return usual
  return [
    {
      ...plain,
      title: `${title} «Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft» – ${title}, ${title}`,
      variant: 'XXL / Aubergine-Anthrazit-Mitternachtsblau · Wasserabweisungsbeschichtung: PFAS-frei',
      quantity: 12,
      price,
    },
    ...usual,
  ]
}

/** The event that stands for a group, if not its first in the catalogue. */
const typical: Record<string, string> = {
  shipment_pre_transit: 'PARCEL_DATA_SUBMITTED_TO_CARRIER',
  shipment_in_transit: 'ARRIVED_AT_SORTING_CENTER',
  shipment_carrier_delay: 'DELAY_IN_TRANSPORT',
  shipment_delivered_to_parcel_shop: 'ARRIVED_AT_PARCEL_SHOP',
  shipment_delivery_failed: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME',
  shipment_delivered_all_events: 'SUCCESSFULLY_DELIVERED',
  shipment_delivered: 'SUCCESSFULLY_DELIVERED',
  shipment_failed_returned: 'SHIPMENT_RETURNING_TO_SENDER',
  return_shipment_pre_transit: 'PARCEL_DATA_SUBMITTED_TO_CARRIER',
  return_shipment_in_transit: 'ARRIVED_AT_SORTING_CENTER',
  return_shipment_carrier_delay: 'DELAY_IN_TRANSPORT',
  return_shipment_delivered: 'SUCCESSFULLY_DELIVERED',
}

function meaningFor(group: string): EventMeaning {
  const isOfGroup = (name: string) => {
    const meaning = getMeaning(name)
    return meaning.group === group || meaning.returnGroup === group
  }
  return getMeaning(typical[group] ?? eventNames.find(isOfGroup) ?? 'ARRIVED_AT_SORTING_CENTER')
}

function sampleParcels(sample: MailSample, group: string, isReturn: boolean, now: Date): ShownParcel[] {
  const current = meaningFor(group)
  const goesToShop = sample === 'pickup' || (sample !== 'bare' && current.phase === 'collect')
  const first = parcelOf(now, current, { isReturn, isBare: sample === 'bare' })
  const subject = { ...first, pickup: isReturn ? undefined : pickupFor(current, goesToShop, now) }
  if (sample !== 'three_parcels') return [subject]
  return [
    subject,
    parcelOf(now, getMeaning('OUT_FOR_DELIVERY'), { isReturn: false, isBare: false, number: '00340434161094042564' }),
    parcelOf(now, getMeaning('SUCCESSFULLY_DELIVERED'), {
      isReturn: false,
      isBare: false,
      number: '00340434161094042571',
    }),
  ]
}

function parcelOf(
  now: Date,
  { name, phase, flag }: EventMeaning,
  { isReturn, isBare, number = '00340434161094042557' }: { isReturn: boolean; isBare: boolean; number?: string },
): ShownParcel {
  const at = after(now, -2 * hourMs)
  const isSent = !isBare
  return {
    id: number,
    phase,
    flag,
    isReturn,
    isDraft: !isSent,
    isHandedOver: false,
    eventKey: name,
    trackingNumber: isSent ? number : null,
    carrierName: isSent ? 'DHL' : undefined,
    carrierLink: isSent
      ? `https://www.dhl.de/en/privatkunden/dhl-sendungsverfolgung.html?piececode=${number}`
      : undefined,
    products: undefined,
    expected: isBare ? undefined : expectedOf(now, phase),
    pickup: undefined,
    timeZone,
    events: [{ event_key: name, event_time: at.toISOString(), timezone: null, location: null, additional_info: null }],
    deliveredAt: phase === 'delivered' ? at : undefined,
    proof: undefined,
  }
}

/** The hours of today that the driver has named, or the days that a carrier needs. */
function expectedOf(now: Date, phase: ShownParcel['phase']): ShownParcel['expected'] {
  return phase === 'in_delivery'
    ? { from: after(now, hourMs), to: after(now, 3 * hourMs), isFromCarrier: true }
    : { from: after(now, dayMs), to: after(now, 3 * dayMs), isFromCarrier: false }
}

function pickupFor(meaning: EventMeaning, goesToShop: boolean, now: Date): PickupPlace | undefined {
  if (!goesToShop) return undefined
  const isLocker = meaning.group === 'shipment_delivered_to_parcel_locker'
  return {
    type: isLocker ? 'locker' : 'shop',
    name: isLocker ? 'Packstation 145' : 'Späti am Park',
    lines: ['Parkweg 3', '10969 Berlin'],
    link: undefined,
    hours: isLocker
      ? []
      : [
          ['monday', '08:00 – 20:00'],
          ['tuesday', '08:00 – 20:00'],
          ['saturday', '09:00 – 18:00'],
        ],
    until: after(now, 7 * dayMs),
  }
}

function claimOf(
  group: MailGroup | undefined,
  isBare: boolean,
  title: string,
  { language, shop, now }: SampleOptions & { now: Date },
): MailClaim | null {
  if (group?.about !== 'claim' && group?.about !== 'withdrawal') return null
  const isDecided = group.name === 'claim_updated'
  const isWithdrawal = group.about === 'withdrawal'
  const time = formatsFor(language, timeZone)
  return {
    kind: group.about,
    number: '8F3A21C7',
    reason: isWithdrawal ? 'return' : 'damage',
    status: isDecided ? 'accepted' : 'pending',
    statusKey: isDecided ? 'accepted.next.refund' : 'pending.next',
    reply:
      isDecided && !isBare ? `Hello Ada,\nthank you for the photos. Your money is on its way.\n${shop.name}` : null,
    items: isBare ? [] : [{ title, quantity: 1 }],
    receivedAt: `${time.day(now)}, ${time.time(now)}`,
    statement:
      isWithdrawal && !isBare ? `I withdraw from the contract about order 1042 with ${shop.name}.\nAda Example` : null,
  }
}
