import { choiceIn, type ListSearch, listSearch, type RawSearch, textIn } from '../../kit/list/search.ts'

export const deliveryStatuses = ['pending', 'delivered', 'skipped', 'dead'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface DeliverySearch extends ListSearch {
  status?: DeliveryStatus | undefined
  /** An event name. */
  event?: string | undefined
}

/** The state of a list of deliveries in the address. */
export function deliverySearch(search: RawSearch): DeliverySearch {
  return {
    ...listSearch(search),
    status: choiceIn(search, 'status', deliveryStatuses),
    event: textIn(search, 'event'),
  }
}

export const endpointStatuses = ['active', 'inactive'] as const

export interface EndpointSearch extends ListSearch {
  status?: (typeof endpointStatuses)[number] | undefined
}

/** The state of the list of endpoints in the address. */
export function endpointSearch(search: RawSearch): EndpointSearch {
  return { ...listSearch(search), status: choiceIn(search, 'status', endpointStatuses) }
}
