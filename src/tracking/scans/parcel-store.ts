import { sql } from 'kysely'
import type { ProviderName } from '../../adapters/carriers/registry.ts'
import type { EnrolledParcel } from '../../orders/shipments/enrol-store.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Pace } from './rules.ts'

type Store = Pick<Context, 'db'>

/** A parcel that this worker has leased, with everything that a request about it and recording its result need. */
export interface LeasedParcel {
  shopId: string
  shipmentId: string
  carrierReference: string
  trackingNumber: string
  fulfilledAt: Date
  /** Identifies this lease among those of the parcel. */
  polls: number
  failures: number
  registeredWith: string | null
  isPushed: boolean
  endedAt: Date | null
  direction: string
  zipCode: string | null
  countryCode: string | null
}

export interface LeaseRequest {
  shopId: string
  provider: ProviderName
  carriers: string[]
  pace: Pace
  /** Requests to be made at most. */
  maxRequests: number
  parcelsPerRequest: number
  /** Whether a parcel has to be registered with the provider first, which is a request of its own. */
  isRegistering: boolean
  now: Date
  /** Parcels due by then are included, so that requests are full. */
  dueUntil: Date
  leaseUntil: Date
}

export interface LeaseResult {
  parcels: LeasedParcel[]
  /** Requests that the limit would have allowed. */
  granted: number
  /** The time the limit allows the next request, or the pause ends. */
  freeAt: Date
  /** Of the account, in a row. */
  failures: number
}

/** How far the clocks of nodes may be apart. */
const clockToleranceMs = 10 * minuteMs

/**
 * Leases due parcels of some carriers, as many as the account's limit allows requests for, and counts those requests:
 * all in one statement, so that nodes which lease at the same moment share one limit and no parcel.
 *
 *   account     the account of the shop, locked
 *   allowance   how many requests its limit grants now
 *   due         due parcels, as many as fit into these requests
 *   counted     each with the number of requests up to it
 *   leased      those within the allowance, under a lease
 *   spent       the account, with these requests counted
 */
export async function leaseParcels(context: Store, lease: LeaseRequest): Promise<LeaseResult> {
  const { pace, now } = lease
  const intervalMs = sql`${pace.intervalMs}::float8`
  const { rows } = await sql<LeasedParcel & { granted: number; freeAt: Date; accountFailures: number }>`
    with account as materialized (
      select failures, paused_until,
        case when gap_until <= ${now}::timestamptz + make_interval(secs => ${(pace.gapMs + clockToleranceMs) / 1_000}::float8)
          then gap_until end as gap_until,
        -- A node whose clock ran ahead must not block the account until that time.
        case when next_free_at > ${now}::timestamptz + make_interval(secs => ${(pace.burst * pace.intervalMs + clockToleranceMs) / 1_000}::float8)
          then ${now}::timestamptz else greatest(next_free_at, ${now}::timestamptz) end as free_from
      from provider_accounts
      where shop_id = ${lease.shopId} and provider = ${lease.provider}
      for no key update
    ), allowance as materialized (
      select account.*, case when paused_until > ${now} or gap_until > ${now} then 0 else greatest(0, least(${lease.maxRequests}::int, 1 + floor(
        (${pace.burst - 1}::int * ${intervalMs} - extract(epoch from free_from - ${now}::timestamptz) * 1000) / ${intervalMs}
      )::int)) end as granted
      from account
    ), due as materialized (
      select found.* from unnest(${lease.carriers}::text[]) as given (carrier)
      cross join lateral (
        select tracked_parcels.shop_id, tracked_parcels.shipment_id, tracked_parcels.next_poll_at,
          tracked_parcels.failures > 0
            or (${lease.isRegistering} and registered_with is distinct from ${lease.provider}::text) as is_polled_alone
        from tracked_parcels
        where tracked_parcels.shop_id = ${lease.shopId} and tracked_parcels.carrier_reference = given.carrier
          and tracked_parcels.finished_at is null and tracked_parcels.next_poll_at <= ${lease.dueUntil}
        order by tracked_parcels.next_poll_at
        limit (select granted * ${lease.parcelsPerRequest}::int from allowance)
        for no key update skip locked
      ) as found
    ), counted as materialized (
      select shop_id, shipment_id, count(*) filter (where is_polled_alone) over sofar
        + ceil(count(*) filter (where not is_polled_alone) over sofar / ${lease.parcelsPerRequest}::float8) as requests
      from due
      window sofar as (order by next_poll_at, shipment_id rows unbounded preceding)
    ), leased as (
      update tracked_parcels set next_poll_at = ${lease.leaseUntil}, polls = tracked_parcels.polls + 1
      from counted
      where tracked_parcels.shop_id = counted.shop_id and tracked_parcels.shipment_id = counted.shipment_id
        and counted.requests <= (select granted from allowance)
      returning tracked_parcels.*, counted.requests
    ), spent as (
      update provider_accounts
      set next_free_at = allowance.free_from + make_interval(secs => used.requests * ${intervalMs} / 1000),
        gap_until = ${now}::timestamptz + make_interval(secs => ${pace.gapMs / 1_000}::float8)
      from allowance, (select max(requests) as requests from leased) as used
      where provider_accounts.shop_id = ${lease.shopId} and provider_accounts.provider = ${lease.provider}
        and used.requests > 0
    )
    select allowance.granted, allowance.failures as "accountFailures",
      greatest(allowance.paused_until, allowance.gap_until,
        allowance.free_from - make_interval(secs => ${pace.burst - 1}::int * ${intervalMs} / 1000)) as "freeAt",
      leased.shop_id as "shopId", leased.shipment_id as "shipmentId", leased.carrier_reference as "carrierReference",
      leased.tracking_number as "trackingNumber", leased.fulfilled_at as "fulfilledAt", leased.polls, leased.failures,
      leased.registered_with as "registeredWith", leased.is_pushed as "isPushed", leased.ended_at as "endedAt",
      shipments.direction, orders.zip_code as "zipCode", shipments.destination_country as "countryCode"
    from allowance
    left join (
      leased
      join shipments on shipments.shop_id = leased.shop_id and shipments.id = leased.shipment_id
      join orders on orders.shop_id = shipments.shop_id and orders.id = shipments.order_id
    ) on true
    order by leased.requests`.execute(context.db)
  const [first] = rows
  return {
    parcels: rows
      .filter(({ shipmentId }) => shipmentId !== null)
      .map(({ granted: _granted, freeAt: _freeAt, accountFailures: _failures, ...parcel }) => parcel),
    granted: first?.granted ?? 0,
    freeAt: first?.freeAt ?? now,
    failures: first?.accountFailures ?? 0,
  }
}

/** The result of a poll or a push for a parcel. */
export interface ParcelUpdate {
  shopId: string
  shipmentId: string
  /** Undefined: it was a push. */
  polls: number | undefined
  nextPollAt: Date
  failures: number
  /** Given if it was registered with the provider. */
  registration?: { provider: ProviderName; isPushed: boolean }
  endedAt: Date | null
  isFinished: boolean
  now: Date
}

export async function updateParcels(context: Store, parcels: ParcelUpdate[]): Promise<void> {
  if (parcels.length === 0) return
  const rows = parcels.map((parcel) => ({
    shop_id: parcel.shopId,
    shipment_id: parcel.shipmentId,
    polls: parcel.polls ?? null,
    next_poll_at: parcel.nextPollAt,
    failures: parcel.failures,
    registered_with: parcel.registration?.provider ?? null,
    is_pushed: parcel.registration?.isPushed ?? null,
    ended_at: parcel.endedAt,
    is_finished: parcel.isFinished,
    now: parcel.now,
  }))
  await sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, shipment_id uuid, polls int, next_poll_at timestamptz, failures smallint, registered_with text,
         is_pushed boolean, ended_at timestamptz, is_finished boolean, now timestamptz)
    ), locked as materialized (
      -- All writers lock them in the same order, which prevents deadlocks.
      select given.* from given
      join tracked_parcels using (shop_id, shipment_id)
      -- A worker whose lease has ended must not undo what another has done since.
      where given.polls is null or tracked_parcels.polls = given.polls
      order by given.shop_id, given.shipment_id
      for no key update of tracked_parcels
    )
    update tracked_parcels set
      next_poll_at = locked.next_poll_at,
      failures = locked.failures,
      registered_with = coalesce(locked.registered_with, tracked_parcels.registered_with),
      registered_at = case when locked.registered_with is null then tracked_parcels.registered_at else locked.now end,
      is_pushed = coalesce(locked.is_pushed, tracked_parcels.is_pushed),
      last_polled_at = case when locked.polls is null then tracked_parcels.last_polled_at else locked.now end,
      ended_at = locked.ended_at,
      finished_at = case when locked.is_finished then locked.now end
    from locked
    where tracked_parcels.shop_id = locked.shop_id and tracked_parcels.shipment_id = locked.shipment_id`.execute(
    context.db,
  )
}

export interface DueCarrier extends EnrolledParcel {
  isDue: boolean
}

/**
 * Carriers of shops that have parcels in transit, and whether one is due: found by hopping from one to the next in the
 * index, whatever lies between. A page of them, in order; the next begins after the last.
 */
export async function findDueCarriers(
  context: Store,
  now: Date,
  from: EnrolledParcel | undefined,
  limit: number,
): Promise<DueCarrier[]> {
  const start = from ?? { shopId: '00000000-0000-0000-0000-000000000000', carrierReference: '' }
  const { rows } = await sql<DueCarrier>`
    with recursive hop as (
      (
        select shop_id, carrier_reference, 1 as number from tracked_parcels
        where finished_at is null and (shop_id, carrier_reference) > (${start.shopId}::uuid, ${start.carrierReference}::text)
        order by shop_id, carrier_reference
        limit 1
      )
      union all
      select next.shop_id, next.carrier_reference, hop.number + 1 from hop
      cross join lateral (
        select tracked_parcels.shop_id, tracked_parcels.carrier_reference from tracked_parcels
        where finished_at is null
          and (tracked_parcels.shop_id, tracked_parcels.carrier_reference) > (hop.shop_id, hop.carrier_reference)
        order by tracked_parcels.shop_id, tracked_parcels.carrier_reference
        limit 1
      ) as next
      where hop.number < ${sql.lit(limit)}
    )
    select hop.shop_id as "shopId", hop.carrier_reference as "carrierReference", shop_settings.shipment_updates and exists (
      select 1 from tracked_parcels
      where tracked_parcels.shop_id = hop.shop_id and tracked_parcels.carrier_reference = hop.carrier_reference
        and tracked_parcels.finished_at is null and tracked_parcels.next_poll_at <= ${now}
      -- One index lookup for each: a join would read all that are due.
      offset 0
    ) as "isDue"
    from hop
    join shop_settings on shop_settings.shop_id = hop.shop_id
    order by hop.number`.execute(context.db)
  return rows
}

/** The time the next parcel of these carriers is due. */
export async function findNextPollTime(context: Store, shopId: string, carriers: string[]): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next.next_poll_at) as at
    from unnest(${carriers}::text[]) as given (carrier)
    cross join lateral (
      select next_poll_at from tracked_parcels
      where shop_id = ${shopId} and carrier_reference = given.carrier and finished_at is null
      order by next_poll_at
      limit 1
    ) as next`.execute(context.db)
  return rows[0]?.at ?? undefined
}

/** Parcels of these carriers that are tracked, counted up to the limit. */
export async function countParcels(context: Store, shopId: string, carriers: string[], limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from unnest(${carriers}::text[]) as given (carrier)
      cross join lateral (
        select 1 from tracked_parcels
        where shop_id = ${shopId} and carrier_reference = given.carrier and finished_at is null
        -- In the order of the index, so that no more of it is read than is counted.
        order by next_poll_at
        limit ${sql.lit(limit)}
      ) as found
      limit ${sql.lit(limit)}
    ) as counted`.execute(context.db)
  return rows[0]?.count ?? 0
}
