import { findCarrier } from '../../adapters/carriers/find.ts'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { eventStrings } from '../../platform/catalogue/texts/translate.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { statusOf } from '../orders/rules.ts'
import { languageFor } from '../shipments/present.ts'
import type { OrderSummary, ParcelSummary, ShipmentSummary } from './schema.ts'
import type { StoredParcel, StoredShipmentSummary, StoredSummary } from './summary-store.ts'

/** An order may have a hundred parcels; its page shows them all. */
const shownParcels = 10

export function toOrderSummary(context: ShopContext, stored: StoredSummary): OrderSummary {
  return {
    order_id: stored.id,
    order_number: stored.order_number,
    order_name: stored.order_name,
    customer_name: stored.customer_name,
    email_id: stored.email_id,
    is_erased: stored.erased_at !== null,
    zip_code: stored.zip_code,
    country_code: stored.country_code,
    placed_at: stored.order_placed_at.toISOString(),
    status: statusOf(stored.parcels, stored.expected_number_of_shipments),
    nothing_to_send: stored.nothing_to_send,
    handed_over_without_tracking: stored.handed_over_without_tracking,
    total_order_price: stored.total_order_price,
    currency: stored.currency ?? 'EUR',
    claims: stored.claims,
    parcel_count: stored.parcels.length,
    parcels: stored.parcels.slice(0, shownParcels).map((parcel) => toParcelSummary(context, parcel)),
    updated_at: stored.updated_at.toISOString(),
  }
}

function toParcelSummary(context: ShopContext, stored: StoredParcel): ParcelSummary {
  return {
    shipment_id: stored.id,
    ...carrierOf(stored),
    ...stateOf(context, stored),
    current_event_at: new Date(stored.current_event_at).toISOString(),
    updated_at: new Date(stored.updated_at).toISOString(),
  }
}

export function toShipmentSummary(context: ShopContext, stored: StoredShipmentSummary): ShipmentSummary {
  const { expected_delivery: expected } = stored
  return {
    shipment_id: stored.id,
    order_id: stored.order_id,
    order_number: stored.order_number,
    order_name: stored.order_name,
    customer_name: stored.customer_name,
    email_id: stored.email_id,
    is_erased: stored.erased_at !== null,
    ...carrierOf(stored),
    ...stateOf(context, stored),
    current_event_at: stored.current_event_at.toISOString(),
    expected_delivery: expected && {
      from: new Date(expected.start).toISOString(),
      to: new Date(expected.end).toISOString(),
      source: expected.source,
    },
    destination_country: stored.destination_country,
    sent_at: stored.tracking_number === null ? null : stored.placed_at.toISOString(),
    delivered_at: stored.delivered_at?.toISOString() ?? null,
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at.toISOString(),
  }
}

function carrierOf(
  stored: Pick<StoredParcel, 'tracking_number' | 'carrier_reference' | 'tracking_company'>,
): Pick<ParcelSummary, 'tracking_number' | 'carrier_reference' | 'carrier_name'> {
  const { tracking_number, carrier_reference, tracking_company } = stored
  const name = (carrier_reference && findCarrier(carrier_reference)?.name) || tracking_company
  return { tracking_number, carrier_reference, carrier_name: name || null }
}

type State = Pick<ParcelSummary, 'is_return' | 'phase' | 'flag' | 'current_event_key' | 'event_status'>

function stateOf(
  context: ShopContext,
  stored: Pick<StoredParcel, 'direction' | 'phase' | 'flag' | 'current_event_key'>,
): State {
  const options = { isReturn: isReturn(stored.direction), shopName: context.shop.name }
  return {
    is_return: options.isReturn,
    phase: stored.phase as State['phase'], // from the catalogue
    flag: stored.flag as State['flag'], // from the catalogue
    current_event_key: stored.current_event_key,
    event_status: eventStrings(languageFor(context), stored.current_event_key, options).event_status,
  }
}
