import { type MailSample, sampleView } from '../../src/messages/customer-mail/samples.ts'
import type { MailView } from '../../src/messages/customer-mail/view.ts'

export const mailShop: MailView['shop'] = {
  name: 'River & Pine',
  url: 'https://shop.example/',
  logoUrl: 'https://shop.example/logo.png',
  palette: { primary_dark: '#24523F', primary_light: '#E2EFE8' },
  contactEmail: 'hello@shop.example',
  contactPhone: '+49 30 1234567',
  faqUrl: 'https://shop.example/faq',
  serviceUrl: null,
  footer: 'River & Pine GmbH, Lindenstraße 1, 10969 Berlin',
}

export const mailPromotion: NonNullable<MailView['promotion']> = {
  campaign: {
    title: 'Warm feet all winter',
    text: 'Two pairs of wool socks for the price of one.',
    imageUrl: 'https://shop.example/socks.webp',
    ctaLabel: 'To the socks',
    ctaUrl: 'https://shop.example/socks',
    discountCode: 'SOCKS2',
    products: [],
  },
  deals: [
    {
      title: 'Free tea with your next order',
      text: 'From our neighbours at Leaf & Pot.',
      imageUrl: 'https://shop.example/tea.webp',
      url: 'https://tea.example/',
      code: 'TEA',
    },
  ],
  announcements: [{ title: '', text: 'Parcels take a day longer before the holidays.', url: null }],
  unsubscribeUrl: 'https://doorstep.example/unsubscribe/1',
}

/** A message about a made-up order, with pictures. */
export function mailOf(
  group: string,
  { sample = 'usual', language = 'en', ...fields }: Partial<MailView> & { sample?: MailSample } = {},
): MailView {
  const view = sampleView(sample, { group, language, shop: mailShop })
  const products = view.products.map((product, index) =>
    index === 0 && sample !== 'bare' ? { ...product, imageUrl: 'https://shop.example/jacket.webp' } : product,
  )
  return { ...view, products, ...fields }
}
