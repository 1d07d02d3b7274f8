import { type RawBuilder, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { cutPage, offsetOf, type Page, pageRequest } from '../../platform/foundation/page.ts'
import { countUpTo } from '../../platform/store/count.ts'
import type { ExceptionState } from './rules.ts'
import { severityOf } from './rules.ts'
import { type ExceptionFilter, type ExceptionKind, exceptionKinds, exceptionStates } from './schema.ts'

/** A listed parcel with its order and what its carrier last reported. */
export interface ExceptionRow {
  shipment_id: string
  order_id: string
  kind: ExceptionKind
  other_kinds: ExceptionKind[]
  since: Date
  stuck_after_days: number | null
  usual_scan_hours: number | null
  state: ExceptionState
  assigned_to: string | null
  snoozed_until: Date | null
  resolved_at: Date | null
  resolved_by: string | null
  created_at: Date
  updated_at: Date
  order_number: string
  customer_name: string | null
  tracking_number: string | null
  carrier_reference: string | null
  tracking_company: string | null
  destination_country: string | null
  direction: string
  phase: string
  flag: string
  current_event_key: string
  current_event_at: Date
  latest_event_at: Date
  promised_by: string | null
  chance: number | null
  expected_delivery: { end?: string; source?: string } | null
  pickup: { name?: string | null; type?: string; date_to?: string | null } | null
  location: { city?: string | null; country_code?: string | null } | null
}

/** One page of the shop's exceptions. */
export async function listExceptions(context: ShopContext, filter: ExceptionFilter): Promise<Page<ExceptionRow>> {
  const request = pageRequest(filter)
  const { page: _page, per_page: _perPage, ...conditions } = filter
  const limit = offsetOf(request) + request.perPage + 1
  const sort = orderOf(filter)
  // One run of the index for each state: the planner would sort all rows of several.
  const runs = statesOf(filter).map(
    (state) => sql`(
      select shipment_id, severity, since from exceptions where ${conditionsOf(context, filter, state)}
      order by ${sort} limit ${limit}
    )`,
  )
  const ids = sql`
    select shipment_id, row_number() over (order by ${sort}) as position
    from (${sql.join(runs, sql` union all `)}) as runs
    order by ${sort}
    limit ${request.perPage + 1} offset ${offsetOf(request)}`
  const rows = await selectExceptions(context, ids)
  return cutPage(request, rows, () =>
    countUpTo(
      context,
      `exceptions ${context.shop.id} ${JSON.stringify(conditions)}`,
      sql`from exceptions where (${sql.join(
        statesOf(filter).map((state) => conditionsOf(context, filter, state)),
        sql`) or (`,
      )})`,
    ),
  )
}

function statesOf({ state = 'open' }: ExceptionFilter): readonly ExceptionState[] {
  return state === 'all' ? exceptionStates : [state]
}

function orderOf({ kind, sort = 'severity' }: ExceptionFilter): RawBuilder<unknown> {
  if (sort === '-since') return sql`since desc, shipment_id desc`
  if (sort === 'since' || kind !== undefined) return sql`since, shipment_id`
  return sql`severity desc, since, shipment_id`
}

function conditionsOf(context: ShopContext, filter: ExceptionFilter, state: ExceptionState): RawBuilder<unknown> {
  const { kind, assigned_to, carrier, country } = filter
  const conditions = [
    sql`shop_id = ${context.shop.id}`,
    sql`state = ${sql.lit(state)}`,
    ...(kind === undefined ? [] : [sql`severity = ${sql.lit(severityOf(kind))}`]),
    ...(assigned_to === undefined ? [] : [sql`assigned_to = ${assigned_to}`]),
    ...(carrier === undefined ? [] : [sql`carrier_reference = ${carrier}`]),
    ...(country === undefined ? [] : [sql`destination_country = ${country}`]),
  ]
  return sql.join(conditions, sql` and `)
}

/** The exceptions of these shipments. */
export function findExceptions(context: ShopContext, shipmentIds: string[]): Promise<ExceptionRow[]> {
  return selectExceptions(
    context,
    sql`select shipment_id, position from unnest(${shipmentIds}::uuid[]) with ordinality as given (shipment_id, position)`,
  )
}

export interface KindCount {
  kind: ExceptionKind
  /** Up to the limit. */
  count: number
}

/** How many open exceptions there are of each kind, counted up to a limit, and the first parcels of each kind. */
export async function summarizeExceptions(
  context: ShopContext,
  limits: { count: number; parcels: number },
): Promise<{ counts: KindCount[]; parcels: ExceptionRow[] }> {
  // A range and the order of the index of severities, rather than an equality: if nearly all are of one kind, the planner
  // would read all of them, in the index without severities, to find that there are none of another.
  const ofKind = sql`
    shop_id = ${context.shop.id} and state = 'open'
      and exceptions.severity >= kinds.severity and exceptions.severity <= kinds.severity
    order by exceptions.severity desc, since, shipment_id`
  const kinds = sql`unnest(${exceptionKinds.map(severityOf)}::smallint[]) as kinds (severity)`
  const { rows } = await sql<{ severity: number; count: number }>`
    select kinds.severity, counted.count from ${kinds}
    cross join lateral (
      select count(*) as count from (select 1 from exceptions where ${ofKind} limit ${sql.lit(limits.count)}) as limited
    ) as counted`.execute(context.db)
  const bySeverity = new Map(rows.map(({ severity, count }) => [severity, count]))
  const parcels = await selectExceptions(
    context,
    sql`
      select first.shipment_id, row_number() over (order by kinds.severity desc, first.since, first.shipment_id) as position
      from ${kinds}
      cross join lateral (
        select shipment_id, since from exceptions where ${ofKind}
        limit ${sql.lit(limits.parcels)}
      ) as first`,
  )
  return { counts: exceptionKinds.map((kind) => ({ kind, count: bySeverity.get(severityOf(kind)) ?? 0 })), parcels }
}

/** `ids` selects shipment_id and position. Each row is looked up by its key; for a join, the planner may scan a table. */
async function selectExceptions(context: ShopContext, ids: RawBuilder<unknown>): Promise<ExceptionRow[]> {
  const lookup = (table: string, columns: RawBuilder<unknown>, isRow: RawBuilder<unknown>) => sql`
    cross join lateral (
      select ${columns} from ${sql.table(table)}
      where ${sql.ref(`${table}.shop_id`)} = ${context.shop.id} and ${isRow}
      limit 1
    ) as ${sql.ref(`the_${table}`)}`
  const { rows } = await sql<ExceptionRow>`
    select the_exceptions.*, the_shipments.*, the_orders.*, (
      select location from shipment_events
      where shipment_events.shop_id = ${context.shop.id} and shipment_events.shipment_id = page.shipment_id
        and event_time = the_shipments.current_event_at and event_key = the_shipments.current_event_key
    ) as location, (
      select latest::text from order_promises
      where order_promises.shop_id = ${context.shop.id} and order_promises.order_id = the_exceptions.order_id
    ) as promised_by, (
      select chance from at_risk_parcels
      where at_risk_parcels.shop_id = ${context.shop.id} and at_risk_parcels.shipment_id = page.shipment_id
    ) as chance
    from (${ids}) as page
    ${lookup(
      'exceptions',
      sql`shipment_id, order_id, kind, other_kinds, since, stuck_after_days, usual_scan_hours, state, assigned_to,
        snoozed_until, resolved_at, resolved_by, created_at, updated_at`,
      sql`exceptions.shipment_id = page.shipment_id`,
    )}
    ${lookup(
      'shipments',
      sql`tracking_number, carrier_reference, tracking_company, destination_country, direction, phase, flag,
        current_event_key, current_event_at, latest_event_at, expected_delivery, pickup`,
      sql`shipments.id = page.shipment_id`,
    )}
    ${lookup(
      'orders',
      sql`order_number, details -> 'address' ->> 'name' as customer_name`,
      sql`orders.id = the_exceptions.order_id`,
    )}
    order by page.position`.execute(context.db)
  return rows
}
