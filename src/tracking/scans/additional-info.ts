import { findCarrier, trackingUrl } from '../../adapters/carriers/choose.ts'
import type { ParcelReport, ReportedPickup } from '../../adapters/carriers/provider.ts'
import type { EventMeaning } from '../../platform/catalogue/catalogue.ts'
import { cutText } from '../../platform/foundation/storable-text.ts'
import { webAddress } from '../../platform/foundation/web-address.ts'

/** The details of an event beyond its name and place, as in the API. */
export interface AdditionalInfo {
  carrier_name?: string
  tracking_company?: string
  tracking_link?: string
  merchant_name?: string
  pickup_point?: string
  pickup_point_url?: string
  /** The last day on which the parcel can be picked up. */
  pickup_time?: string
  pickup_opening_hours?: Record<string, string>
}

const maxTextLength = 300

/** From what a provider reported about the parcel; null if it reported nothing of the kind. */
export function additionalInfoOf(report: ParcelReport, meaning: EventMeaning): AdditionalInfo | null {
  const { carrierReference, carrierName, trackingNumber } = report
  const known = carrierReference === undefined ? undefined : findCarrier(carrierReference)
  const carrierPage = known && trackingUrl(known.reference, trackingNumber)
  const isAboutPickup = meaning.phase === 'collect' || meaning.name === 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR'
  const info: { [Field in keyof AdditionalInfo]: AdditionalInfo[Field] | undefined } = {
    carrier_name: known?.name ?? shortText(carrierName),
    tracking_company: shortText(carrierName),
    tracking_link: webAddress(report.trackingLink) ?? webAddress(carrierPage),
    merchant_name: shortText(report.senderName),
    ...(report.pickup && isAboutPickup ? infoOfPickup(report.pickup) : {}),
  }
  const given = Object.entries(info).filter(([, value]) => value !== undefined)
  // Names and types are those of the interface; only absent values were removed.
  return given.length === 0 ? null : (Object.fromEntries(given) as AdditionalInfo)
}

function shortText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cutText(text, maxTextLength)
}

function infoOfPickup(pickup: ReportedPickup) {
  // The address of a neighbour is not sent to everyone who is notified.
  const { street, zip_code, city } = (pickup.type === 'neighbor' ? undefined : pickup.address) ?? {}
  const town = [zip_code, city].filter((part) => part).join(' ')
  const point = [pickup.name, street, town].filter((part) => part).join(', ')
  return {
    pickup_point: shortText(point || undefined),
    pickup_point_url: webAddress(pickup.url),
    pickup_time: pickup.date_to,
    pickup_opening_hours: pickup.opening_hours,
  }
}
