import { getMeaning, isAllowedForDrafts } from '../../platform/catalogue/catalogue.ts'
import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { instant } from '../../platform/foundation/schema.ts'
import { findFirstShipments, findShipmentByExternalId, type OrderIdentifier } from '../shipments/store.ts'
import { recordAndPublish } from './record.ts'
import {
  type EventCreation,
  EventCreation as EventCreationSchema,
  EventOfShipment,
  EventQuery,
  EventReply,
} from './schema.ts'
import type { EventOutcome } from './store.ts'

export const createShipmentEvent = operation({
  name: 'createShipmentEvent',
  summary: 'Record an event of a shipment',
  description:
    'Name the shipment by its tracking number (the newest shipment with it), its uuid, its external id, or by its order if that has exactly one shipment. The phase follows the latest event by event time.',
  area: 'Shipment events',
  route: 'POST /v1/shop/{slug}/shipment-events',
  alias: 'POST /v1/shops/{slug}/shipment-events',
  needs: 'editor',
  query: EventQuery,
  body: EventCreationSchema,
  reply: EventReply,
  errors: ['shipment_not_found', 'shipment_exists'],
  audit: {
    kind: 'shipment',
    only: 'by hand',
    id: (_context, { body }) => body.id,
    outcome: (_context, { body, query }) => outcomeOf(body, query.notify === true),
  },
  async handle(context, { body, query }) {
    return record(context, await resolveShipment(context, body), body, query.notify === true)
  },
})

export const createEventOfShipment = operation({
  name: 'createEventOfShipment',
  summary: 'Record an event of the shipment with this uuid',
  description: 'As POST /shipment-events does, for a shipment whose id is known.',
  area: 'Shipment events',
  route: 'POST /v1/shops/{slug}/shipments/{shipment_id}/events',
  needs: 'editor',
  query: EventQuery,
  body: EventOfShipment,
  reply: EventReply,
  errors: ['shipment_not_found', 'shipment_exists'],
  audit: {
    kind: 'shipment',
    only: 'by hand',
    outcome: (_context, { body, query }) => outcomeOf(body, query.notify === true),
  },
  async handle(context, { path, body, query }) {
    return record(context, { shipmentId: path.shipment_id, trackingNumber: null }, body, query.notify === true)
  },
})

/** The fields that the audit log records of an event that a person adds. */
function outcomeOf(body: Pick<EventCreation, 'event_name' | 'event_time'>, isNotified: boolean): object {
  return { event_name: body.event_name, event_time: body.event_time ?? null, notify: isNotified }
}

/** Events of requests in flight at the same moment are recorded by one statement. */
const recordEvent = coalesced(recordAndPublish)

interface ShipmentReference {
  shipmentId: string | null
  trackingNumber: string | null
}

async function record(
  context: ShopContext,
  shipment: ShipmentReference,
  body: Pick<EventCreation, 'event_name' | 'event_time' | 'external_id'>,
  isNotified: boolean,
): Promise<EventReply> {
  const meaning = getMeaning(body.event_name)
  const eventTime = body.event_time ? instant(body.event_time) : context.now
  const outcome = await recordEvent(context, {
    shopId: context.shop.id,
    ...shipment,
    eventKey: meaning.name,
    phase: meaning.phase,
    flag: meaning.flag,
    movesPhase: meaning.movesPhase,
    isAllowedForDrafts: isAllowedForDrafts(meaning),
    eventTime,
    externalId: body.external_id ?? null,
    timezone: null,
    location: null,
    additionalInfo: null,
    source: 'api',
    isNotified,
    now: context.now,
  })
  return toReply(outcome, meaning.name, eventTime)
}

function toReply(outcome: EventOutcome, eventKey: string, eventTime: Date): EventReply {
  switch (outcome.result) {
    case 'no shipment':
      throw new ApiError('shipment_not_found', 'There is no such shipment in this shop.')
    case 'not allowed for drafts':
      throw invalid(['body', 'event_name'], 'requires a shipment with a tracking number; this one is a draft')
    case 'duplicate':
      throw new ApiError(
        'shipment_exists',
        `This shipment already has the event ${eventKey} at ${eventTime.toISOString()}.`,
      )
    case 'recorded':
      return {
        events: [{ event_key: eventKey, time: eventTime.toISOString(), timezone: null, location: null }],
        expected_delivery: toExpected(outcome.expectedDelivery),
        additional_info: null,
        pickup_location: outcome.pickup as EventReply['pickup_location'], // written in this shape only
      }
  }
}

function toExpected(stored: unknown): EventReply['expected_delivery'] {
  if (stored === null) return null
  const { start, end, source, updated_at } = stored as {
    start: string
    end: string
    source: string
    updated_at?: string
  }
  return { start, end, source, updated_at: updated_at ?? null }
}

/** The shipment that a request names. If it names an order, the order must have exactly one shipment. */
async function resolveShipment(context: ShopContext, body: EventCreation): Promise<ShipmentReference> {
  const idType = body.id_type ?? 'tracking_number'
  switch (idType) {
    case 'tracking_number':
      return { shipmentId: null, trackingNumber: body.id }
    case 'shipment_uuid':
      return { shipmentId: parseUuid(body.id), trackingNumber: null }
    case 'external_shipment_id': {
      const shipmentId = await findShipmentByExternalId(context, body.id)
      if (shipmentId === undefined)
        throw new ApiError('shipment_not_found', `There is no shipment ${JSON.stringify(body.id)}.`)
      return { shipmentId, trackingNumber: null }
    }
    case 'order_uuid':
      return getOnlyShipment(context, { column: 'id', value: parseUuid(body.id) })
    case 'order_number':
      return getOnlyShipment(context, { column: 'order_number', value: body.id })
    case 'external_order_id':
      return getOnlyShipment(context, { column: 'external_id', value: body.id })
  }
}

async function getOnlyShipment(context: ShopContext, order: OrderIdentifier): Promise<ShipmentReference> {
  const [shipmentId, another] = await findFirstShipments(context, order)
  if (shipmentId === undefined)
    throw new ApiError('shipment_not_found', `There is no order ${JSON.stringify(order.value)} with a shipment.`)
  if (another !== undefined) {
    throw new ApiError(
      'shipment_not_found',
      'This order has several shipments. Name one by its tracking number or uuid.',
    )
  }
  return { shipmentId, trackingNumber: null }
}

function parseUuid(id: string): string {
  if (!isUuid(id)) throw invalid(['body', 'id'], 'must be a UUID for this id_type')
  return id
}
