import { expect } from 'vitest'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { uniqueNumber, upsertOf } from './orders.ts'
import { clock } from './service.ts'
import type { ShopCaller, TestShop } from './shop.ts'

/** Moves the clock to a moment. Reset it afterwards. */
export function moveTo(moment: string): void {
  clock.advance(Date.parse(moment) - clock.now().getTime())
}

export const leipzig = {
  name: 'Leipzig',
  country_code: 'DE',
  timezone: 'Europe/Berlin',
  cut_offs: { '1': '14:00', '2': '14:00', '3': '14:00', '4': '14:00', '5': '12:00' },
  handling_days: 0,
  closed_days: [] as string[],
}

export const standard = {
  name: 'Standard',
  warehouse: 'Leipzig',
  carrier_reference: 'dhl' as string | null,
  service: null as string | null,
  countries: ['DE', 'AT'] as string[] | null,
  shipping_classes: null as string[] | null,
  table_days: { min: 1, max: 3 } as { min: number; max: number } | null,
}

/** Changes the settings of promises, and expects that they are accepted. */
export async function setPromises(shop: TestShop, settings: object): Promise<void> {
  const { status, text } = await shop.as('admin').patch('/delivery-promises/settings', settings)
  expect(status, text).toBe(200)
}

/** Parcels that were sent on the last working days and arrived after each of these numbers of working days. */
export async function deliverParcels(
  shop: ShopCaller,
  takenDays: number[],
  { carrier = 'dhl', country = 'DE', zip = '10115', service = 'DHL Paket' } = {},
): Promise<void> {
  const journeys = takenDays.map((days, index) => {
    const sentAt = workingDaysBefore(clock.now(), 8 + (index % 20))
    return { number: uniqueNumber('PRM'), sentAt, deliveredAt: workingDaysAfter(sentAt, days) }
  })
  const upserts = journeys.map(({ number, sentAt }) =>
    upsertOf(
      uniqueNumber(),
      { order_placed_at: sentAt.toISOString(), address: { zip_code: zip, country_code: country } },
      [{ tracking_number: number, tracking_placed_at: sentAt.toISOString(), carrier_reference: carrier, service }],
    ),
  )
  expect((await shop.put('/orders/bulk', upserts)).status).toBe(200)
  for (const { number, deliveredAt } of journeys) {
    const event = { id: number, event_name: 'SUCCESSFULLY_DELIVERED', event_time: deliveredAt.toISOString() }
    expect((await shop.post('/shipment-events', event)).status).toBe(200)
  }
}

function workingDaysBefore(from: Date, days: number): Date {
  return step(from, days, -1)
}

function workingDaysAfter(from: Date, days: number): Date {
  return step(from, days, 1)
}

function step(from: Date, days: number, direction: 1 | -1): Date {
  let day = from
  for (let left = days; left > 0; ) {
    day = new Date(day.getTime() + direction * dayMs)
    if (day.getUTCDay() % 6 !== 0) left -= 1
  }
  return day
}
