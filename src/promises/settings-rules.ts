import { findCarrier } from '../adapters/carriers/find.ts'
import type { PromiseMethod, PromiseSettings, ShippingClass, Warehouse } from '../orders/promises/settings.ts'
import { invalid } from '../platform/foundation/errors.ts'
import { isTimeZone } from '../platform/foundation/formats.ts'
import { type PromiseSettingsUpdate, weekdays } from './schema.ts'

type Place = (string | number)[]

/** The settings after a change, in our spelling; throws at what does not fit together. */
export function changeSettings(before: PromiseSettings, update: PromiseSettingsUpdate): PromiseSettings {
  const settings: PromiseSettings = {
    percentile: update.percentile ?? before.percentile,
    at_risk_below: update.at_risk_below ?? before.at_risk_below,
    warehouses: update.warehouses?.map(spellWarehouse) ?? before.warehouses,
    shipping_classes: update.shipping_classes?.map(spellClass) ?? before.shipping_classes,
    methods: update.methods?.map(spellMethod) ?? before.methods,
  }
  for (const list of ['warehouses', 'shipping_classes', 'methods'] as const) checkNames(list, settings[list])
  checkReferences(settings, update)
  return settings
}

function spellWarehouse(given: Warehouse, index: number): Warehouse {
  const place = ['body', 'warehouses', index]
  if (!isZoneName(given.timezone)) {
    throw invalid([...place, 'timezone'], 'must be the name of a time zone, such as Europe/Berlin')
  }
  const other = Object.keys(given.cut_offs).find((key) => !weekdays.some((weekday) => weekday === key))
  if (other !== undefined) throw invalid([...place, 'cut_offs', other], 'is not a weekday: 1 is Monday, 7 Sunday')
  return {
    name: given.name.trim(),
    country_code: given.country_code.toUpperCase(),
    timezone: given.timezone,
    cut_offs: given.cut_offs,
    handling_days: given.handling_days,
    closed_days: given.closed_days.toSorted(),
  }
}

function spellClass({ name, handling_days, products }: ShippingClass): ShippingClass {
  return { name: name.trim(), handling_days, products: [...new Set(products.map((product) => product.trim()))] }
}

function spellMethod(given: PromiseMethod, index: number): PromiseMethod {
  const place = ['body', 'methods', index]
  const { table_days } = given
  if (table_days !== null && table_days.max < table_days.min) {
    throw invalid([...place, 'table_days', 'max'], 'must not be less than min')
  }
  return {
    name: given.name.trim(),
    warehouse: given.warehouse.trim(),
    carrier_reference: spellCarrier(given.carrier_reference, [...place, 'carrier_reference']),
    service: given.service?.trim() || null,
    countries: given.countries && [...new Set(given.countries.map((country) => country.toUpperCase()))],
    shipping_classes: given.shipping_classes?.map((name) => name.trim()) ?? null,
    table_days,
  }
}

function spellCarrier(reference: string | null, place: Place): string | null {
  if (reference === null) return null
  const carrier = findCarrier(reference)
  if (carrier === undefined) {
    throw invalid(place, 'is not a known carrier; GET /v1/carriers lists them', 'carrier_reference_invalid')
  }
  return carrier.reference
}

/** Intl also takes offsets, which know no summer. */
function isZoneName(text: string): boolean {
  return /^[A-Za-z]/.test(text) && isTimeZone(text)
}

function checkNames(list: string, items: readonly { name: string }[]): void {
  const seen = new Set<string>()
  for (const [index, { name }] of items.entries()) {
    const same = name.toLowerCase()
    if (seen.has(same)) throw invalid(['body', list, index, 'name'], 'is listed twice')
    seen.add(same)
  }
}

/** A method names warehouses and classes, whichever of the lists was changed. */
function checkReferences({ warehouses, shipping_classes, methods }: PromiseSettings, update: PromiseSettingsUpdate) {
  const warehouseNames = new Set(warehouses.map(({ name }) => name))
  const classNames = new Set(shipping_classes.map(({ name }) => name))
  for (const [index, method] of methods.entries()) {
    if (!warehouseNames.has(method.warehouse)) {
      throw update.methods === undefined
        ? invalid(['body', 'warehouses'], `must contain ${method.warehouse}: the method ${method.name} uses it`)
        : invalid(['body', 'methods', index, 'warehouse'], 'is not one of the warehouses')
    }
    const unknown = method.shipping_classes?.findIndex((name) => !classNames.has(name)) ?? -1
    if (unknown !== -1) {
      throw update.methods === undefined
        ? invalid(
            ['body', 'shipping_classes'],
            `must contain ${method.shipping_classes?.[unknown]}: the method ${method.name} uses it`,
          )
        : invalid(['body', 'methods', index, 'shipping_classes', unknown], 'is not one of the shipping classes')
    }
  }
}
