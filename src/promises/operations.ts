import { evaluateAllAgain } from '../orders/promises/evaluate-again-store.ts'
import { promiseSettingsOf } from '../orders/promises/settings-cache.ts'
import { readPromiseSettings, writePromiseSettings } from '../orders/promises/settings-store.ts'
import { modelOf } from '../orders/promises/shop-model.ts'
import { defineCache } from '../platform/foundation/caches.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { invalid } from '../platform/foundation/errors.ts'
import { operation, ReplyWithHeaders, WrittenJson } from '../platform/foundation/operation.ts'
import { inTransaction } from '../platform/foundation/transaction.ts'
import { readShopDays } from '../shops/calendar/settings-store.ts'
import { answer } from './answers.ts'
import { DeliveryPromises, limits, PromiseQuery, PromiseSettings, PromiseSettingsUpdate } from './schema.ts'
import { changeSettings } from './settings-rules.ts'
import { type PromiseShop, prepareShop } from './shop-rules.ts'
import { suggestionsFrom, waysOf } from './ways.ts'
import { lastWays } from './ways-store.ts'

export const listDeliveryPromises = operation({
  name: 'listDeliveryPromises',
  summary: 'List delivery promises',
  description:
    'For each shipping method that delivers there: when an order placed now arrives, the share of past parcels that arrived by then, and the number of parcels behind it. Contains no personal data, and may be cached until `valid_until`. A method without journeys to learn from uses the days of its table; without a table there is no promise.',
  area: 'Delivery promises',
  route: 'GET /v1/shops/{slug}/delivery-promises',
  needs: 'viewer',
  takesPublicKey: true,
  query: PromiseQuery,
  reply: DeliveryPromises,
  async handle(context, { query }) {
    const shop = await promiseShopOf(context)
    const known = { model: await modelOf(context, context.shop.id), ways: await waysOf(context) }
    const country = query.country_code.toUpperCase()
    const zip = query.zip_code?.trim() || null
    const classes = classesOf(shop, query)
    const language = query.language ?? context.shop.language
    const region = zip === null ? null : zip.slice(0, 2).toUpperCase()
    const { json, etag } = answer(context, shop, known, { country, zip, region, classes, language })
    return new ReplyWithHeaders(new WrittenJson<DeliveryPromises>(json), {
      etag,
      'cache-control': cacheControl(context),
    })
  },
})

export const getPromiseSettings = operation({
  name: 'getPromiseSettings',
  summary: 'Get the settings of delivery promises',
  area: 'Delivery promises',
  route: 'GET /v1/shops/{slug}/delivery-promises/settings',
  needs: 'viewer',
  reply: PromiseSettings,
  handle: (context) => presentSettings(context),
})

export const updatePromiseSettings = operation({
  name: 'updatePromiseSettings',
  summary: 'Change the settings of delivery promises',
  description: 'Changes what is given. A list is replaced as a whole.',
  area: 'Delivery promises',
  route: 'PATCH /v1/shops/{slug}/delivery-promises/settings',
  needs: 'admin',
  body: PromiseSettingsUpdate,
  reply: PromiseSettings,
  errors: ['carrier_reference_invalid'],
  audit: {
    kind: 'settings',
    id: () => 'delivery-promises',
    read: (context) => readPromiseSettings(context, context.shop.id),
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const before = await readPromiseSettings(context, context.shop.id, { isLocked: true })
      const settings = changeSettings(before, body)
      await writePromiseSettings(context, settings)
      if (settings.at_risk_below !== before.at_risk_below) await evaluateAllAgain(context)
      await context.services.announce(context, { kind: 'promise settings', shopId: context.shop.id })
      return presentSettings(context)
    }),
})

async function presentSettings(context: ShopContext): Promise<PromiseSettings> {
  const settings = await readPromiseSettings(context, context.shop.id)
  return { ...settings, suggestions: suggestionsFrom(await lastWays(context)) }
}

/** The same for every caller, but shared caches may only keep what no credentials were needed for. */
function cacheControl({ principal }: ShopContext): string {
  return `${principal.kind === 'nobody' ? 'public' : 'private'}, max-age=60`
}

/** The shipping classes of what is ordered. */
function classesOf(shop: PromiseShop, query: PromiseQuery): Set<string> {
  const classes = new Set<string>()
  const given = query.shipping_class?.trim()
  if (given !== undefined) {
    if (!shop.handlingOfClass.has(given)) {
      throw invalid(['query', 'shipping_class'], "is not one of the shop's shipping classes")
    }
    classes.add(given)
  }
  const products = query.products?.split(',') ?? []
  if (products.length > limits.products) {
    throw invalid(['query', 'products'], `must have at most ${limits.products} products`)
  }
  for (const product of products) for (const name of shop.classesOfProduct.get(product.trim()) ?? []) classes.add(name)
  return classes
}

const shopCache = defineCache<PromiseShop>({
  name: 'shops with promises',
  maxEntries: 500,
  invalidatedBy: {
    'promise settings': ({ shopId }, _shop, key) => key === shopId,
    calendar: ({ shopId }, _shop, key) => key === shopId,
  },
})

/** From memory, until its settings or its calendar change. */
async function promiseShopOf(context: ShopContext): Promise<PromiseShop> {
  const { id } = context.shop
  const cache = context.services.caches.open(shopCache)
  return (
    cache.get(id) ??
    cache.load(context, id, async () =>
      prepareShop(await promiseSettingsOf(context, id), await readShopDays(context, id)),
    )
  )
}
