import { sql } from 'kysely'
import { calendarOf } from '../../src/platform/calendars/calendars.ts'
import type { Service } from '../../src/service.ts'
import type { PlainRow as Row } from './plain-figures.ts'

export interface PlainTarget {
  days: number
  unit: 'business' | 'calendar'
  since: 'placed' | 'fulfilled'
}

/** A parcel to a customer that was delivered, and what there is to say about it. */
export interface PlainParcel {
  id: string
  deliveredAt: number
  carrier: string | null
  country: string | null
  service: string | null
  week: string
  placed: { business: number; calendar: number } | undefined
  fulfilled: { business: number; calendar: number } | undefined
  isOnTime: boolean | undefined
  window: 'early' | 'held' | 'late' | undefined
}

/** The parcels of a period, read slowly: all shipments of the shop, each looked at by itself. Newest delivery first. */
export async function readPlainParcels(
  service: Service,
  shopId: string,
  firstDay: string,
  lastDay: string,
): Promise<PlainParcel[]> {
  const read = async (table: string) => {
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(each) as row from ${sql.table(table)} as each where shop_id = ${shopId}`.execute(
      service.database.db,
    )
    return rows.map(({ row }) => row)
  }
  const orders = new Map((await read('orders')).map((order) => [order.id, order]))
  const delivered = (await read('shipments')).filter(({ delivered_at, direction }) => {
    const day = delivered_at === null ? '' : dayOf(delivered_at)
    return day >= firstDay && day <= lastDay && ['merchant_customer', 'partner_customer'].includes(direction)
  })
  return delivered
    .map((shipment) => toParcel(shipment, orders.get(shipment.order_id)))
    .sort((left, right) => right.deliveredAt - left.deliveredAt || (left.id < right.id ? 1 : -1))
}

function toParcel(shipment: Row, order: Row | undefined): PlainParcel {
  const { delivered_at, placed_at, predicted_from, predicted_to, expected_delivery } = shipment
  const expected = expected_delivery?.end ?? predicted_to
  const isPredicted = predicted_from !== null && ms(delivered_at) >= ms(placed_at)
  const sentAt = shipment.tracking_number === null ? undefined : placed_at
  return {
    id: shipment.id,
    deliveredAt: ms(delivered_at),
    carrier: shipment.carrier_reference,
    country: shipment.destination_country,
    service: shipment.service,
    week: mondayOf(delivered_at),
    placed: daysBetween(order?.order_placed_at, delivered_at, shipment.destination_country),
    fulfilled: daysBetween(sentAt, delivered_at, shipment.destination_country),
    isOnTime: expected === null ? undefined : ms(delivered_at) <= ms(expected),
    window: isPredicted ? windowOf(delivered_at, predicted_from, predicted_to) : undefined,
  }
}

function windowOf(delivered: string, from: string, to: string): 'early' | 'held' | 'late' {
  if (ms(delivered) < ms(from)) return 'early'
  return ms(delivered) > ms(to) ? 'late' : 'held'
}

function daysBetween(start: string | undefined, end: string, country: string | null): PlainParcel['placed'] {
  if (start === undefined || ms(end) < ms(start)) return undefined
  const [from, to] = [dayOf(start), dayOf(end)]
  return {
    business: calendarOf(country).workingDaysBetween(from, to),
    calendar: (Date.parse(to) - Date.parse(from)) / 86_400_000,
  }
}

/** The figures that the operation returns for these parcels, in a row. */
export function figuresOf(parcels: PlainParcel[], target: PlainTarget | null) {
  const expected = parcels.flatMap(({ isOnTime }) => isOnTime ?? [])
  const windows = parcels.flatMap(({ window }) => window ?? [])
  const count = (window: string) => windows.filter((one) => one === window).length
  const onTime = expected.filter((isOnTime) => isOnTime).length
  return {
    delivered: parcels.length,
    since_placed: timesOf(parcels.flatMap(({ placed }) => placed ?? [])),
    since_fulfilled: timesOf(parcels.flatMap(({ fulfilled }) => fulfilled ?? [])),
    target: target && targetOf(parcels, target),
    expected: expected.length,
    on_time: onTime,
    on_time_rate: rateOf(onTime, expected.length),
    predicted: windows.length,
    held: count('held'),
    early: count('early'),
    late: count('late'),
    held_rate: rateOf(count('held'), windows.length),
  }
}

/** Whether a parcel has the requested outcome of the list of parcels. */
export function hasOutcome(parcel: PlainParcel, outcome: string, target: PlainTarget | null): boolean {
  const days = target && parcel[target.since]?.[target.unit]
  if (outcome === 'on_target') return target !== null && typeof days === 'number' && days <= target.days
  if (outcome === 'over_target') return target !== null && typeof days === 'number' && days > target.days
  if (outcome === 'on_time') return parcel.isOnTime === true
  if (outcome === 'late') return parcel.isOnTime === false
  return outcome === 'all' || parcel.window === outcome.replace('window_', '')
}

function targetOf(parcels: PlainParcel[], target: PlainTarget) {
  const days = parcels.flatMap((parcel) => parcel[target.since]?.[target.unit] ?? [])
  const met = days.filter((day) => day <= target.days).length
  return { measured: days.length, met, rate: rateOf(met, days.length) }
}

function timesOf(taken: { business: number; calendar: number }[]) {
  const quantiles = (values: number[]) =>
    values.length === 0 ? null : { median: quantile(values, 0.5), p90: quantile(values, 0.9) }
  return {
    measured: taken.length,
    business: quantiles(taken.map(({ business }) => business)),
    calendar: quantiles(taken.map(({ calendar }) => calendar)),
  }
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  const position = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0]
  return Math.round((below + (above - below) * (position - Math.floor(position))) * 100) / 100
}

function rateOf(count: number, sample: number): number | null {
  return sample < 10 ? null : Math.round((count / sample) * 1_000) / 1_000
}

function mondayOf(time: string): string {
  const day = new Date(`${dayOf(time)}T00:00:00Z`)
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1)
  return day.toISOString().slice(0, 10)
}

const ms = (time: string) => new Date(time).getTime()
const dayOf = (time: string) => new Date(time).toISOString().slice(0, 10)
