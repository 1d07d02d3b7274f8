import type { Schemas } from 'doorstep-client'
import { z } from 'zod'
import { readTool } from '../tool.ts'
import { count } from '../words.ts'

const maxRows = 25

type Row = Schemas['DeliveryTimesRow']

const day = z.iso.date().optional()

const Figures = z.object({
  carrier: z.string().nullable(),
  country: z.string().nullable(),
  service: z.string().nullable(),
  week: z.string().nullable(),
  delivered: z.number().describe('Parcels delivered in the period'),
  median_business_days: z.number().nullable().describe('From order to delivery'),
  p90_business_days: z.number().nullable().describe('90 percent took this long or less'),
  on_time_rate: z.number().nullable().describe('Delivered by the expected day; null if there are too few'),
  target_rate: z.number().nullable().describe("Within the shop's own target; null without one"),
})

export const deliveryFigures = readTool({
  name: 'delivery_figures',
  title: 'Delivery figures',
  description:
    'How many parcels were delivered in a period, how long they took, and how many were on time: in all, and by carrier, country, service or week. The default is the last 30 days.',
  input: {
    from: day.describe('First day of delivery, such as 2026-11-01'),
    to: day.describe('Last day of delivery'),
    group_by: z.enum(['carrier', 'country', 'service', 'week']).default('carrier'),
    carrier: z.string().min(1).max(100).optional().describe('Only this carrier, by its reference, such as dhl'),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .optional()
      .describe('Only to this country, such as DE'),
  },
  output: {
    from: z.string(),
    to: z.string(),
    as_of: z.string(),
    target_days: z.number().nullable(),
    total: Figures,
    rows: z.array(Figures).describe('Most parcels first'),
    is_complete: z.boolean().describe('False: smaller groups are left out'),
  },
  async run({ client, shop }, query) {
    const figures = await client.get('/v1/shops/{slug}/analytics/delivery-times', {
      params: { path: { slug: shop }, query },
    })
    const { from, to, as_of, target, total, rows, is_truncated } = figures
    const median = total.since_placed.business?.median
    return {
      explanation: [
        `${count(total.delivered, 'parcel')} delivered from ${from} to ${to}.`,
        ...(median === undefined
          ? []
          : [`Half of them took ${count(median, 'business day')} or less after the order.`]),
        ...(total.on_time_rate === null ? [] : [`${percent(total.on_time_rate)} came by the expected day.`]),
        ...(total.target?.rate == null ? [] : [`${percent(total.target.rate)} met the shop's own target.`]),
      ],
      from,
      to,
      as_of,
      target_days: target?.days ?? null,
      total: present(total),
      rows: rows.slice(0, maxRows).map(present),
      is_complete: !is_truncated && rows.length <= maxRows,
    }
  },
})

function percent(rate: number): string {
  return `${Math.round(rate * 100)} percent`
}

function present(row: Row): z.input<typeof Figures> {
  return {
    carrier: row.carrier_name ?? row.carrier_reference,
    country: row.country,
    service: row.service,
    week: row.week,
    delivered: row.delivered,
    median_business_days: row.since_placed.business?.median ?? null,
    p90_business_days: row.since_placed.business?.p90 ?? null,
    on_time_rate: row.on_time_rate,
    target_rate: row.target?.rate ?? null,
  }
}
