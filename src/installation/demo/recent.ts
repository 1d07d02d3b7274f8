import { aroundTheClock, type DemoOrder, dhl, newsletter, parcel, trackingPage, vip, welcome } from './order.ts'
import { line } from './products.ts'

/** A parcel in transit with a predicted delivery window, shown by the welcome text. */
export const showcaseNumber = '00340434161006844262'

/** The orders of the last days, oldest first: in transit, with problems, and not yet shipped. */
export const recent: readonly DemoOrder[] = [
  {
    customer: 'bram',
    lines: [line('otter', 'Slate')],
    parcels: [
      parcel('postnl', '3SGFWW680222046', 8, 'toNeighbour', { pickup: { pickup_point: 'Bakker, number 303' } }),
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
    parcels: [parcel('swiss-post', '992684926428846115', 6, 'heldAtCustoms')],
  },
  {
    customer: 'stefan',
    lines: [line('heath', 'Green check / L')],
    parcels: [parcel('dpd', '01526297737146O', 6, 'refusedAndReturning')],
  },
  {
    customer: 'emil',
    lines: [line('brook', 'Charcoal / M', 2)],
    parcels: [dhl('00340434161012082610', 6, 'deliveredAtSecondAttempt', { arrival: 3 })],
  },
  {
    customer: 'priya',
    lines: [line('ridge', 'Slate / 38'), line('brook', 'Rust / M')],
    parcels: [parcel('dpd-uk', '15424337371980', 5, 'nobodyAtHome')],
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
      parcel('postnl', '3SKKEF008445717', 5, 'waitingInShop', {
        pickup: {
          pickup_point: 'Boekhandel Van Houten, Ceintuurbaan 62',
          pickup_opening_hours: { monday: '09:00-18:00', saturday: '10:00-17:00' },
        },
      }),
    ],
  },
  {
    customer: 'ethan',
    lines: [line('tarn', 'Slate / M')],
    parcels: [parcel('ups', '1ZNCY8666853449950', 4, 'inTransit')],
  },
  {
    customer: 'marek',
    lines: [line('delta', 'Black / M')],
    parcels: [
      parcel('inpost', '627313004844215260996679', 4, 'waitingInLocker', {
        pickup: { pickup_point: 'Paczkomat POZ147M', pickup_opening_hours: aroundTheClock },
      }),
    ],
  },
  {
    customer: 'astrid',
    lines: [line('cairn', 'Rust / L'), line('bracken', 'Black / 9')],
    parcels: [parcel('postnord', '00373284486804843176', 4, 'delayed')],
  },
  {
    customer: 'nele',
    lines: [line('ridge', 'Olive / 40')],
    parcels: [parcel('gls', '979889373583', 3, 'leftAtDoor', { arrival: 2 })],
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
    parcels: [parcel('bpost', '323299706268049131954240', 3, 'outForDelivery')],
    discount: welcome,
  },
  {
    customer: 'giulia',
    lines: [line('brook', 'Rust / M'), line('heath', 'Red check / M')],
    parcels: [parcel('poste-italiane', '1UWFUK5180663', 2, 'inTransit')],
  },
  {
    customer: 'lucia',
    lines: [line('otter', 'Orange')],
    parcels: [parcel('correos', 'PK7E1A9359933739997517M', 2, 'inTransit')],
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
    parcels: [parcel('hermes', 'H1597602069517306204', 2, 'outForDelivery', { arrival: 2 })],
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
    parcels: [parcel('ups', '1ZNXR9556892222644', 1, 'announced')],
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
