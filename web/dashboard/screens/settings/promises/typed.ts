import type { Schemas } from 'doorstep-client'
import { t } from '../../../texts/texts.ts'

export type Settings = Schemas['PromiseSettings']
export type Suggestion = Schemas['PromiseSuggestion']
type Warehouse = Schemas['PromiseWarehouse']
type Method = Schemas['PromiseMethod']

/** Monday is 1, Sunday 7. */
export const week = ['1', '2', '3', '4', '5', '6', '7'] as const

/** As it is typed: numbers as text, lists of words separated by commas or lines. */
export interface TypedWarehouse extends Omit<Warehouse, 'handling_days' | 'cut_offs'> {
  handling_days: string
  /** Empty: nothing is handed over on that weekday. */
  cut_offs: Record<string, string>
}

export interface TypedClass {
  name: string
  handling_days: string
  products: string
}

export interface TypedMethod {
  name: string
  warehouse: string
  /** Empty: any. */
  carrier_reference: string
  service: string
  countries: string
  shipping_classes: readonly string[]
  min: string
  max: string
}

export interface Typed {
  percentile: string
  at_risk_below: string
  warehouses: readonly TypedWarehouse[]
  shipping_classes: readonly TypedClass[]
  methods: readonly TypedMethod[]
}

export function toTyped(settings: Settings): Typed {
  return {
    percentile: inPercent(settings.percentile),
    at_risk_below: inPercent(settings.at_risk_below),
    warehouses: settings.warehouses.map((warehouse) => ({
      ...warehouse,
      handling_days: String(warehouse.handling_days),
      cut_offs: Object.fromEntries(week.map((day) => [day, warehouse.cut_offs[day] ?? ''])),
    })),
    shipping_classes: settings.shipping_classes.map(({ name, handling_days, products }) => ({
      name,
      handling_days: String(handling_days),
      products: products.join('\n'),
    })),
    methods: settings.methods.map((method) => ({
      name: method.name,
      warehouse: method.warehouse,
      carrier_reference: method.carrier_reference ?? '',
      service: method.service ?? '',
      countries: (method.countries ?? []).join(', '),
      shipping_classes: method.shipping_classes ?? [],
      min: method.table_days ? String(method.table_days.min) : '',
      max: method.table_days ? String(method.table_days.max) : '',
    })),
  }
}

export function toSettings(typed: Typed): Schemas['PromiseSettingsUpdate'] {
  const classes = typed.shipping_classes.map(({ name }) => name.trim())
  return {
    percentile: Number(typed.percentile) / 100,
    at_risk_below: Number(typed.at_risk_below) / 100,
    warehouses: typed.warehouses.map((warehouse) => ({
      ...warehouse,
      name: warehouse.name.trim(),
      handling_days: Number(warehouse.handling_days),
      cut_offs: Object.fromEntries(Object.entries(warehouse.cut_offs).filter(([, time]) => time !== '')),
      closed_days: warehouse.closed_days.filter((day) => day !== '').sort(),
    })),
    shipping_classes: typed.shipping_classes.map(({ name, handling_days, products }) => ({
      name: name.trim(),
      handling_days: Number(handling_days),
      products: wordsIn(products),
    })),
    methods: typed.methods.map((method): Method => {
      const countries = wordsIn(method.countries).map((code) => code.toUpperCase())
      const chosen = method.shipping_classes.filter((name) => classes.includes(name))
      return {
        name: method.name.trim(),
        warehouse: method.warehouse,
        carrier_reference: method.carrier_reference || null,
        service: method.service.trim() || null,
        countries: countries.length > 0 ? countries : null,
        shipping_classes: chosen.length > 0 ? chosen : null,
        table_days:
          method.min === '' && method.max === ''
            ? null
            : { min: Number(method.min || method.max), max: Number(method.max || method.min) },
      }
    }),
  }
}

export function newWarehouse(country: string): TypedWarehouse {
  return {
    name: t('promises.default_warehouse'),
    country_code: country,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    cut_offs: Object.fromEntries(week.map((day) => [day, Number(day) <= 5 ? '12:00' : ''])),
    handling_days: '0',
    closed_days: [],
  }
}

export function newMethod(warehouse: string, from?: Suggestion): TypedMethod {
  return {
    name: from?.service ?? from?.carrier_name ?? from?.carrier_reference ?? t('promises.default_method'),
    warehouse,
    carrier_reference: from?.carrier_reference ?? '',
    service: from?.service ?? '',
    countries: (from?.countries ?? []).join(', '),
    shipping_classes: [],
    min: '',
    max: '',
  }
}

/** Those of the suggestions that no method covers yet. */
export function openSuggestions(suggestions: readonly Suggestion[], methods: readonly TypedMethod[]): Suggestion[] {
  return suggestions.filter(
    ({ carrier_reference, service }) =>
      !methods.some(
        (method) =>
          method.carrier_reference === (carrier_reference ?? '') &&
          (method.service === '' || method.service === (service ?? '')),
      ),
  )
}

/** 0.9 is 90; 0.925 is 92.5. */
function inPercent(share: number): string {
  return String(Math.round(share * 1_000) / 10)
}

function wordsIn(text: string): string[] {
  return [...new Set(text.split(/[\n,;]/).map((word) => word.trim()))].filter((word) => word !== '')
}
