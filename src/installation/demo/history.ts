import { aroundTheClock, type DemoOrder, dhl, newsletter, search, vip, welcome } from './order.ts'
import { line } from './products.ts'

/**
 * The orders up to the ninth working day before today, oldest first. Delivery windows are learnt from their German DHL
 * parcels: twenty, the minimum.
 */
export const history: readonly DemoOrder[] = [
  {
    customer: 'anna',
    lines: [line('tarn', 'Moss / M'), line('larch', 'Grey / 39–42', 2)],
    parcels: [dhl('00340434161056353448', 23, 'delivered')],
    analytics: search,
    ...vip,
  },
  {
    customer: 'jonas',
    lines: [line('fell', 'Pine / L')],
    parcels: [dhl('00340434161062658391', 23, 'delivered', { arrival: 2 })],
  },
  {
    customer: 'lukas',
    lines: [line('ridge', 'Olive / 42'), line('heath', 'Green check / L')],
    parcels: [
      dhl('00340434161002812647', 22, 'delivered', { lines: [0] }),
      dhl('00340434161055971285', 21, 'delivered', { arrival: 2, lines: [1] }),
    ],
    discount: welcome,
  },
  {
    customer: 'miriam',
    lines: [line('brook', 'Rust / M', 2)],
    parcels: [dhl('00340434161084002110', 21, 'delivered')],
    analytics: newsletter,
  },
  {
    customer: 'sophie',
    lines: [line('cairn', 'Pine / S'), line('juniper', 'Oat'), line('bracken', 'Black / 8')],
    parcels: [
      dhl('00340434161056440933', 20, 'delivered', { arrival: 2, lines: [0] }),
      dhl('00340434161015924023', 20, 'delivered', { lines: [1, 2] }),
    ],
    ...vip,
  },
  {
    customer: 'emily',
    lines: [line('larch', 'Grey / 36–38', 3)],
    parcels: [
      { carrier: 'royal-mail', trackingNumber: 'KH959375396GB', sentDaysAgo: 20, journey: 'intoLetterbox', arrival: 5 },
    ],
    analytics: search,
  },
  {
    customer: 'felix',
    lines: [line('delta', 'Black / L')],
    parcels: [dhl('00340434161015714624', 19, 'delivered')],
    sentBack: {
      carrier: 'dhl',
      trackingNumber: '00340434161077379977',
      sentDaysAgo: 13,
      journey: 'received',
      lines: [0],
    },
  },
  {
    customer: 'emil',
    lines: [line('tarn', 'Slate / XL')],
    parcels: [dhl('00340434161060820479', 19, 'delivered', { arrival: 3 })],
    discount: welcome,
  },
  {
    customer: 'camille',
    lines: [line('brook', 'Charcoal / S'), line('juniper', 'Rust')],
    parcels: [{ carrier: 'colissimo', trackingNumber: '6A51971573911', sentDaysAgo: 18, journey: 'delivered' }],
    sentBack: {
      carrier: 'colissimo',
      trackingNumber: '6A04828428801',
      sentDaysAgo: 2,
      journey: 'onItsWayBack',
      lines: [0],
    },
    analytics: newsletter,
    segments: ['newsletter'],
  },
  {
    customer: 'nele',
    lines: [line('otter', 'Orange', 2)],
    parcels: [dhl('00340434161097264642', 18, 'deliveredAtSecondAttempt')],
  },
  {
    customer: 'david',
    lines: [line('heath', 'Red check / L'), line('larch', 'Grey / 43–46')],
    parcels: [
      dhl('00340434161064069157', 17, 'delivered', { lines: [0] }),
      dhl('00340434161078060423', 16, 'delivered', { lines: [1] }),
    ],
  },
  {
    customer: 'noemi',
    lines: [line('cairn', 'Pine / M'), line('fell', 'Oat / M')],
    parcels: [{ carrier: 'swiss-post', trackingNumber: '991738406895567843', sentDaysAgo: 16, journey: 'delivered' }],
    ...vip,
  },
  {
    customer: 'leyla',
    lines: [line('fell', 'Oat / S')],
    parcels: [dhl('00340434161006622020', 16, 'toNeighbour', { pickup: { pickup_point: 'Schneider, second floor' } })],
    segments: ['newsletter'],
  },
  {
    customer: 'oliver',
    lines: [line('tarn', 'Moss / L'), line('delta', 'Black / M')],
    parcels: [{ carrier: 'evri', trackingNumber: 'H00HXK1357734804', sentDaysAgo: 15, journey: 'lost' }],
  },
  {
    customer: 'ida',
    lines: [line('ridge', 'Slate / 36'), line('brook', 'Charcoal / M')],
    parcels: [
      dhl('00340434161066208257', 15, 'delivered', { arrival: 2, lines: [0] }),
      dhl('00340434161064442011', 14, 'delivered', { lines: [1] }),
    ],
    analytics: newsletter,
  },
  {
    customer: 'tobias',
    lines: [line('bracken', 'Olive / 9')],
    parcels: [dhl('00340434161086295978', 14, 'intoLetterbox')],
  },
  {
    customer: 'magdalena',
    lines: [line('ridge', 'Slate / 38')],
    parcels: [
      { carrier: 'austrian-post', trackingNumber: '1082819249395934866866', sentDaysAgo: 13, journey: 'returned' },
    ],
  },
  {
    customer: 'hanna',
    lines: [line('tarn', 'Slate / M')],
    parcels: [dhl('00340434161002203513', 13, 'delivered', { arrival: 2 })],
    analytics: search,
  },
  {
    customer: 'hugo',
    lines: [line('heath', 'Red check / M')],
    parcels: [{ carrier: 'colissimo', trackingNumber: '6A35339526602', sentDaysAgo: 12, journey: 'returnFailed' }],
  },
  {
    customer: 'paul',
    lines: [line('brook', 'Rust / L'), line('juniper', 'Pine')],
    parcels: [dhl('00340434161053508827', 12, 'leftAtDoor')],
    sentBack: {
      carrier: 'dhl',
      trackingNumber: '00340434161079959993',
      sentDaysAgo: 1,
      journey: 'labelMade',
      lines: [1],
    },
  },
  {
    customer: 'grace',
    lines: [line('tarn', 'Moss / S'), line('cairn', 'Rust / L')],
    parcels: [
      { carrier: 'usps', trackingNumber: '9400111317797179177983', sentDaysAgo: 11, journey: 'delivered', arrival: 7 },
    ],
    discount: welcome,
  },
  {
    customer: 'oskar',
    lines: [line('fell', 'Pine / M')],
    parcels: [dhl('00340434161068480071', 11, 'delivered', { arrival: 3 })],
  },
  {
    customer: 'zofia',
    lines: [line('larch', 'Grey / 36–38', 2), line('juniper', 'Oat')],
    parcels: [
      {
        carrier: 'inpost',
        trackingNumber: '623832042024404814891531',
        sentDaysAgo: 10,
        journey: 'collectedFromLocker',
        pickup: { pickup_point: 'Paczkomat KRA045M', pickup_opening_hours: aroundTheClock },
      },
    ],
  },
  {
    customer: 'clara',
    lines: [line('cairn', 'Pine / S')],
    parcels: [dhl('00340434161071360032', 10, 'delivered')],
    ...vip,
  },
]
