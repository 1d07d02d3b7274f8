import { type TextKey, t } from '../../../texts/texts.ts'
import type { Typed } from './typed.ts'

const lists = ['warehouses', 'shipping_classes', 'methods'] as const

const fields: Record<string, TextKey> = {
  name: 'promises.name',
  country_code: 'promises.country',
  timezone: 'promises.timezone',
  cut_offs: 'promises.cut_offs',
  handling_days: 'promises.handling_days',
  closed_days: 'promises.closed_days',
  products: 'promises.products',
  warehouse: 'promises.warehouse',
  carrier_reference: 'promises.carrier',
  service: 'promises.service',
  countries: 'promises.countries',
  shipping_classes: 'promises.only_classes',
  table_days: 'promises.table',
}

/** The fields that were rejected, in words: "Leipzig, Time zone". */
export function labelsOf(value: Typed, problems: Record<string, string>): Record<string, string> {
  const named = Object.keys(problems).map((path): [string, string] => {
    const [list, index, field = ''] = path.split('.')
    const known = lists.find((name) => name === list)
    const key = fields[field]
    if (known === undefined || key === undefined) return [path, path]
    const name = value[known][Number(index)]?.name || t('promises.unnamed')
    return [path, t('promises.field_of', { name, field: t(key) })]
  })
  return {
    ...Object.fromEntries(named),
    percentile: t('promises.percentile'),
    at_risk_below: t('promises.at_risk_below'),
  }
}
