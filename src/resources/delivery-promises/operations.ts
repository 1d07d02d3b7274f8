import { operation } from '../../foundation/operation.ts'
import { promiseSettingsOf } from '../../journey/promises/settings-cache.ts'
import { readPromiseSettings } from '../../journey/promises/settings-store.ts'
import { DeliveryPromises, PromiseQuery, PromiseSettings, PromiseSettingsUpdate } from './schema.ts'

export const listDeliveryPromises = operation({
  name: 'listDeliveryPromises',
  summary: 'List delivery promises',
  description:
    'For each shipping method that delivers there: when an order placed now arrives, the share of past parcels that arrived by then, and the number of parcels behind it. Contains no personal data, and may be cached until `valid_until`. A method without journeys to learn from uses the days of its table; without a table there is no promise.',
  area: 'Delivery promises',
  route: 'GET /v1/shops/{slug}/delivery-promises',
  needs: 'viewer',
  query: PromiseQuery,
  reply: DeliveryPromises,
  async handle(context, { query }) {
    const { percentile } = await promiseSettingsOf(context, context.shop.id)
    return {
      generated_at: context.now.toISOString(),
      valid_until: context.now.toISOString(),
      percentile,
      country_code: query.country_code,
      zip_code: query.zip_code ?? null,
      promises: [],
      without_promise: [],
    }
  },
})

export const getPromiseSettings = operation({
  name: 'getPromiseSettings',
  summary: 'Get the settings of delivery promises',
  area: 'Delivery promises',
  route: 'GET /v1/shops/{slug}/delivery-promises/settings',
  needs: 'viewer',
  reply: PromiseSettings,
  async handle(context) {
    return { ...(await readPromiseSettings(context, context.shop.id)), suggestions: [] }
  },
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
  async handle(context) {
    return { ...(await readPromiseSettings(context, context.shop.id)), suggestions: [] }
  },
})
