import { findMailGroup } from '../customer-mail/groups.ts'
import { type MailBlock, type MailView, mailBlocks, type RenderedMail } from '../customer-mail/view.ts'
import { campaignBlock } from './blocks/campaign.ts'
import { claimBlock } from './blocks/claim.ts'
import { dealsBlock } from './blocks/deals.ts'
import { helpBlock } from './blocks/help.ts'
import { pickupBlock } from './blocks/pickup.ts'
import { productsBlock } from './blocks/products.ts'
import { statusBlock } from './blocks/status.ts'
import { windowBlock } from './blocks/window.ts'
import { mailColors } from './colors.ts'
import { wordsOf } from './group-words.ts'
import { renderHtml } from './layout.ts'
import { parcelMarkup } from './markup.ts'
import type { Limits, Section } from './parts.ts'
import type { Reading } from './reading.ts'
import { renderText } from './text.ts'
import { mailTexts } from './texts.ts'

/** Gmail cuts what is longer than 102 KB; we stay well below. */
export const maxHtmlBytes = 60_000

/** Tried in this order until the message is small enough. */
const limits: readonly Limits[] = [
  { products: 8, parcels: 10, deals: 4, title: 140, text: 1_000 },
  { products: 4, parcels: 5, deals: 2, title: 80, text: 400 },
  { products: 2, parcels: 3, deals: 1, title: 40, text: 150 },
]

const blocks: Record<MailBlock, (reading: Reading) => Section[]> = {
  status: statusBlock,
  pickup: pickupBlock,
  window: windowBlock,
  products: productsBlock,
  claim: claimBlock,
  campaign: campaignBlock,
  deals: dealsBlock,
  help: helpBlock,
}

/** Lays out a message to a customer. */
export function renderMail(view: MailView): RenderedMail {
  let rendered = renderWithin(view, limits[0] as Limits) // the list is not empty
  for (const smaller of limits.slice(1)) {
    if (Buffer.byteLength(rendered.html) <= maxHtmlBytes) break
    rendered = renderWithin(view, smaller)
  }
  return rendered
}

function renderWithin(view: MailView, limits: Limits): RenderedMail {
  const texts = mailTexts(view.language)
  const words = wordsOf(view, texts, limits.text * 4)
  const reading = { view, texts, limits }
  const sections = blocksOf(view).flatMap((block) => blocks[block](reading))
  const colors = mailColors(view.shop.palette)
  return {
    subject: words.subject,
    html: renderHtml({ view, texts, words, colors, sections, markup: parcelMarkup(view) }),
    text: renderText({ view, texts, words, sections }),
  }
}

/** The merchant's order, else ours. A receipt without the statement would be none, so it cannot be left out. */
function blocksOf({ group, template }: MailView): MailBlock[] {
  const known = findMailGroup(group)
  const order = template?.blocks ?? known?.blocks ?? mailBlocks
  return [...new Set(known?.about === 'withdrawal' && !order.includes('claim') ? ['claim' as const, ...order] : order)]
}
