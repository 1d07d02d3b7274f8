import { findMatches } from '../../orders/search/match-store.ts'
import { findShipmentForClaim } from '../../orders/shipments/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { created, operation } from '../../platform/foundation/operation.ts'
import { cutPage, offsetOf, type PageRequest, PageUnder, pageRequest } from '../../platform/foundation/page.ts'
import { instant, NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { countUpTo } from '../../platform/store/count.ts'
import { auditedClaim } from './audit.ts'
import { type ClaimedShipment, changeClaim, createClaimFor } from './change.ts'
import { dropDecision } from './decision-store.ts'
import { imageExpiryInResponse } from './images.ts'
import { toClaimOnDesk } from './present.ts'
import { ClaimCreation, ClaimFilter, ClaimOnDesk, ClaimUpdate } from './schema.ts'
import { type ClaimSearch, claimsWhere } from './search-store.ts'
import { findClaim, listClaims, softDeleteClaim } from './store.ts'

export const createClaim = operation({
  name: 'createClaim',
  summary: 'Create a claim about a shipment',
  description:
    'Identify the shipment by shipment_id or by tracking_number (the newest shipment with that number). If both are given, shipment_id is used. Integrations and webhooks are notified.',
  area: 'Claims',
  route: 'POST /v1/shops/{slug}/claims',
  needs: 'editor',
  body: ClaimCreation,
  reply: ClaimOnDesk,
  errors: ['shipment_not_found'],
  audit: auditedClaim,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const { shipment_id, tracking_number, ...fields } = body
      const id = await createClaimFor(context, await getClaimedShipment(context, shipment_id, tracking_number), fields)
      return created(`/v1/shops/${context.shop.slug}/claims/${id}`, await getClaimResponse(context, id))
    }),
})

export const searchClaims = operation({
  name: 'searchClaims',
  summary: 'Search claims',
  area: 'Claims',
  route: 'GET /v1/shops/{slug}/claims',
  needs: 'viewer',
  query: ClaimFilter,
  reply: PageUnder('claims', ClaimOnDesk),
  async handle(context, { query }) {
    const request = pageRequest(query)
    const search = searchOf(query, request, query.q === undefined ? undefined : await findOrderIds(context, query.q))
    const { page: _page, per_page: _perPage, sort: _sort, ...filter } = query
    const page = await cutPage(request, await listClaims(context, search), () =>
      countUpTo(context, `claims ${context.shop.id} ${JSON.stringify(filter)}`, claimsWhere(context.shop.id, search)),
    )
    const viewer = { ...context, imagesUntil: imageExpiryInResponse(context.now) }
    return { ...page, items: page.items.map((claim) => toClaimOnDesk(viewer, claim)) }
  },
})

export const getClaim = operation({
  name: 'getClaim',
  summary: 'Get a claim',
  area: 'Claims',
  route: 'GET /v1/shops/{slug}/claims/{uuid}',
  needs: 'viewer',
  reply: ClaimOnDesk,
  errors: ['claim_not_found'],
  handle: (context, { path }) => getClaimResponse(context, path.uuid),
})

export const updateClaim = operation({
  name: 'updateClaim',
  summary: 'Update a claim',
  description:
    'Absent fields stay unchanged. A pending claim can become accepted, rejected or closed; an accepted claim can become closed; a rejected claim can become pending or closed. Integrations and webhooks are notified if something changes. It takes effect at once, and replaces a decision that has not taken effect yet.',
  area: 'Claims',
  route: 'PUT /v1/shops/{slug}/claims/{uuid}',
  needs: 'editor',
  body: ClaimUpdate,
  reply: ClaimOnDesk,
  errors: ['claim_not_found'],
  audit: auditedClaim,
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      if (!(await changeClaim(context, { shopId: context.shop.id, id: path.uuid }, body))) throw notFound(path.uuid)
      await dropDecision(context, path.uuid)
      return getClaimResponse(context, path.uuid)
    }),
})

export const deleteClaim = operation({
  name: 'deleteClaim',
  summary: 'Delete a claim',
  description: 'The claim is no longer returned, but stays stored.',
  area: 'Claims',
  route: 'DELETE /v1/shops/{slug}/claims/{uuid}',
  needs: 'editor',
  reply: NullReply,
  errors: ['claim_not_found'],
  audit: auditedClaim,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      if (!(await softDeleteClaim(context, path.uuid))) throw notFound(path.uuid)
      await dropDecision(context, path.uuid)
      return null
    }),
})

async function getClaimedShipment(
  context: ShopContext,
  shipmentId: string | null | undefined,
  trackingNumber: string | null | undefined,
): Promise<ClaimedShipment> {
  if (!shipmentId && !trackingNumber) {
    const msg = 'field required if shipment_id is absent'
    throw new ApiError('invalid_payload', `tracking_number: ${msg}`, {
      problems: [{ loc: ['body', 'tracking_number'], msg, type: 'missing' }],
    })
  }
  const shipment = await findShipmentForClaim(
    context,
    shipmentId ? { column: 'id', value: shipmentId } : { column: 'tracking_number', value: trackingNumber ?? '' },
  )
  if (shipment === undefined) {
    throw new ApiError(
      'shipment_not_found',
      `There is no shipment ${JSON.stringify(shipmentId ?? trackingNumber)} in this shop.`,
    )
  }
  return { shopId: context.shop.id, ...shipment }
}

/** The orders that a text leads to. Of each index, a bounded number of rows is read. */
async function findOrderIds(context: ShopContext, text: string): Promise<string[]> {
  const { found } = await findMatches(context, text)
  return [...new Set(found.map(({ orderId }) => orderId))]
}

function searchOf(query: ClaimFilter, request: PageRequest, foundOrderIds: string[] | undefined): ClaimSearch {
  const at = (text: string | undefined) => (text === undefined ? undefined : instant(text))
  const sort = query.sort ?? '-created_at'
  return {
    orderId: query.order_id,
    foundOrderIds,
    shipmentId: query.shipment_id,
    status: query.status,
    reason: query.reason,
    kind: query.kind,
    resolutionPreference: query.resolution_preference,
    createdFrom: at(query.created_from),
    createdTo: at(query.created_to),
    updatedFrom: at(query.updated_from),
    updatedTo: at(query.updated_to),
    sortBy: sort.endsWith('created_at') ? 'created_at' : 'updated_at',
    isDescending: sort.startsWith('-'),
    limit: request.perPage + 1,
    offset: offsetOf(request),
  }
}

async function getClaimResponse(context: ShopContext, id: string): Promise<ClaimOnDesk> {
  const claim = await findClaim(context, id)
  if (claim === undefined) throw notFound(id)
  return toClaimOnDesk({ ...context, imagesUntil: imageExpiryInResponse(context.now) }, claim)
}

function notFound(id: string): ApiError {
  return new ApiError('claim_not_found', `There is no claim ${id} in this shop.`)
}
