import { z } from 'zod'
import { readTool } from '../tool.ts'
import { count } from '../words.ts'

const kinds = ['customs', 'lost', 'failed', 'returning', 'stuck', 'waiting', 'late', 'at_risk'] as const

export const listExceptions = readTool({
  name: 'list_exceptions',
  title: 'List parcels that need a person',
  description:
    'Lists the parcels that need somebody, most serious first, with the reason in a sentence: customs waits for a payment or information, lost, failed delivery, returning to the sender, stuck without a scan, waiting at a pick-up point, late, or at risk of becoming late.',
  input: {
    kind: z.enum(kinds).optional().describe('Only this kind'),
    state: z.enum(['open', 'snoozed', 'resolved', 'all']).default('open'),
    carrier: z.string().min(1).max(255).optional().describe('Only this carrier, by its reference, such as dhl'),
    country: z.string().min(1).max(10).optional().describe('Only to this country, such as AT'),
    limit: z.int().min(1).max(50).default(20).describe('How many parcels at most'),
  },
  output: {
    parcels: z.array(
      z.object({
        shipment_id: z.string(),
        order_id: z.string(),
        order_number: z.string(),
        customer_name: z.string().nullable(),
        tracking_number: z.string().nullable(),
        carrier: z.string().nullable(),
        country: z.string().nullable(),
        kind: z.string(),
        reason: z.string(),
        since: z.string(),
        state: z.string(),
        assigned_to: z.string().nullable(),
        snoozed_until: z.string().nullable(),
      }),
    ),
    total: z.number().nullable().describe('All that match; null if there are more than 10,000'),
  },
  async run({ client, shop }, { limit, ...filter }) {
    const { items, total } = await client.list('/v1/shops/{slug}/exceptions', {
      params: { path: { slug: shop }, query: { ...filter, per_page: limit } },
    })
    const perKind = kinds.flatMap((kind) => {
      const number = items.filter((parcel) => parcel.kind === kind).length
      return number > 0 ? [`${number} ${kind}`] : []
    })
    const all = total === undefined ? 'More than 10,000 parcels match' : `${count(total, 'parcel')} in all`
    return {
      explanation: [
        items.length === 0
          ? 'No parcel matches: nothing needs a person here.'
          : `${all}. Listed here: ${perKind.join(', ')}.`,
      ],
      parcels: items.map((parcel) => ({
        shipment_id: parcel.shipment_id,
        order_id: parcel.order_id,
        order_number: parcel.order_number,
        customer_name: parcel.customer_name,
        tracking_number: parcel.tracking_number,
        carrier: parcel.carrier_name,
        country: parcel.destination_country,
        kind: parcel.kind,
        reason: parcel.reason,
        since: parcel.since,
        state: parcel.state,
        assigned_to: parcel.assigned_to,
        snoozed_until: parcel.snoozed_until,
      })),
      total: total ?? null,
    }
  },
})
