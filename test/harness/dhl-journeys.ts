/** Statuses of a service of DHL, newest first as DHL lists them: its status code, its own code and the day and time. */
export interface DhlJourney {
  service: string
  country: string
  entries: [statusCode: string, status: string, timestamp: string][]
}

/**
 * A parcel of DHL Parcel NL, in the shape of a recorded response: 42 entries, codes with underscores. Nobody is at home, so it
 * goes to a service point, where nobody fetches it, and back to its sender.
 */
export const parcelNl: DhlJourney = {
  service: 'parcel-nl',
  country: 'NL',
  entries: [
    ['delivered', 'DELIVERED_AT_SHIPPER', '2026-11-19T10:12:41'],
    ['transit', 'OUT_FOR_DELIVERY', '2026-11-19T07:55:10'],
    ['transit', 'LOAD_VEHICLE', '2026-11-19T07:31:02'],
    ['transit', 'DELIVERY_PLANNED_IN_ROUTE', '2026-11-19T05:48:33'],
    ['transit', 'PARCEL_ARRIVED_AT_LOCAL_DEPOT', '2026-11-19T04:20:19'],
    ['transit', 'DEPARTURE', '2026-11-18T23:05:47'],
    ['transit', 'PARCEL_SORTED_AT_HUB', '2026-11-18T21:16:28'],
    ['transit', 'PARCEL_SCANNED_AT_RETURN_HUB', '2026-11-18T19:02:54'],
    ['transit', 'PARCEL_RELABELED_FOR_RETURN_TO_SHIPPER', '2026-11-18T18:40:06'],
    ['transit', 'PARCEL_SCANNED_FOR_RETURN_TO_HUB', '2026-11-18T16:25:37'],
    ['transit', 'PARCEL_COLLECTED_AT_PARCELSHOP_BY_COURIER', '2026-11-18T14:10:22'],
    ['transit', 'PARCEL_READY_FOR_RETURN_TO_HUB', '2026-11-18T09:00:11'],
    ['failure', 'STORAGE_PERIOD_ENDED_AT_PARCELSHOP', '2026-11-18T08:00:00'],
    ['transit', 'REMINDER_FOR_COLLECTION_SENT_LETTER', '2026-11-16T09:30:44'],
    ['transit', 'REMINDER_FOR_COLLECTION_SENT_SMS', '2026-11-14T09:30:12'],
    ['transit', 'REMINDER_FOR_COLLECTION_SENT_EMAIL', '2026-11-12T09:30:07'],
    ['transit', 'NOTIFICATION_FOR_PARCELSHOP_COLLECTION_HAS_BEEN_SENT', '2026-11-05T17:22:58'],
    ['transit', 'DELIVERED_AT_PARCELSHOP', '2026-11-05T17:21:36'],
    ['transit', 'PARCEL_HANDED_OVER_TO_COURIER', '2026-11-05T08:44:19'],
    ['transit', 'PARCEL_RESORTED_AT_HUB', '2026-11-05T02:37:51'],
    ['transit', 'FORWARD_DESTINATION', '2026-11-04T22:19:40'],
    ['transit', 'INTERVENTION_SYSTEM_REQUESTS_DELIVERY_AT_PARCELSHOP', '2026-11-04T18:06:13'],
    ['transit', 'PARCEL_RETURNED_FROM_ROUTE', '2026-11-04T17:58:27'],
    ['transit', 'NOTIFICATION_NOT_HOME_TO_PARCELSHOP', '2026-11-04T15:47:55'],
    ['failure', 'NOT_HOME', '2026-11-04T15:46:31'],
    ['transit', 'PARCEL_WILL_BE_DELIVERED_SOON', '2026-11-04T15:20:08'],
    ['transit', 'OUT_FOR_DELIVERY', '2026-11-04T09:14:46'],
    ['transit', 'LOAD_VEHICLE', '2026-11-04T08:51:23'],
    ['transit', 'NOTIFICATION_OF_TIME_FRAME_HAS_BEEN_SENT', '2026-11-04T08:30:00'],
    ['transit', 'INFORMATION_ON_DELIVERY_TRANSMITTED', '2026-11-04T07:05:39'],
    ['transit', 'DELIVERY_PLANNED_IN_ROUTE', '2026-11-04T06:12:17'],
    ['transit', 'PARCEL_ARRIVED_AT_LOCAL_DEPOT', '2026-11-04T04:33:50'],
    ['transit', 'UNLOAD_VEHICLE', '2026-11-04T04:10:29'],
    ['transit', 'DEPARTURE', '2026-11-04T00:45:14'],
    ['transit', 'PICTURE_TAKEN_OF_PARCEL', '2026-11-03T23:02:06'],
    ['transit', 'REWEIGH', '2026-11-03T23:02:03'],
    ['transit', 'PARCEL_SORTED_AT_HUB', '2026-11-03T23:01:58'],
    ['transit', 'UNLOAD_VEHICLE', '2026-11-03T22:40:35'],
    ['transit', 'COLLECTED', '2026-11-03T17:19:42'],
    ['pre-transit', 'COLLECTION_PLANNED_IN_ROUTE', '2026-11-03T11:08:27'],
    ['pre-transit', 'PRENOTIFICATION_RECEIVED', '2026-11-03T10:02:16'],
    ['pre-transit', 'LEG_CREATED', '2026-11-03T10:02:15'],
  ],
}

/** Short journeys of the other services, each with the codes of its own. */
export const otherServices: DhlJourney[] = [
  {
    service: 'ecommerce',
    country: 'US',
    entries: [
      ['delivered', '600', '2026-11-06T13:05:00'],
      ['transit', '598', '2026-11-06T08:10:00'],
      ['failure', '551', '2026-11-05T14:40:00'],
      ['transit', '494', '2026-11-05T05:30:00'],
      ['transit', '200', '2026-11-03T21:15:00'],
      ['pre-transit', '400', '2026-11-03T09:00:00'],
    ],
  },
  {
    service: 'ecommerce-europe',
    country: 'BE',
    entries: [
      ['delivered', '66', '2026-11-06T17:20:00'],
      ['delivered', '44', '2026-11-05T16:00:00'],
      ['failure', '73', '2026-11-05T11:30:00'],
      ['transit', '42', '2026-11-05T08:00:00'],
      ['transit', '33', '2026-11-04T19:00:00'],
      ['pre-transit', '1', '2026-11-03T09:00:00'],
    ],
  },
  {
    service: 'parcel-pl',
    country: 'PL',
    entries: [
      ['delivered', 'SP_DOR', '2026-11-06T17:20:00'],
      ['transit', 'SP_DSP', '2026-11-05T16:00:00'],
      ['failure', 'AWI', '2026-11-05T11:30:00'],
      ['transit', 'LK', '2026-11-05T08:00:00'],
      ['transit', 'DWP', '2026-11-04T19:00:00'],
      ['pre-transit', 'EDWP', '2026-11-03T09:00:00'],
    ],
  },
  {
    service: 'ecommerce-ppl',
    country: 'CZ',
    entries: [
      ['delivered', '450', '2026-11-06T17:20:00'],
      ['transit', '343', '2026-11-05T16:00:00'],
      ['transit', '300', '2026-11-05T05:30:00'],
      ['pre-transit', '900', '2026-11-03T09:00:00'],
    ],
  },
  {
    service: 'svb',
    country: 'DE',
    entries: [
      ['delivered', 'FETCHED', '2026-11-06T17:20:00'],
      ['transit', 'NOTIFIED', '2026-11-05T16:00:00'],
      ['transit', 'IN_DELIVERY', '2026-11-05T08:00:00'],
      ['pre-transit', 'ANNOUNCED', '2026-11-03T09:00:00'],
    ],
  },
  {
    service: 'dgf',
    country: 'US',
    entries: [
      ['delivered', 'DELIVERED', '2026-11-08T17:20:00'],
      ['transit', 'OUT_FOR_DELIVERY', '2026-11-08T08:00:00'],
      ['transit', 'CLEARED_BY_CUSTOMS', '2026-11-06T08:00:00'],
      ['pre-transit', 'DATA_SUBMITTED', '2026-11-03T09:00:00'],
    ],
  },
  {
    service: 'freight',
    country: 'SE',
    entries: [
      ['delivered', '21-0', '2026-11-08T17:20:00'],
      ['failure', '56-211', '2026-11-07T12:00:00'],
      ['transit', '24-501', '2026-11-07T08:00:00'],
      ['pre-transit', 'ACT-2', '2026-11-03T09:00:00'],
    ],
  },
]

/**
 * A shipment as the Unified API returns it. The first entry is its latest status, too. `lastDay` moves the journey by whole
 * days, so that it ends then.
 */
export function toShipment(
  { service, country, entries }: DhlJourney,
  id: string,
  lastDay = entries[0]?.[2].slice(0, 10),
): Record<string, unknown> {
  const movedBy = Date.parse(`${lastDay}T00:00:00Z`) - Date.parse(`${entries[0]?.[2].slice(0, 10)}T00:00:00Z`)
  const events = entries.map(([statusCode, status, timestamp]) => ({
    timestamp: new Date(Date.parse(`${timestamp}Z`) + movedBy).toISOString().slice(0, 19),
    location: { address: { countryCode: country, addressLocality: 'Depot 7' } },
    statusCode,
    status,
    description: 'Een zin die niemand hier leest',
    remark: '',
    nextSteps: '',
  }))
  return {
    id,
    serviceUrl: `https://www.dhl.com/track?id=${id}`,
    service,
    destination: { address: { countryCode: country, postalCode: '1017', addressLocality: 'Stad' } },
    status: events[0],
    details: { product: { productName: 'DHL' }, references: [] },
    events,
  }
}
