import { z } from 'zod'
import { readTool } from '../tool.ts'
import { count } from '../words.ts'

export const searchOrders = readTool({
  name: 'search_orders',
  title: 'Search orders',
  description:
    'Finds orders by the beginning of an order number, a tracking number, an e-mail address, a zip code or a customer name.',
  input: {
    text: z.string().min(1).max(255).describe('What the customer said, such as "ada ex" or "1001"'),
    limit: z.int().min(1).max(20).default(10).describe('How many orders at most'),
  },
  output: {
    orders: z.array(
      z.object({
        order_id: z.string(),
        order_number: z.string(),
        matched: z.string().describe('What begins with the text'),
        is_exact: z.boolean(),
        placed_at: z.string(),
        status: z.string(),
        customer_name: z.string().nullable(),
        email: z.string().nullable(),
        country_code: z.string().nullable(),
        parcels: z.array(
          z.object({ shipment_id: z.string(), tracking_number: z.string().nullable(), phase: z.string() }),
        ),
      }),
    ),
    is_complete: z.boolean().describe('False: others match as well'),
  },
  async run({ client, shop }, { text, limit }) {
    const { matches, is_complete } = await client.get('/v1/shops/{slug}/search', {
      params: { path: { slug: shop }, query: { q: text, limit } },
    })
    const others = is_complete ? '' : ' Others match as well: give more of the text.'
    return {
      explanation: [
        matches.length === 0 ? 'Nothing begins with this text.' : `${count(matches.length, 'order')} found.${others}`,
      ],
      orders: matches.map((order) => ({
        order_id: order.order_id,
        order_number: order.order_number,
        matched: order.matched,
        is_exact: order.is_exact,
        placed_at: order.placed_at,
        status: order.status,
        customer_name: order.customer_name,
        email: order.email_id,
        country_code: order.country_code,
        parcels: order.parcels.map(({ shipment_id, tracking_number, phase }) => ({
          shipment_id,
          tracking_number,
          phase,
        })),
      })),
      is_complete,
    }
  },
})
