import { findCarrier } from '../../adapters/carriers/find.ts'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { eventStrings } from '../../platform/catalogue/texts/translate.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { chooseLanguage } from '../../platform/foundation/languages.ts'
import { readDeadline, readTime } from './evaluation-store.ts'
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

/** The time that the days are counted from. */
function beginningOf({ kind, ...row }: ExceptionRow, expectedBy: Date | undefined): Date {
  if (kind === 'stuck') return row.latest_event_at
  if (kind === 'late') return expectedBy && expectedBy < row.since ? expectedBy : row.since
  if (kind === 'at_risk') return row.since
  return row.current_event_at
}

function toIso(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** An English sentence on why a parcel is listed. The dashboard words the same facts in its own language. */
function describeReason(exception: Omit<Exception, 'reason'>): string {
  const { kind, facts } = exception
  const carrier = exception.carrier_name ?? 'The carrier'
  switch (kind) {
    case 'customs':
      return `${carrier} reported ${ago(facts.days)}: ${facts.last_event.text}. Help the customer to answer, otherwise the parcel is sent back.`
    case 'lost':
      return `${carrier} reported ${ago(facts.days)} that this parcel is lost.`
    case 'failed':
      return `${carrier} reported a problem ${ago(facts.days)}: ${facts.last_event.text}.`
    case 'returning':
      return `This parcel has been on its way back to you for ${daysIn(facts.days)}: ${facts.last_event.text}.`
    case 'stuck':
      return describeStuck(exception, carrier)
    case 'waiting':
      return `This parcel has been waiting at ${facts.pickup_name ?? 'a pick-up point'} for ${daysIn(facts.days)}${
        facts.pickup_by ? `; it can be picked up until ${dayFormat.format(new Date(facts.pickup_by))}` : ''
      }.`
    case 'late':
      return describeLate(facts)
    case 'at_risk':
      return describeRisk(facts)
  }
}

function describeLate({ promised_by, expected_by }: Exception['facts']): string {
  const isPromised = promised_by !== null && (expected_by === null || promised_by < expected_by)
  const day = isPromised ? promised_by : expected_by
  const by = day ? dayFormat.format(new Date(day)) : 'now'
  return `This parcel was ${isPromised ? 'promised' : 'expected'} by ${by} and has not arrived.`
}

function describeRisk({ promised_by, expected_by, chance }: Exception['facts']): string {
  const day = promised_by ?? expected_by
  const by = day ? `by ${dayFormat.format(new Date(day))}${promised_by ? ', as promised' : ''}` : 'in time'
  const likely = chance === null ? '' : `: the chance is ${Math.round(chance * 100)} percent`
  return `This parcel will probably not arrive ${by}${likely}.`
}

function describeStuck(exception: Omit<Exception, 'reason'>, carrier: string): string {
  const { facts, phase, direction, destination_country: country } = exception
  if (phase === 'order_processed') {
    return `The label was made ${daysIn(facts.days)} ago, and ${carrier} has not scanned the parcel yet.`
  }
  const silence = `${carrier} has not reported on this parcel for ${daysIn(facts.days)}`
  if (facts.usual_scan_hours === null) return `${silence}.`
  const route = country === null || isReturn(direction) ? 'such parcels' : `parcels to ${countryName(country)}`
  return `${silence}; ${route} usually get a scan at least every ${interval(facts.usual_scan_hours)}.`
}

/** Codes that shops write themselves may be none. */
function countryName(code: string): string {
  try {
    return countryNames.of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}

function interval(hours: number): string {
  if (hours < 24) return `${hours} hours`
  const days = Math.ceil(hours / 24)
  return days === 1 ? 'day' : `${days} days`
}

function daysIn(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

function ago(days: number): string {
  return days === 0 ? 'today' : `${daysIn(days)} ago`
}
