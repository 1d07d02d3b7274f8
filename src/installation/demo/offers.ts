import { createAnnouncement } from '../../offers/announcements/operations.ts'
import { createDeal } from '../../offers/deals/operations.ts'
import type { DealCreation } from '../../offers/deals/schema.ts'
import { createDiscount } from '../../offers/discounts/operations.ts'
import type { DiscountCreation } from '../../offers/discounts/schema.ts'
import { listDiscounts } from '../../offers/discounts/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { perform } from './perform.ts'
import { shopUrl } from './shop.ts'

const discounts: readonly DiscountCreation[] = [
  {
    type: 'order',
    code: 'WELCOME10',
    title: '10 % off your next order',
    target_selection: 'all',
    target_type: 'line_item',
    value_type: 'percentage',
    value: 10,
  },
  {
    type: 'product',
    code: 'WARMFEET',
    title: '5 € off wool socks',
    target_selection: 'specific',
    target_type: 'line_item',
    value_type: 'fixed_amount',
    value: 5,
  },
  {
    type: 'shipping',
    code: 'SHIPFREE',
    title: 'Free shipping',
    target_selection: 'all',
    target_type: 'shipping_line',
    value_type: 'percentage',
    value: 100,
  },
]

/** By rank, each with the code of its discount. */
const deals: readonly (Omit<DealCreation, 'discount_id'> & { code: string })[] = [
  {
    code: 'WELCOME10',
    title: '10 % off your next order',
    description: 'Thank you for your order. The next one is a tenth cheaper.',
    cta_url: shopUrl,
    translations: [
      translation(
        'de',
        '10 % auf Ihre nächste Bestellung',
        'Danke für Ihre Bestellung. Die nächste ist ein Zehntel günstiger.',
      ),
      translation(
        'fr',
        '10 % sur votre prochaine commande',
        'Merci pour votre commande. La prochaine vous coûtera un dixième de moins.',
      ),
    ],
  },
  {
    code: 'WARMFEET',
    title: 'Warm feet for less',
    description: 'Our Larch wool socks, 5 € off.',
    cta_url: `${shopUrl}/products/larch`,
    translations: [
      translation('de', 'Warme Füße für weniger', 'Unsere Wollsocken Larch, 5 € günstiger.'),
      translation('fr', 'Les pieds au chaud pour moins', 'Nos chaussettes en laine Larch, 5 € moins chères.'),
    ],
  },
  {
    code: 'SHIPFREE',
    title: 'Free shipping this month',
    description: 'We carry the cost of the next parcel.',
    cta_url: shopUrl,
    translations: [
      translation('de', 'Diesen Monat versandkostenfrei', 'Die Kosten des nächsten Pakets tragen wir.'),
      translation('fr', 'Livraison offerte ce mois-ci', 'Nous prenons en charge les frais du prochain colis.'),
    ],
  },
]

const announcements = [
  { language: 'en', text: 'Carriers are busy these weeks: parcels may take a day longer.' },
  { language: 'de', text: 'Die Zusteller haben viel zu tun: Pakete brauchen zurzeit oft einen Tag länger.' },
]

/** Discounts, their deals, and announcements. */
export async function makeOffers(context: ShopContext): Promise<void> {
  for (const discount of discounts) await perform(context, createDiscount, discount)
  const { items } = await listDiscounts(context, {})
  const idOf = new Map(items.map(({ code, id }) => [code, id]))
  for (const { code, ...deal } of deals) await perform(context, createDeal, { ...deal, discount_id: idOf.get(code) })
  for (const announcement of announcements) await perform(context, createAnnouncement, announcement)
}

function translation(language: string, title: string, description: string) {
  return { language, data: { title, description } }
}
