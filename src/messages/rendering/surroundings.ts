import type { MailView } from '../customer-mail/view.ts'
import { footerOf } from './group-words.ts'
import type { Link } from './parts.ts'
import { clip, linkOf } from './reading.ts'
import type { MailTexts } from './texts.ts'

const maxFooter = 2_000

export function orderLine({ order }: MailView, { page }: MailTexts): string {
  return page.say('order.number', { number: clip(order.name ?? order.number, 60) })
}

/** Below the message: why it came, how to get no more offers, and who sent it. */
export function footerLines(view: MailView, { own }: MailTexts): { text: string; link?: Link }[] {
  const { shop, promotion } = view
  const home = linkOf(shop.url)
  const written = footerOf(view)
  const unsubscribe = linkOf(promotion?.unsubscribeUrl)
  return [
    { text: own.say('footer.reason', { shop: shop.name }) },
    ...(unsubscribe === undefined
      ? []
      : [
          {
            text: own.say('footer.unsubscribe_note'),
            link: { label: `${own.say('footer.unsubscribe')}.`, url: unsubscribe },
          },
        ]),
    home === undefined ? { text: shop.name } : { text: '', link: { label: shop.name, url: home } },
    ...(written === undefined ? [] : [{ text: clip(written, maxFooter) }]),
  ]
}
