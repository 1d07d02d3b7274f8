import { findMatching, type TriggerPreview } from '../../orders/internal-triggers/preview-store.ts'
import { hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { created, operation, PagedQuery } from '../../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../../platform/foundation/page.ts'
import { NullReply, type Static } from '../../platform/foundation/schema.ts'
import type { TriggerReceiver } from './integrations.ts'
import {
  deleteInternalTrigger,
  findInternalTrigger,
  insertInternalTrigger,
  listInternalTriggers,
  updateInternalTrigger,
} from './internal-trigger-store.ts'
import {
  InternalTrigger,
  InternalTriggerCreation,
  InternalTriggerDraft,
  InternalTriggerPreview,
  InternalTriggerUpdate,
  integrationPath,
  previewCountLimit,
  previewListLimit,
} from './trigger-schema.ts'

const auditedTrigger = {
  kind: 'internal_trigger',
  read: (context: ShopContext, id: string, { path }: { path: { integration: string } }) =>
    findInternalTrigger(context, receiverOf(path), id),
}

export const searchInternalTriggers = operation({
  name: 'listInternalTriggers',
  summary: 'List the internal triggers of an integration',
  area: 'Internal triggers',
  route: 'GET /v1/shops/{slug}/settings/triggers/{integration}/internal-triggers',
  needs: 'viewer',
  pathSchemas: integrationPath,
  query: PagedQuery({}),
  reply: PageOf(InternalTrigger),
  handle: (context, { path, query }) =>
    listInternalTriggers(context, context.shop.id, receiverOf(path), pageRequest(query)),
})

export const createInternalTrigger = operation({
  name: 'createInternalTrigger',
  summary: 'Create an internal trigger',
  description:
    'It fires once per shipment that has been in such a state for the given hours. It covers shipments that pass the threshold, or are stored or changed, from now on.',
  area: 'Internal triggers',
  route: 'POST /v1/shops/{slug}/settings/triggers/{integration}/internal-triggers',
  needs: 'admin',
  pathSchemas: integrationPath,
  body: InternalTriggerCreation,
  reply: InternalTrigger,
  audit: { ...auditedTrigger, id: (_context, _input, reply) => (reply?.body as InternalTrigger | undefined)?.id }, // its own reply
  async handle(context, { path, body }) {
    const receiver = receiverOf(path)
    const trigger = {
      id: newId(context.now),
      name: body.name,
      phase_in: body.phase_in ?? [],
      phase_not_in: body.phase_not_in ?? [],
      event_key_in: body.event_key_in ?? [],
      event_key_not_in: body.event_key_not_in ?? [],
      operator: body.operator,
      time_threshold_type: body.time_threshold_type,
      time_threshold_value: body.time_threshold_value,
      shipment_direction: body.shipment_direction ?? defaultDirection,
    }
    const options = { appliesToExisting: body.apply_to_existing === true }
    await insertInternalTrigger(context, receiver, trigger, options)
    const location = `/v1/shops/${context.shop.slug}/settings/triggers/${receiver}/internal-triggers/${trigger.id}`
    return created(location, trigger)
  },
})

export const previewInternalTrigger = operation({
  name: 'previewInternalTrigger',
  summary: 'List the parcels that an internal trigger would fire for now',
  description:
    'Evaluates conditions that need not be saved, by the same rule as the trigger itself, and sends nothing. Considered are parcels that are not finished, and finished ones that passed the threshold within the last 24 hours.',
  area: 'Internal triggers',
  route: 'POST /v1/shops/{slug}/settings/triggers/{integration}/internal-triggers/preview',
  needs: 'viewer',
  pathSchemas: integrationPath,
  body: InternalTriggerDraft,
  reply: InternalTriggerPreview,
  audit: { none: 'It changes nothing.' },
  async handle(context, { body }) {
    const rule = {
      shopId: context.shop.id,
      id: body.trigger_id ?? noTrigger,
      phaseIn: body.phase_in ?? [],
      phaseNotIn: body.phase_not_in ?? [],
      eventKeyIn: body.event_key_in ?? [],
      eventKeyNotIn: body.event_key_not_in ?? [],
      operator: body.operator,
      timeThresholdType: body.time_threshold_type,
      thresholdMs: body.time_threshold_value * hourMs,
      direction: body.shipment_direction ?? defaultDirection,
    }
    return toPreview(context, await findMatching(context, rule, previewCountLimit))
  },
})

export const getInternalTrigger = operation({
  name: 'getInternalTrigger',
  summary: 'Get an internal trigger',
  area: 'Internal triggers',
  route: 'GET /v1/shops/{slug}/settings/triggers/{integration}/internal-triggers/{trigger_id}',
  needs: 'viewer',
  pathSchemas: integrationPath,
  reply: InternalTrigger,
  errors: ['internal_trigger_not_found'],
  async handle(context, { path }) {
    const trigger = await findInternalTrigger(context, receiverOf(path), path.trigger_id)
    if (trigger === undefined) throw notFound(path)
    return trigger
  },
})

export const changeInternalTrigger = operation({
  name: 'updateInternalTrigger',
  summary: 'Update an internal trigger',
  description: 'Fields that are absent stay as they are; null empties a list, and restores the default direction.',
  area: 'Internal triggers',
  route: 'PATCH /v1/shops/{slug}/settings/triggers/{integration}/internal-triggers/{trigger_id}',
  needs: 'admin',
  pathSchemas: integrationPath,
  body: InternalTriggerUpdate,
  reply: InternalTrigger,
  errors: ['internal_trigger_not_found'],
  audit: auditedTrigger,
  async handle(context, { path, body }) {
    const changes = changesOf(body)
    const trigger = await updateInternalTrigger(context, receiverOf(path), path.trigger_id, changes)
    if (trigger === undefined) throw notFound(path)
    return trigger
  },
})

export const removeInternalTrigger = operation({
  name: 'deleteInternalTrigger',
  summary: 'Delete an internal trigger',
  area: 'Internal triggers',
  route: 'DELETE /v1/shops/{slug}/settings/triggers/{integration}/internal-triggers/{trigger_id}',
  needs: 'admin',
  pathSchemas: integrationPath,
  reply: NullReply,
  errors: ['internal_trigger_not_found'],
  audit: auditedTrigger,
  async handle(context, { path }) {
    const isDeleted = await deleteInternalTrigger(context, receiverOf(path), path.trigger_id)
    if (!isDeleted) throw notFound(path)
    return null
  },
})

const defaultDirection = 'merchant_customer'

/** No trigger has this id, so none of its firings are found. */
const noTrigger = '00000000-0000-0000-0000-000000000000'

function toPreview(context: ShopContext, { matching, isComplete }: TriggerPreview): InternalTriggerPreview {
  return {
    count: matching.length,
    is_complete: isComplete,
    shipments: matching.slice(0, previewListLimit).map((shipment) => ({
      shipment_id: shipment.shipmentId,
      order_id: shipment.orderId,
      order_number: shipment.orderNumber,
      tracking_number: shipment.trackingNumber,
      carrier_reference: shipment.carrierReference,
      phase: shipment.phase as InternalTriggerPreview['shipments'][number]['phase'], // only these are ever stored
      event_name: shipment.eventName,
      since: shipment.since.toISOString(),
      hours: Math.floor((context.now.getTime() - shipment.since.getTime()) / hourMs),
    })),
  }
}

function receiverOf(path: { integration: string }): TriggerReceiver {
  return path.integration as TriggerReceiver // its schema allows only these
}

function notFound(path: { integration: string; trigger_id: string }): ApiError {
  return new ApiError(
    'internal_trigger_not_found',
    `This shop has no internal trigger ${path.trigger_id} of ${path.integration}.`,
  )
}

function changesOf(body: Static<typeof InternalTriggerUpdate>): Partial<InternalTrigger> {
  const changes: Partial<InternalTrigger> = given(body, [
    'name',
    'operator',
    'time_threshold_type',
    'time_threshold_value',
  ])
  for (const name of ['phase_in', 'phase_not_in'] as const) {
    const list = body[name]
    if (list !== undefined) changes[name] = list ?? []
  }
  for (const name of ['event_key_in', 'event_key_not_in'] as const) {
    const list = body[name]
    if (list !== undefined) changes[name] = list ?? []
  }
  if (body.shipment_direction !== undefined) changes.shipment_direction = body.shipment_direction ?? defaultDirection
  return changes
}
