import { lookupAddress } from '../../orders/page-addresses/hide-tokens.ts'
import { countLookup } from '../../orders/page-addresses/lookup-limits.ts'
import { pageAddress } from '../../orders/page-addresses/page-token.ts'
import { findProvenOrder } from '../../orders/page-addresses/store.ts'
import { findPromisedDays } from '../../orders/promises/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { formatTag } from '../../platform/foundation/formats.ts'
import { chooseLanguage, isLanguage, type Language } from '../../platform/foundation/languages.ts'
import { operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { giveBackAttempts } from '../../platform/store/attempts.ts'
import { promiseWords } from '../../promises/words.ts'
import { type Scheme, schemesOf } from '../../shops/settings/color-scheme.ts'
import { getSettings } from '../../shops/settings/store.ts'
import { parseDomain, reservedSpace } from './rules.ts'
import {
  Embedding,
  EmbeddingUpdate,
  LookedUpOrder,
  type WidgetColors,
  WidgetLookup,
  WidgetQuery,
  WidgetSettings,
} from './schema.ts'
import { createEmbedding, findEmbedding, putDomains, replacePublicKey } from './store.ts'
import { describeOrder, promisedText, widgetTexts } from './words.ts'

const audited = {
  kind: 'settings',
  id: () => 'embedding',
  read: async (context: ShopContext) =>
    (await findEmbedding(context, context.shop.id)) ?? { public_key: null, domains: [] },
}

export const getEmbedding = operation({
  name: 'getEmbedding',
  summary: 'Get what the shop embeds in its own site',
  description: 'The public key is made when it is first asked for.',
  area: 'Embedding',
  route: 'GET /v1/shops/{slug}/embedding',
  needs: 'viewer',
  reply: Embedding,
  handle: (context) => present(context),
})

export const updateEmbedding = operation({
  name: 'updateEmbedding',
  summary: "Change the domains of the shop's own site",
  area: 'Embedding',
  route: 'PATCH /v1/shops/{slug}/embedding',
  needs: 'admin',
  body: EmbeddingUpdate,
  reply: Embedding,
  audit: audited,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await createEmbedding(context, context.shop.id)
      if (body.domains) await putDomains(context, context.shop.id, readDomains(body.domains))
      await context.services.announce(context, { kind: 'embedding', shopId: context.shop.id })
      return present(context)
    }),
})

export const rotatePublicKey = operation({
  name: 'rotatePublicKey',
  summary: 'Replace the public key',
  description:
    'The old one stops working at once: components with it show their fallback until the page has the new one.',
  area: 'Embedding',
  route: 'POST /v1/shops/{slug}/embedding/rotate-key',
  needs: 'admin',
  reply: Embedding,
  audit: { ...audited, isAct: true },
  handle: (context) =>
    inTransaction(context, async (context) => {
      await replacePublicKey(context, context.shop.id)
      await context.services.announce(context, { kind: 'embedding', shopId: context.shop.id })
      return present(context)
    }),
})

export const getWidgetSettings = operation({
  name: 'getWidgetSettings',
  summary: 'Get the words and colours of the components',
  description: 'In one of the 16 languages, and in the colours of the shop, for light and dark pages.',
  area: 'Embedding',
  route: 'GET /v1/shops/{slug}/embedding/widgets',
  needs: 'viewer',
  takesPublicKey: true,
  query: WidgetQuery,
  reply: WidgetSettings,
  async handle(context, { query }) {
    const language = languageFor(context, query.language)
    const { palette } = await getSettings(context, context.shop.id)
    const { light, dark } = schemesOf(palette)
    return new ReplyWithHeaders(
      {
        language,
        language_tag: formatTag(language),
        texts: widgetTexts(language),
        colors: { light: colorsOf(light), dark: colorsOf(dark) },
      },
      { 'cache-control': 'public, max-age=300' },
    )
  },
})

export const lookUpFromWidget = operation({
  name: 'lookUpFromWidget',
  summary: 'Look up an order as its customer',
  description:
    'With the order number and the zip code or e-mail address of the order. Attempts are limited as on the look-up page, by address and by order; an e-mail address passes when the zip codes tried for an order are used up. The same error for a wrong number and a wrong zip code.',
  area: 'Embedding',
  route: 'POST /v1/shops/{slug}/embedding/lookup',
  needs: 'viewer',
  takesPublicKey: true,
  body: WidgetLookup,
  reply: LookedUpOrder,
  errors: ['order_not_found', 'rate_limited'],
  audit: { none: 'It changes nothing.' },
  async handle(context, { body }) {
    const given = { number: body.order_number.trim(), proof: body.email_or_zip.trim() }
    const counted = await countLookup(context, { clientAddress: context.client?.address ?? '', ...given })
    if (counted.waitSeconds > 0) {
      const further = counted.takesEmail ? ' The e-mail address of the order is accepted at once.' : ''
      throw new ApiError('rate_limited', `Too many attempts. Try again in ${counted.waitSeconds} s.${further}`, {
        headers: { 'retry-after': String(counted.waitSeconds) },
      })
    }
    const found = await findProvenOrder(context, context.shop.id, given)
    const language = languageFor(context, body.language ?? undefined)
    const described = found && (await describeOrder(context, found.id, language))
    if (found === undefined || described === undefined) {
      throw new ApiError('order_not_found', 'There is no order with this number and this zip code or e-mail address.')
    }
    await giveBackAttempts(context, counted)
    const address = pageAddress(context, context.shop, { orderId: found.id, nonce: found.page_nonce })
    const promise = await promiseOf(context, found.id, language)
    return { ...described, language, promise, page_url: `${address}?lang=${language}` }
  },
})

async function promiseOf(context: ShopContext, orderId: string, language: Language): Promise<string | null> {
  const days = await findPromisedDays(context, context.shop.id, orderId)
  if (days === undefined) return null
  const shown = promiseWords(language).days(days.earliest ?? days.latest, days.latest)
  return promisedText(language, shown)
}

async function present(context: ShopContext): Promise<Embedding> {
  const { publicUrl } = context.services
  const stored = (await findEmbedding(context, context.shop.id)) ?? (await create(context))
  return {
    public_key: stored.public_key,
    domains: stored.domains,
    snippet_url: `${publicUrl}/widgets/doorstep.js`,
    style: reservedSpace,
    page_url: lookupAddress(context, context.shop),
  }
}

/** Nothing could be cached about a shop without a key, except that it has none. */
async function create(context: ShopContext) {
  const made = await createEmbedding(context, context.shop.id)
  await context.services.announce(context, { kind: 'embedding', shopId: context.shop.id })
  return made
}

/** As they are stored: each once, in the order given. */
function readDomains(given: readonly string[]): string[] {
  const domains = given.map((text, index) => {
    const parsed = parseDomain(text)
    if ('problem' in parsed) throw invalid(['body', 'domains', index], parsed.problem)
    return parsed.domain
  })
  return [...new Set(domains)]
}

function languageFor({ shop }: ShopContext, tag: string | undefined): Language {
  return chooseLanguage(tag, isLanguage(shop.language) ? shop.language : 'en')
}

function colorsOf(scheme: Scheme): WidgetColors {
  const { card, ink, soft, accent, onAccent, tint, outline, wrong } = scheme
  return { card, ink, soft, accent, on_accent: onAccent, tint, outline, wrong }
}
