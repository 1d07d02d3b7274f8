import type { Country } from './places.ts'

/** One scan: working days after hand-over, and the local time. */
export interface Scan {
  day: number
  time: string
  event: string
  at: 'warehouse' | 'hub' | 'depot' | 'door'
  /** The scan that names the pick-up point, or the person who accepted the parcel. */
  hasPickup?: boolean
}

/** The scans up to the working day on which it reaches its depot. */
export interface Route {
  way: Scan[]
  arrival: number
}

export type JourneyName = keyof typeof journeys

/** The outcomes of a parcel. */
export const journeys = {
  notScanned: () => [],
  announced: () => [scan(0, '15:40', 'PARCEL_DATA_SUBMITTED_TO_CARRIER', 'warehouse')],
  inTransit: ({ way }: Route) => way,
  outForDelivery: lastMile,
  delivered: (route: Route) => handedOver(route, 'SUCCESSFULLY_DELIVERED'),
  leftAtDoor: (route: Route) => handedOver(route, 'SUCCESSFULLY_DELIVERED_AND_LEFT_AT_DOOR'),
  intoLetterbox: (route: Route) => handedOver(route, 'SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX'),
  toNeighbour: (route: Route) => [
    ...lastMile(route),
    pickup(scan(route.arrival, '11:25', 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', 'door')),
  ],
  deliveredAtSecondAttempt: (route: Route) => [
    ...handedOver(route, 'DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN'),
    scan(route.arrival + 1, '07:20', 'OUT_FOR_DELIVERY', 'depot'),
    scan(route.arrival + 1, '10:55', 'SUCCESSFULLY_DELIVERED', 'door'),
  ],
  waitingInLocker: toLocker,
  collectedFromLocker: (route: Route) => [
    ...toLocker(route),
    pickup(scan(route.arrival + 1, '17:45', 'SUCCESSFULLY_COLLECTED_AT_PARCEL_LOCKER', 'door')),
  ],
  waitingInShop: (route: Route) => [
    ...handedOver(route, 'DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION'),
    pickup(scan(route.arrival, '16:30', 'ARRIVED_AT_PARCEL_SHOP', 'depot')),
  ],
  delayed: ({ way, arrival }: Route) => [...way, scan(arrival, '06:15', 'DELAY_IN_TRANSPORT', 'hub')],
  heldAtCustoms: ({ way, arrival }: Route) => [
    ...way,
    scan(arrival, '14:05', 'HELD_AT_CUSTOMS_FOR_CLARIFICATIONS', 'hub'),
  ],
  nobodyAtHome: (route: Route) => handedOver(route, 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT'),
  addressNotFound: (route: Route) => handedOver(route, 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND'),
  lost: ({ way, arrival }: Route) => [
    ...way,
    scan(arrival, '09:10', 'SHIPMENT_MISROUTED', 'hub'),
    scan(arrival + 4, '10:30', 'SHIPMENT_LOST_IN_TRANSIT', 'hub'),
  ],
  damaged: ({ way, arrival }: Route) => [
    ...way,
    scan(arrival, '05:30', 'ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'depot'),
    scan(arrival, '09:05', 'SHIPMENT_DAMAGED', 'depot'),
  ],
  refusedAndReturning: (route: Route) => [
    ...handedOver(route, 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE'),
    scan(route.arrival + 1, '05:50', 'SHIPMENT_REJECTED_RETURNING_TO_SENDER', 'depot'),
  ],
  returned: (route: Route) => [
    ...handedOver(route, 'DELIVERY_ATTEMPTED_ADDRESSEE_MOVED'),
    scan(route.arrival + 1, '05:50', 'SHIPMENT_RETURNING_TO_SENDER', 'depot'),
    scan(route.arrival + 4, '10:20', 'SHIPMENT_RETURNED_TO_SENDER', 'warehouse'),
  ],
  returnFailed: (route: Route) => [
    ...handedOver(route, 'DELIVERY_ATTEMPTED_ADDRESSEE_NOT_KNOWN_AT_ADDRESS'),
    scan(route.arrival + 1, '05:50', 'RETURN_IN_PROGRESS', 'depot'),
    scan(route.arrival + 4, '13:15', 'RETURN_TO_SENDER_FAILED', 'hub'),
  ],
}

/** The journeys of returns. */
export const returnJourneys = {
  labelMade: [],
  onItsWayBack: [
    scan(0, '17:10', 'PARCEL_DROPPED_OFF_IN_PARCEL_SHOP', 'depot'),
    scan(1, '01:20', 'ARRIVED_AT_SORTING_CENTER', 'hub'),
  ],
  received: [
    scan(0, '17:10', 'PARCEL_DROPPED_OFF_IN_PARCEL_SHOP', 'depot'),
    scan(1, '01:20', 'ARRIVED_AT_SORTING_CENTER', 'hub'),
    scan(2, '09:35', 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER', 'warehouse'),
  ],
}

const setsOff = [
  scan(0, '17:20', 'PICKUP_SUCCESSFUL', 'warehouse'),
  scan(0, '21:40', 'DISPATCHED_FROM_SORTING_CENTER', 'warehouse'),
]

/** From the warehouse to the country's hub, and the usual day of arrival at the depot. */
export const routes: Record<Country['way'], Route> = {
  domestic: { way: [...setsOff, scan(1, '01:20', 'ARRIVED_AT_SORTING_CENTER', 'hub')], arrival: 1 },
  union: {
    way: [
      ...setsOff,
      scan(1, '04:50', 'DEPARTURE_FROM_TRANSPORT_HUB', 'warehouse'),
      scan(2, '05:40', 'ARRIVAL_IN_DESTINATION_COUNTRY', 'hub'),
    ],
    arrival: 3,
  },
  customs: {
    way: [
      ...setsOff,
      scan(1, '05:20', 'EXPORT_PROCESSING', 'warehouse'),
      scan(2, '06:10', 'ARRIVAL_IN_DESTINATION_COUNTRY', 'hub'),
      scan(2, '10:15', 'CUSTOMS_PROCESSING', 'hub'),
      scan(3, '09:40', 'COMPLETION_OF_CUSTOMS_PROCESSING', 'hub'),
    ],
    arrival: 4,
  },
}

function lastMile({ way, arrival }: Route): Scan[] {
  return [
    ...way,
    scan(arrival, '05:30', 'ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'depot'),
    scan(arrival, '07:20', 'OUT_FOR_DELIVERY', 'depot'),
  ]
}

function handedOver(route: Route, event: string): Scan[] {
  return [...lastMile(route), scan(route.arrival, '11:25', event, 'door')]
}

function toLocker({ way, arrival }: Route): Scan[] {
  return [
    ...way,
    scan(arrival, '05:30', 'ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'depot'),
    pickup(scan(arrival, '12:10', 'ARRIVED_AT_PARCEL_LOCKER', 'depot')),
  ]
}

function scan(day: number, time: string, event: string, at: Scan['at']): Scan {
  return { day, time, event, at }
}

function pickup(scanned: Scan): Scan {
  return { ...scanned, hasPickup: true }
}
