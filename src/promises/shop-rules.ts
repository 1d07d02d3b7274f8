import { findCarrier } from '../adapters/carriers/find.ts'
import type { PromiseMethod, PromiseSettings } from '../orders/promises/settings.ts'
import { calendarOf, type ShopDays, type WorkCalendar } from '../platform/calendars/calendars.ts'
import { dateOf, dayOf } from '../platform/calendars/days.ts'
import { WarehouseSchedule } from './schedule.ts'

/** A method with all that is known of it before a request. */
export interface PreparedMethod {
  method: PromiseMethod
  carrierName: string | null
  schedule: WarehouseSchedule
  originCountry: string
  handlingDays: number
  countries: ReadonlySet<string> | null
  classes: ReadonlySet<string> | null
}

/** The settings of a shop, prepared for quick replies. */
export interface PromiseShop {
  percentile: number
  methods: readonly PreparedMethod[]
  /** Working days that each class adds, by its name. */
  handlingOfClass: ReadonlyMap<string, number>
  /** The classes of a product, by its id or SKU. */
  classesOfProduct: ReadonlyMap<string, readonly string[]>
  /** By the country of destination. */
  calendar(country: string): WorkCalendar
}

export function prepareShop(settings: PromiseSettings, shopDays: ShopDays): PromiseShop {
  const warehouses = new Map(
    settings.warehouses.map((warehouse) => [
      warehouse.name,
      { warehouse, schedule: new WarehouseSchedule(warehouse, shopDays) },
    ]),
  )
  const classesOfProduct = new Map<string, string[]>()
  for (const { name, products } of settings.shipping_classes) {
    for (const product of products) classesOfProduct.set(product, [...(classesOfProduct.get(product) ?? []), name])
  }
  const calendars = new Map<string, WorkCalendar>()
  return {
    percentile: settings.percentile,
    methods: settings.methods.flatMap((method) => {
      const at = warehouses.get(method.warehouse)
      if (at === undefined) return []
      const carrier = method.carrier_reference === null ? undefined : findCarrier(method.carrier_reference)
      return {
        method,
        carrierName: carrier?.name ?? null,
        schedule: at.schedule,
        originCountry: at.warehouse.country_code,
        handlingDays: at.warehouse.handling_days,
        countries: method.countries && new Set(method.countries),
        classes: method.shipping_classes && new Set(method.shipping_classes),
      }
    }),
    handlingOfClass: new Map(settings.shipping_classes.map(({ name, handling_days }) => [name, handling_days])),
    classesOfProduct,
    calendar(country) {
      const known = calendars.get(country) ?? calendarOf(country, shopDays)
      calendars.set(country, known)
      return known
    },
  }
}

/** Whether a method carries goods of all these classes to the country. Goods without a class need a method for all. */
export function serves({ countries, classes: served }: PreparedMethod, country: string, classes: ReadonlySet<string>) {
  if (countries !== null && !countries.has(country)) return false
  if (served === null) return true
  return classes.size > 0 && [...classes].every((name) => served.has(name))
}

/** The day that is so many working days later; on any other day, nothing arrives. */
export function addWorkingDays(calendar: WorkCalendar, date: string, count: number): string {
  let day = dayOf(date)
  // Even with a holiday on every other day it ends.
  for (let left = count, last = day + 20 + 10 * count; left > 0 && day < last; ) {
    day += 1
    if (calendar.isWorkingDay(dateOf(day))) left -= 1
  }
  return dateOf(day)
}
