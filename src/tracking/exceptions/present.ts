import { findCarrier } from '../../adapters/carriers/find.ts'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { eventStrings } from '../../platform/catalogue/texts/translate.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { chooseLanguage } from '../../platform/foundation/languages.ts'
import { readDeadline, readTime } from './evaluation-store.ts'
import { describeReason } from './reason.ts'
import type { Exception } from './schema.ts'
import type { ExceptionRow } from './store.ts'

export function toException(context: ShopContext, row: ExceptionRow): Exception {
  const facts = factsOf(context, row)
  const carrierName = row.carrier_reference === null ? undefined : findCarrier(row.carrier_reference)?.name
  const shown = {
    shipment_id: row.shipment_id,
    order_id: row.order_id,
    order_number: row.order_number,
    customer_name: row.customer_name,
    tracking_number: row.tracking_number,
    carrier_reference: row.carrier_reference,
    carrier_name: carrierName ?? row.tracking_company,
    destination_country: row.destination_country,
    direction: row.direction as Exception['direction'], // only these are ever stored
    phase: row.phase as Exception['phase'], // from the catalogue
    flag: row.flag as Exception['flag'], // from the catalogue
    kind: row.kind,
    other_kinds: row.other_kinds,
    since: row.since.toISOString(),
    facts,
    state: row.state,
    assigned_to: row.assigned_to,
    snoozed_until: toIso(row.snoozed_until),
    resolved_at: toIso(row.resolved_at),
    resolved_by: row.resolved_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
  return { ...shown, reason: describeReason(shown) }
}

function factsOf(context: ShopContext, row: ExceptionRow): Exception['facts'] {
  const expectedBy = readTime(row.expected_delivery?.end ?? null)
  const language = chooseLanguage(context.acceptLanguage, context.shop.language)
  const text = { isReturn: isReturn(row.direction), shopName: context.shop.name }
  return {
    days: Math.max(0, Math.floor((context.now.getTime() - beginningOf(row, expectedBy).getTime()) / dayMs)),
    stuck_after_days: row.stuck_after_days,
    usual_scan_hours: row.usual_scan_hours,
    expected_by: toIso(expectedBy),
    expected_source: expectedBy ? (row.expected_delivery?.source ?? null) : null,
    promised_by: row.promised_by,
    chance: [row.kind, ...row.other_kinds].includes('at_risk') ? row.chance : null,
    last_event: {
      event_name: row.current_event_key,
      text: eventStrings(language, row.current_event_key, text).list_label,
      time: row.current_event_at.toISOString(),
      city: row.location?.city ?? null,
      country_code: row.location?.country_code ?? null,
    },
    last_report_at: row.latest_event_at.toISOString(),
    pickup_name: row.pickup?.name ?? null,
    pickup_type: row.pickup?.type ?? null,
    pickup_by: toIso(readDeadline(row.pickup?.date_to ?? null)),
  }
}

/** What the days are counted from. */
function beginningOf({ kind, ...row }: ExceptionRow, expectedBy: Date | undefined): Date {
  if (kind === 'stuck') return row.latest_event_at
  if (kind === 'late') return expectedBy && expectedBy < row.since ? expectedBy : row.since
  if (kind === 'at_risk') return row.since
  return row.current_event_at
}

function toIso(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null
}
