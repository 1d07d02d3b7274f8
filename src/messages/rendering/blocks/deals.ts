import type { Part, Section } from '../parts.ts'
import { clip, linkOf, type Reading } from '../reading.ts'

/** The shop's deals, as on the tracking page. */
export function dealsBlock({ view, texts, limits }: Reading): Section[] {
  const deals = view.promotion?.deals.slice(0, limits.deals) ?? []
  if (deals.length === 0) return []
  const parts = deals.flatMap((deal): Part[] => {
    const url = linkOf(deal.url)
    const title = clip(deal.title || texts.page.say('offer.label'), limits.title)
    return [
      {
        kind: 'rows',
        rows: [
          {
            title,
            details: clip(deal.text ?? '', limits.text),
            amount: undefined,
            imageUrl: linkOf(deal.imageUrl),
            url,
          },
        ],
      },
      ...(deal.code ? [{ kind: 'code', label: texts.page.say('offer.code'), code: clip(deal.code, 60) } as const] : []),
    ]
  })
  return [{ ground: 'page', parts: [{ kind: 'heading', text: texts.page.say('deals.heading') }, ...parts] }]
}
