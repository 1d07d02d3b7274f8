import { aroundTheClock, type DemoOrder, dhl, newsletter, trackingPage, vip, welcome } from './order.ts'
import { line } from './products.ts'

/** A parcel in transit with a predicted delivery window, shown by the welcome text. */
export const showcaseNumber = '00340434161006844262'

/** The orders of the last days, oldest first: in transit, with problems, and not yet shipped. */
export const recent: readonly DemoOrder[] = [
  {
    customer: 'bram',
    lines: [line('otter', 'Slate')],
    parcels: [
      {
        carrier: 'postnl',
        trackingNumber: '3SGFWW680222046',
        sentDaysAgo: 8,
        journey: 'toNeighbour',
        pickup: { pickup_point: 'Bakker, number 303' },
      },
    ],
  },
  {
    customer: 'felix',
    lines: [line('otter', 'Slate', 2)],
    parcels: [dhl('00340434161013355393', 8, 'damaged')],
    analytics: trackingPage,
  },
  {
    customer: 'hanna',
    lines: [line('larch', 'Grey / 39–42')],
    parcels: [dhl('00340434161017362076', 7, 'delivered')],
    analytics: trackingPage,
  },
  {
    customer: 'reto',
    lines: [line('delta', 'Black / L'), line('bracken', 'Black / 9')],
    parcels: [
      { carrier: 'swiss-post', trackingNumber: '992684926428846115', sentDaysAgo: 6, journey: 'heldAtCustoms' },
    ],
  },
  {
    customer: 'stefan',
    lines: [line('heath', 'Green check / L')],
    parcels: [{ carrier: 'dpd', trackingNumber: '01526297737146O', sentDaysAgo: 6, journey: 'refusedAndReturning' }],
  },
  {
    customer: 'emil',
    lines: [line('brook', 'Charcoal / M', 2)],
    parcels: [dhl('00340434161012082610', 6, 'deliveredAtSecondAttempt', { arrival: 3 })],
  },
  {
    customer: 'priya',
    lines: [line('ridge', 'Slate / 38'), line('brook', 'Rust / M')],
    parcels: [{ carrier: 'dpd-uk', trackingNumber: '15424337371980', sentDaysAgo: 5, journey: 'nobodyAtHome' }],
    analytics: newsletter,
    ...vip,
  },
  {
    customer: 'paul',
    lines: [line('juniper', 'Rust', 2)],
    parcels: [dhl('00340434161094604595', 5, 'addressNotFound')],
  },
  {
    customer: 'sanne',
    lines: [line('fell', 'Oat / M')],
    parcels: [
      {
        carrier: 'postnl',
        trackingNumber: '3SKKEF008445717',
        sentDaysAgo: 5,
        journey: 'waitingInShop',
        pickup: {
          pickup_point: 'Boekhandel Van Houten, Ceintuurbaan 62',
          pickup_opening_hours: { monday: '09:00-18:00', saturday: '10:00-17:00' },
        },
      },
    ],
  },
  {
    customer: 'ethan',
    lines: [line('tarn', 'Slate / M')],
    parcels: [{ carrier: 'ups', trackingNumber: '1ZNCY8666853449950', sentDaysAgo: 4, journey: 'inTransit' }],
  },
  {
    customer: 'marek',
    lines: [line('delta', 'Black / M')],
    parcels: [
      {
        carrier: 'inpost',
        trackingNumber: '627313004844215260996679',
        sentDaysAgo: 4,
        journey: 'waitingInLocker',
        pickup: { pickup_point: 'Paczkomat POZ147M', pickup_opening_hours: aroundTheClock },
      },
    ],
  },
  {
    customer: 'astrid',
    lines: [line('cairn', 'Rust / L'), line('bracken', 'Black / 9')],
    parcels: [{ carrier: 'postnord', trackingNumber: '00373284486804843176', sentDaysAgo: 4, journey: 'delayed' }],
  },
  {
    customer: 'nele',
    lines: [line('ridge', 'Olive / 40')],
    parcels: [{ carrier: 'gls', trackingNumber: '979889373583', sentDaysAgo: 3, journey: 'leftAtDoor', arrival: 2 }],
  },
  {
    customer: 'oskar',
    lines: [line('juniper', 'Pine'), line('larch', 'Grey / 43–46')],
    parcels: [
      dhl('00340434161079840062', 3, 'waitingInLocker', {
        pickup: { pickup_point: 'Packstation 147, Limmerstraße 4', pickup_opening_hours: aroundTheClock },
      }),
    ],
  },
  {
    customer: 'elise',
    lines: [line('tarn', 'Moss / M')],
    parcels: [
      { carrier: 'bpost', trackingNumber: '323299706268049131954240', sentDaysAgo: 3, journey: 'outForDelivery' },
    ],
    discount: welcome,
  },
  {
    customer: 'giulia',
    lines: [line('brook', 'Rust / M'), line('heath', 'Red check / M')],
    parcels: [{ carrier: 'poste-italiane', trackingNumber: '1UWFUK5180663', sentDaysAgo: 2, journey: 'inTransit' }],
  },
  {
    customer: 'lucia',
    lines: [line('otter', 'Orange')],
    parcels: [{ carrier: 'correos', trackingNumber: 'PK7E1A9359933739997517M', sentDaysAgo: 2, journey: 'inTransit' }],
  },
  {
    customer: 'lukas',
    lines: [line('tarn', 'Moss / L'), line('delta', 'Black / L')],
    parcels: [
      dhl('00340434161059542641', 2, 'delivered', { lines: [0] }),
      dhl('00340434161033375715', 1, 'delayed', { lines: [1] }),
    ],
  },
  {
    customer: 'david',
    lines: [line('cairn', 'Pine / M')],
    parcels: [
      {
        carrier: 'hermes',
        trackingNumber: 'H1597602069517306204',
        sentDaysAgo: 2,
        journey: 'outForDelivery',
        arrival: 2,
      },
    ],
  },
  {
    customer: 'ida',
    lines: [line('fell', 'Pine / M')],
    parcels: [dhl('00340434161002664888', 1, 'outForDelivery')],
    analytics: trackingPage,
  },
  {
    customer: 'miriam',
    lines: [line('tarn', 'Slate / M'), line('larch', 'Grey / 39–42')],
    parcels: [dhl(showcaseNumber, 1, 'inTransit')],
    analytics: newsletter,
    ...vip,
  },
  {
    customer: 'tobias',
    lines: [line('ridge', 'Olive / 42'), line('bracken', 'Black / 9')],
    parcels: [dhl('00340434161011804640', 1, 'inTransit', { lines: [0] })],
    expectedParcels: 2,
  },
  {
    customer: 'jonas',
    lines: [line('heath', 'Red check / L')],
    parcels: [{ carrier: 'ups', trackingNumber: '1ZNXR9556892222644', sentDaysAgo: 1, journey: 'announced' }],
  },
  {
    customer: 'clara',
    lines: [line('delta', 'Black / M')],
    parcels: [],
    placedHoursAgo: 40,
    priorEvent: { event: 'ORDER_CANCELLED', hoursAgo: 31 },
  },
  {
    customer: 'oliver',
    lines: [line('tarn', 'Moss / L')],
    parcels: [],
    placedHoursAgo: 28,
    priorEvent: { event: 'ORDER_DELAYED', hoursAgo: 6 },
  },
  { customer: 'hanna', lines: [line('card', 'By e-mail')], parcels: [], placedHoursAgo: 26 },
  {
    customer: 'paul',
    lines: [line('juniper', 'Pine')],
    parcels: [],
    placedHoursAgo: 22,
    isHandedOver: true,
  },
  { customer: 'sophie', lines: [line('brook', 'Charcoal / S', 2)], parcels: [], placedHoursAgo: 9, ...vip },
  {
    customer: 'camille',
    lines: [line('cairn', 'Pine / S'), line('ridge', 'Slate / 36')],
    parcels: [],
    placedHoursAgo: 5,
    expectedParcels: 2,
    analytics: trackingPage,
  },
  { customer: 'anna', lines: [line('juniper', 'Oat')], parcels: [], placedHoursAgo: 1, analytics: trackingPage },
]
