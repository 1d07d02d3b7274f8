import { isReturn } from '../../platform/catalogue/catalogue.ts'
import type { Exception } from './schema.ts'

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** Why a parcel is listed, as an English sentence. The dashboard words the same facts in its own language. */
export function describeReason(exception: Omit<Exception, 'reason'>): string {
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
