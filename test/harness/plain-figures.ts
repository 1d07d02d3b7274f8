import { sql } from 'kysely'
import { startOfDay } from '../../src/figures/analytics/period.ts'
import type { Service } from '../../src/service.ts'

/** Every row of a shop that figures are about, as it is stored. */
interface Rows {
  orders: Row[]
  shipments: Row[]
  shipment_events: Row[]
  claims: Row[]
  deliveries: Row[]
  campaign_views: Row[]
  webhook_endpoints: Row[]
  campaigns: Row[]
}
// biome-ignore lint/suspicious/noExplicitAny: rows as the database has them, of whatever table
export type PlainRow = Record<string, any>
type Row = PlainRow

/** The figures of a period, counted slowly: all rows of the shop are read, and each is looked at. */
export async function countPlainly(service: Service, shopId: string, firstDay: string, lastDay: string) {
  const rows = await readRows(service, shopId)
  const [from, until] = [startOfDay(firstDay), new Date(startOfDay(lastDay).getTime() + 86_400_000)]
  const isWithin = (time: unknown) => time !== null && new Date(String(time)) >= from && new Date(String(time)) < until
  const orders = rows.orders.filter((order) => isWithin(order.order_placed_at))
  const created = rows.shipments.filter((shipment) => isWithin(shipment.created_at))
  const arrived = rows.shipments.filter((shipment) => isWithin(shipment.delivered_at))
  const delivered = arrived.filter(isToCustomer)
  const claims = rows.claims.filter((claim) => claim.deleted_at === null && isWithin(claim.created_at))
  const campaignIds = new Set(rows.campaigns.map(({ id }) => id))
  const views = rows.campaign_views.filter(
    ({ day, subject_id }) => day >= firstDay && day <= lastDay && campaignIds.has(subject_id),
  )
  const attributed = orders.filter(({ order_analytics }) => order_analytics.source === 'trackpages')
  const endpoints = new Set(rows.webhook_endpoints.map(({ id }) => id))
  const queued = rows.deliveries.filter(({ id }) => isWithin(new Date(timeOfId(id))))
  const finished = queued.filter(
    ({ target, status }) => endpoints.has(target) && ['delivered', 'dead'].includes(status),
  )
  const orderOf = new Map(rows.orders.map((order) => [order.id, order]))
  return {
    orders: {
      placed: orders.length,
      nothing_to_send: orders.filter((order) => order.nothing_to_send).length,
      handed_over_without_tracking: orders.filter((order) => order.handed_over_without_tracking).length,
    },
    shipments: {
      created: created.length,
      waiting: created.filter((shipment) => isWaiting(shipment, orderOf.get(shipment.order_id))).length,
      by_phase: counts(created, 'phase'),
      by_flag: counts(created, 'flag'),
    },
    deliveries: {
      delivered: delivered.length,
      failed_attempts: rows.shipment_events.filter(
        ({ event_key, event_time }) =>
          isWithin(event_time) &&
          (event_key.startsWith('DELIVERY_ATTEMPTED') || event_key === 'ATTEMPTED_DELIVERY_UNDELIVERABLE'),
      ).length,
      windows: windowsOf(arrived),
    },
    transit: delivered
      .filter(wasSentFirst)
      .map((shipment) => (ms(shipment.delivered_at) - ms(shipment.placed_at)) / 86_400_000),
    rates: {
      on_time: onTime(delivered),
      notifications: rate(finished.filter(({ status }) => status === 'delivered').length, finished.length),
    },
    carriers: [...new Set(delivered.map(({ carrier_reference }) => carrier_reference))].map((carrier_reference) => {
      const own = delivered.filter((shipment) => shipment.carrier_reference === carrier_reference)
      return { carrier_reference, delivered: own.length, on_time: onTime(own) }
    }),
    claims: { filed: claims.length, by_reason: counts(claims, 'reason'), by_status: counts(claims, 'status') },
    webhooks: counts(
      queued.filter(({ target }) => endpoints.has(target)),
      'status',
    ),
    campaigns: {
      exposures: views.filter(({ action }) => action === 'exposure').length,
      clicks: views.filter(({ action }) => action === 'click').length,
      orders: attributed.length,
    },
  }
}

async function readRows(service: Service, shopId: string): Promise<Rows> {
  const read = async (table: string) => {
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(each) as row from ${sql.table(table)} as each where shop_id = ${shopId}`.execute(
      service.database.db,
    )
    return rows.map(({ row }) => row)
  }
  return {
    orders: await read('orders'),
    shipments: await read('shipments'),
    shipment_events: await read('shipment_events'),
    claims: await read('claims'),
    deliveries: await read('deliveries'),
    campaign_views: await read('campaign_views'),
    webhook_endpoints: await read('webhook_endpoints'),
    campaigns: await read('campaigns'),
  }
}

const ms = (time: string) => new Date(time).getTime()
const timeOfId = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
const isToCustomer = ({ direction }: Row) => ['merchant_customer', 'partner_customer'].includes(direction)
const wasSentFirst = ({ delivered_at, placed_at }: Row) => ms(delivered_at) >= ms(placed_at)

function isWaiting(shipment: Row, order: Row | undefined): boolean {
  const isDone = order?.nothing_to_send || order?.handed_over_without_tracking
  return shipment.tracking_number === null && shipment.phase === 'order_created' && isToCustomer(shipment) && !isDone
}

function windowsOf(arrived: Row[]) {
  const predicted = arrived.filter((shipment) => shipment.predicted_from !== null && wasSentFirst(shipment))
  const early = predicted.filter(({ delivered_at, predicted_from }) => ms(delivered_at) < ms(predicted_from)).length
  const late = predicted.filter(({ delivered_at, predicted_to }) => ms(delivered_at) > ms(predicted_to)).length
  return { predicted: predicted.length, early, held: predicted.length - early - late, late }
}

function onTime(delivered: Row[]) {
  const due = delivered.flatMap(({ delivered_at, expected_delivery, predicted_to }) => {
    const end = expected_delivery?.end ?? predicted_to
    return end === null ? [] : [{ isOnTime: ms(delivered_at) <= ms(end) }]
  })
  return rate(due.filter(({ isOnTime }) => isOnTime).length, due.length)
}

function rate(count: number, sample: number) {
  return { count, sample, share: sample === 0 ? null : Math.round((count / sample) * 1_000) / 1_000 }
}

/** The counts that are not zero. */
function counts(rows: Row[], column: string): Record<string, number> {
  const found: Record<string, number> = {}
  for (const row of rows) found[row[column]] = (found[row[column]] ?? 0) + 1
  return found
}
