import { after } from '../../../platform/foundation/clock.ts'
import type { ReportedPickup, TrackedParcel } from '../provider.ts'
import { readSandboxNumber, type SandboxJourney } from '../sandbox-number.ts'
import type { PlaceName } from './places.ts'

/** The time of the first scan after `parcel.now`; undefined after the last one, and for other numbers. */
export function nextScanAt(parcel: TrackedParcel): Date | undefined {
  return scheduleOf(parcel)?.find(({ at }) => at > parcel.now)?.at
}

export interface Due {
  at: Date
  scan: JourneyScan
}

/** The first scan comes one step after fulfilment, and each further one a step later. Undefined for other numbers. */
export function scheduleOf({ trackingNumber, fulfilledAt }: TrackedParcel): Due[] | undefined {
  const number = readSandboxNumber(trackingNumber)
  return (
    number &&
    journeys[number.journey].map((scan, index) => ({ at: after(fulfilledAt, (index + 1) * number.stepMs), scan }))
  )
}

/** One scan: an event with the carrier's text at a place. */
interface JourneyScan {
  eventName: string
  text: string
  place: PlaceName
  /** The precision of the expected delivery from here on: two days, one day, hours, or none. */
  expects?: 'days' | 'day' | 'hours' | 'nothing'
  /** From here on, delivery is expected at this scan; initially at the last one. */
  expectedWith?: number
  pickup?: ReportedPickup
}

/** The scans of each journey, one step apart. */
const journeys: Record<SandboxJourney, readonly JourneyScan[]> = {
  DELIVERED: [
    scan('PARCEL_DATA_SUBMITTED_TO_CARRIER', 'hamburg', 'The shipment was announced electronically'),
    scan('PICKUP_SUCCESSFUL', 'hamburg', 'Picked up from the sender', { expects: 'days' }),
    scan('ARRIVED_AT_SORTING_CENTER', 'hamburg', 'Arrived at the parcel centre of origin'),
    scan('DISPATCHED_FROM_SORTING_CENTER', 'hamburg', 'Left the parcel centre of origin'),
    scan('ARRIVAL_AT_TRANSPORT_HUB', 'kassel', 'Arrived at the transport hub', { expects: 'day' }),
    scan('DEPARTURE_FROM_TRANSPORT_HUB', 'kassel', 'Left the transport hub'),
    scan('ACCEPTED_BY_DESTINATION_OFFICE', 'koeln', 'Arrived at the parcel centre of the recipient’s region'),
    scan('ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'koelnDepot', 'Arrived at the delivery depot'),
    scan('OUT_FOR_DELIVERY', 'koelnDepot', 'Loaded onto the delivery vehicle', { expects: 'hours' }),
    scan('SUCCESSFULLY_DELIVERED', 'koelnDepot', 'Delivered to the recipient', { expects: 'nothing' }),
  ],
  DELAYED: [
    scan('PARCEL_DATA_SUBMITTED_TO_CARRIER', 'rotterdam', 'The shipment was announced electronically'),
    scan('PICKUP_SUCCESSFUL', 'rotterdam', 'Picked up from the sender', { expects: 'days', expectedWith: 7 }),
    scan('DEPARTURE_FROM_TRANSPORT_HUB', 'venlo', 'Left the transport hub'),
    scan('ARRIVAL_AT_TRANSPORT_HUB', 'nuernberg', 'Arrived at the transport hub', { expects: 'day' }),
    scan('DELAY_IN_TRANSPORT', 'nuernberg', 'Delayed by heavy snow', { expects: 'days', expectedWith: 11 }),
    scan('DELAY_EXPECTED', 'nuernberg', 'Roads are still closed, delivery will be later than planned'),
    scan('DEPARTURE_FROM_TRANSPORT_HUB', 'nuernberg', 'Left the transport hub'),
    scan('ARRIVAL_IN_DESTINATION_COUNTRY', 'wien', 'Arrived in the destination country', { expects: 'day' }),
    scan('ARRIVED_AT_SORTING_CENTER', 'wien', 'Arrived at the parcel centre'),
    scan('ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'wienDepot', 'Arrived at the delivery depot'),
    scan('OUT_FOR_DELIVERY', 'wienDepot', 'Loaded onto the delivery vehicle', { expects: 'hours' }),
    scan('SUCCESSFULLY_DELIVERED', 'wienDepot', 'Delivered to the recipient', { expects: 'nothing' }),
  ],
  LOST: [
    scan('PARCEL_DATA_SUBMITTED_TO_CARRIER', 'bremen', 'The shipment was announced electronically'),
    scan('PARCEL_DROPPED_OFF_IN_PARCEL_SHOP', 'bremen', 'Handed in at a parcel shop', { expects: 'days' }),
    scan('ARRIVED_AT_SORTING_CENTER', 'bremen', 'Arrived at the parcel centre of origin'),
    scan('DISPATCHED_FROM_SORTING_CENTER', 'bremen', 'Left the parcel centre of origin', { expects: 'day' }),
    scan('ARRIVAL_AT_TRANSPORT_HUB', 'leipzig', 'Arrived at the transport hub'),
    scan('DELAY_IN_TRANSPORT', 'leipzig', 'The shipment is delayed', { expects: 'days' }),
    scan('MORE_INFO_ON_CARRIER_WEBSITE', 'leipzig', 'A search for the shipment was started', { expects: 'nothing' }),
    scan('SHIPMENT_LOST_IN_TRANSPORT', 'leipzig', 'The shipment could not be found'),
  ],
  RETURNED: [
    scan('PARCEL_DATA_SUBMITTED_TO_CARRIER', 'hamburg', 'The shipment was announced electronically'),
    scan('PICKUP_SUCCESSFUL', 'hamburg', 'Picked up from the sender', { expects: 'days', expectedWith: 6 }),
    scan('DEPARTURE_FROM_TRANSPORT_HUB', 'kassel', 'Left the transport hub'),
    scan('ARRIVED_AT_SORTING_CENTER', 'muenchen', 'Arrived at the parcel centre', { expects: 'day' }),
    scan('ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'muenchenDepot', 'Arrived at the delivery depot'),
    scan('OUT_FOR_DELIVERY', 'muenchenDepot', 'Loaded onto the delivery vehicle', { expects: 'hours' }),
    scan('DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE', 'muenchenDepot', 'The recipient refused the shipment', {
      expects: 'nothing',
    }),
    scan('SHIPMENT_REJECTED_RETURNING_TO_SENDER', 'muenchenDepot', 'On its way back to the sender'),
    scan('RETURN_IN_PROGRESS', 'nuernberg', 'Passed the transport hub on its way back'),
    scan('RETURN_IN_PROGRESS', 'hamburg', 'Arrived in the region of the sender'),
    scan('SHIPMENT_RETURNED_TO_SENDER', 'hamburg', 'Handed back to the sender'),
  ],
  NEIGHBOR: [
    scan('PARCEL_DATA_SUBMITTED_TO_CARRIER', 'leipzig', 'The shipment was announced electronically'),
    scan('PARCEL_DROPPED_OFF_WITH_CARRIER', 'leipzig', 'Handed in by the sender', { expects: 'days' }),
    scan('SORTING_COMPLETED_AT_PROCESSING_CENTER', 'leipzig', 'Sorted in the parcel centre of origin'),
    scan('TRANSPORT_DEPARTED', 'leipzig', 'On the road to the recipient’s region', { expects: 'day' }),
    scan('ARRIVED_AT_SORTING_CENTER', 'berlin', 'Arrived at the parcel centre'),
    scan('ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'berlinDepot', 'Arrived at the delivery depot'),
    scan('OUT_FOR_DELIVERY', 'berlinDepot', 'Loaded onto the delivery vehicle', { expects: 'hours' }),
    scan('SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', 'berlinDepot', 'Delivered to a neighbour', {
      expects: 'nothing',
      pickup: {
        type: 'neighbor',
        name: 'Familie Schneider',
        address: { street: 'Linienstraße 12', zip_code: '10115', city: 'Berlin', country_code: 'DE' },
      },
    }),
  ],
  LOCKER: [
    scan('PARCEL_DATA_SUBMITTED_TO_CARRIER', 'hannover', 'The shipment was announced electronically'),
    scan('PICKUP_SUCCESSFUL', 'hannover', 'Picked up from the sender', { expects: 'days', expectedWith: 7 }),
    scan('DISPATCHED_FROM_SORTING_CENTER', 'hannover', 'Left the parcel centre of origin'),
    scan('ARRIVED_AT_SORTING_CENTER', 'koeln', 'Arrived at the parcel centre', { expects: 'day' }),
    scan('DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_LOCKER', 'koeln', 'The recipient asked for a parcel locker'),
    scan('ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'koelnDepot', 'Arrived at the delivery depot'),
    scan('SHIPMENT_ON_ITS_WAY_TO_PICKUP_LOCATION', 'koelnDepot', 'On its way to the parcel locker', {
      expects: 'hours',
    }),
    scan('ARRIVED_AT_PARCEL_LOCKER', 'koelnDepot', 'Ready to be picked up at the parcel locker', {
      expects: 'nothing',
      pickup: {
        type: 'locker',
        name: 'Sandbox Locker 142',
        address: { street: 'Breslauer Platz 1', zip_code: '50668', city: 'Köln', country_code: 'DE' },
        url: 'https://sandbox.example/lockers/142',
        opening_hours: allWeek('00:00-24:00'),
      },
    }),
    scan('NOTIFICATION_SENT_TO_RECIPIENT', 'koelnDepot', 'The recipient was reminded of the shipment'),
    scan('SUCCESSFULLY_COLLECTED_AT_PARCEL_LOCKER', 'koelnDepot', 'Picked up from the parcel locker'),
  ],
  FAILED: [
    scan('PARCEL_DATA_SUBMITTED_TO_CARRIER', 'hannover', 'The shipment was announced electronically'),
    scan('PICKUP_SUCCESSFUL', 'hannover', 'Picked up from the sender', { expects: 'days', expectedWith: 5 }),
    scan('DEPARTURE_FROM_TRANSPORT_HUB', 'kassel', 'Left the transport hub', { expects: 'day' }),
    scan('ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'frankfurt', 'Arrived at the delivery depot'),
    scan('OUT_FOR_DELIVERY', 'frankfurt', 'Loaded onto the delivery vehicle', { expects: 'hours' }),
    scan('DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN', 'frankfurt', 'Nobody was at home, a second attempt follows', {
      expects: 'day',
      expectedWith: 7,
    }),
    scan('OUT_FOR_DELIVERY', 'frankfurt', 'Loaded onto the delivery vehicle', { expects: 'hours' }),
    scan('DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND', 'frankfurt', 'The address could not be found', {
      expects: 'nothing',
    }),
    scan('RETURNED_TO_DELIVERY_DEPOT', 'frankfurt', 'Back at the delivery depot, the sender has to give an address'),
  ],
  LETTERBOX: [
    scan('PARCEL_DATA_SUBMITTED_TO_CARRIER', 'paris', 'The shipment was announced electronically'),
    scan('PARCEL_DROPPED_OFF_AT_POST_OFFICE', 'paris', 'Handed in at a post office', { expects: 'days' }),
    scan('ARRIVED_AT_SORTING_CENTER', 'paris', 'Arrived at the parcel centre of origin'),
    scan('OUTBOUND_TRUCK_DEPARTED', 'paris', 'On the road to the recipient’s region', { expects: 'day' }),
    scan('PROCESSING_AT_TRANSPORT_HUB', 'strasbourg', 'Passed the transport hub'),
    scan('ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'lyon', 'Arrived at the delivery depot'),
    scan('OUT_FOR_DELIVERY', 'lyon', 'On the round of the letter carrier', { expects: 'hours' }),
    scan('SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX', 'lyon', 'Left in the letter box', {
      expects: 'nothing',
      pickup: { type: 'letterbox' },
    }),
  ],
}

function scan(
  eventName: string,
  place: PlaceName,
  text: string,
  more: Pick<JourneyScan, 'expects' | 'expectedWith' | 'pickup'> = {},
): JourneyScan {
  return { eventName, place, text, ...more }
}

function allWeek(hours: string): Record<string, string> {
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  return Object.fromEntries(days.map((day) => [day, hours]))
}
