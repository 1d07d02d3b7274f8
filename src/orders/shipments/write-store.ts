import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { type EnrolledParcel, enrolledCte, restartPolling, wakeParcelWorkers } from './enrol-store.ts'

/** A shipment to write; a draft if it has no tracking number. */
export interface NewShipment {
  shopId: string
  id: string
  orderId: string
  trackingNumber: string | null
  carrierReference: string | null
  /** Whether the sender named the carrier. Otherwise it was detected from the number. */
  isCarrierGiven: boolean
  trackingCompany: string | null
  service: string | null
  trackingUrl: string | null
  externalShipmentId: string | null
  direction: string
  phase: string
  flag: string
  currentEventKey: string
  currentEventAt: Date
  products: unknown
  placedAt: Date
  predicted: { from: Date; to: Date } | undefined
  destinationCountry: string | null
  now: Date
}

/** Writes shipments and returns the ids of those that are new. Numbers that the order already has are skipped. */
export async function insertShipments(context: Context, shipments: NewShipment[]): Promise<Set<string>> {
  if (shipments.length === 0) return new Set()
  const rows = shipments.map((shipment) => ({
    shop_id: shipment.shopId,
    id: shipment.id,
    order_id: shipment.orderId,
    ...fulfilmentColumns(shipment),
    direction: shipment.direction,
    quiet_until: context.isSilent ? shipment.now : null,
    now: shipment.now,
  }))
  const { rows: inserted } = await sql<WrittenShipment>`
    with fulfilled as (
      insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, is_carrier_given,
        tracking_company, service, tracking_url, external_shipment_id, direction, phase, flag, current_event_key,
        current_event_at, latest_event_at, products, placed_at, predicted_from, predicted_to, expected_delivery,
        destination_country, quiet_until, created_at, updated_at)
      select shop_id, id, order_id, tracking_number, carrier_reference, is_carrier_given,
        tracking_company, service, tracking_url, external_shipment_id, direction, phase, flag, current_event_key,
        current_event_at, current_event_at, products, placed_at, predicted_from, predicted_to, expected_delivery,
        destination_country, quiet_until, now, now
      from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, id uuid, order_id uuid, tracking_number text, carrier_reference text, is_carrier_given boolean,
         tracking_company text, service text, tracking_url text, external_shipment_id text, direction text, phase text,
         flag text, current_event_key text, current_event_at timestamptz, products jsonb, placed_at timestamptz,
         predicted_from timestamptz, predicted_to timestamptz, expected_delivery jsonb, destination_country text,
         quiet_until timestamptz, now timestamptz)
      on conflict do nothing
      returning shop_id, id, carrier_reference, tracking_number, placed_at, created_at as now
    ), ${enrolledCte(sql`fulfilled`)}
    ${writtenShipments}`.execute(context.db)
  wakeParcelWorkers(context, inserted.flatMap(toEnrolled))
  return new Set(inserted.map(({ id }) => id))
}

/** A shipment that was written, and the carrier that it was enrolled with, if any. */
interface WrittenShipment {
  id: string
  shopId: string
  enrolledCarrier: string | null
}

const writtenShipments = sql`
  select fulfilled.id, fulfilled.shop_id as "shopId", enrolled.carrier_reference as "enrolledCarrier"
  from fulfilled
  left join enrolled on enrolled.shop_id = fulfilled.shop_id and enrolled.shipment_id = fulfilled.id`

function toEnrolled({ shopId, enrolledCarrier }: WrittenShipment): EnrolledParcel[] {
  return enrolledCarrier === null ? [] : [{ shopId, carrierReference: enrolledCarrier }]
}

/** Turns drafts into fulfilled shipments. */
export async function fulfilShipments(context: Context, shipments: NewShipment[]): Promise<void> {
  if (shipments.length === 0) return
  const rows = shipments.map((shipment) => ({
    shop_id: shipment.shopId,
    id: shipment.id,
    ...fulfilmentColumns(shipment),
    quiet_until: context.isSilent ? shipment.now : null,
    now: shipment.now,
  }))
  const { rows: written } = await sql<WrittenShipment>`
    with fulfilled as (
      update shipments set
        tracking_number = given.tracking_number, carrier_reference = given.carrier_reference,
        is_carrier_given = given.is_carrier_given,
        tracking_company = given.tracking_company, service = given.service, tracking_url = given.tracking_url,
        external_shipment_id = coalesce(given.external_shipment_id, shipments.external_shipment_id),
        -- An event may have been recorded since the draft was read; the newer one wins.
        phase = case when given.current_event_at >= shipments.current_event_at then given.phase else shipments.phase end,
        flag = case when given.current_event_at >= shipments.current_event_at then given.flag else shipments.flag end,
        current_event_key = case when given.current_event_at >= shipments.current_event_at
          then given.current_event_key else shipments.current_event_key end,
        current_event_at = greatest(shipments.current_event_at, given.current_event_at),
        latest_event_at = greatest(shipments.latest_event_at, given.current_event_at),
        products = coalesce(given.products, shipments.products),
        placed_at = given.placed_at, predicted_from = given.predicted_from, predicted_to = given.predicted_to,
        expected_delivery = coalesce(given.expected_delivery, shipments.expected_delivery),
        destination_country = given.destination_country,
        quiet_until = coalesce(given.quiet_until, shipments.quiet_until), updated_at = greatest(shipments.updated_at, given.now)
      from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (shop_id uuid, id uuid, tracking_number text, carrier_reference text, is_carrier_given boolean,
         tracking_company text, service text, tracking_url text,
         external_shipment_id text, phase text, flag text, current_event_key text, current_event_at timestamptz,
         products jsonb, placed_at timestamptz, predicted_from timestamptz, predicted_to timestamptz,
         expected_delivery jsonb, destination_country text, quiet_until timestamptz, now timestamptz)
      where shipments.shop_id = given.shop_id and shipments.id = given.id
      returning shipments.shop_id, shipments.id, shipments.carrier_reference, shipments.tracking_number,
        shipments.placed_at, given.now
    ), ${enrolledCte(sql`fulfilled`)}
    ${writtenShipments}`.execute(context.db)
  wakeParcelWorkers(context, written.flatMap(toEnrolled))
}

function fulfilmentColumns(shipment: NewShipment) {
  const { predicted } = shipment
  return {
    tracking_number: shipment.trackingNumber,
    carrier_reference: shipment.carrierReference,
    is_carrier_given: shipment.isCarrierGiven,
    tracking_company: shipment.trackingCompany,
    service: shipment.service,
    tracking_url: shipment.trackingUrl,
    external_shipment_id: shipment.externalShipmentId,
    phase: shipment.phase,
    flag: shipment.flag,
    current_event_key: shipment.currentEventKey,
    current_event_at: shipment.currentEventAt,
    products: shipment.products,
    placed_at: shipment.placedAt,
    predicted_from: predicted?.from ?? null,
    predicted_to: predicted?.to ?? null,
    expected_delivery: predicted
      ? { start: predicted.from, end: predicted.to, source: 'history', updated_at: shipment.now }
      : null,
    destination_country: shipment.destinationCountry,
  }
}

/** Changes to an existing shipment; undefined leaves a field unchanged. */
export interface ShipmentDetails {
  shopId: string
  id: string
  trackingUrl?: string | null
  externalShipmentId?: string
  carrierReference?: string
  service?: string | null
  products?: unknown
  now: Date
}

export async function updateShipmentDetails(context: Context, changes: ShipmentDetails[]): Promise<void> {
  for (const change of changes) {
    await context.db
      .updateTable('shipments')
      .set({
        ...(change.trackingUrl === undefined ? {} : { tracking_url: change.trackingUrl }),
        ...(change.externalShipmentId === undefined ? {} : { external_shipment_id: change.externalShipmentId }),
        ...(change.carrierReference === undefined
          ? {}
          : { carrier_reference: change.carrierReference, is_carrier_given: true }),
        ...(change.service === undefined ? {} : { service: change.service }),
        ...(change.products === undefined ? {} : { products: JSON.stringify(change.products) }),
        updated_at: sql`greatest(updated_at, ${change.now})`,
      })
      .where('shop_id', '=', change.shopId)
      .where('id', '=', change.id)
      .execute()
    if (change.carrierReference !== undefined) await restartPolling(context, change.shopId, [change.id], change.now)
  }
}

export async function deleteShipments(context: Context, shopId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from shipments where shop_id = ${shopId} and id = any(${ids}::uuid[])`.execute(context.db)
  // Events last: a transaction that was recording one had the shipment locked, and is finished by now.
  await sql`delete from shipment_events where shop_id = ${shopId} and shipment_id = any(${ids}::uuid[])`.execute(
    context.db,
  )
}
