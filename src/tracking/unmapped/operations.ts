import type { ProviderName } from '../../adapters/carriers/registry.ts'
import { suggestEvent } from '../../adapters/carriers/suggest.ts'
import { type EventKey, findEventKeys } from '../../orders/events/recompute-store.ts'
import { currentEventOf, inOrderOfTime } from '../../orders/events/rules.ts'
import { getMeaning, groupOf } from '../../platform/catalogue/catalogue.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../../platform/foundation/page.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { unknownEvent } from '../scans/record.ts'
import { CodeMapping, CodeReference, MappingPreview, UnmappedCode, UnmappedFilter } from '../scans/schema.ts'
import { readShopTracking } from '../scans/shop-tracking.ts'
import {
  findMapping,
  findNumbers,
  listScansOf,
  listUnmapped,
  mapCode,
  type StoredScan,
  unmapCode,
} from '../scans/unmapped-store.ts'

/** Scans that a preview examines. */
const previewedScans = 1_000

/** The changes that a mapping would make, by the rules that recording follows; nothing is written. */
async function previewMapping(
  context: ShopContext,
  mapping: { provider: ProviderName; code: string; eventName: string },
): Promise<MappingPreview> {
  const found = await listScansOf(context, mapping.provider, mapping.code, previewedScans + 1)
  const scans = found.slice(0, previewedScans)
  const byShipment = groupBy(scans)
  const shipments = [...byShipment.keys()].map((shipmentId) => ({ shopId: context.shop.id, shipmentId }))
  const events = groupBy(shipments.length === 0 ? [] : await findEventKeys(context, shipments))
  const changes = new Map<string, MappingPreview['changes'][number]>()
  for (const [shipmentId, own] of byShipment) {
    const before = events.get(shipmentId) ?? []
    const from = phaseOf(before)
    const to = phaseOf(replaced(before, own, mapping.eventName))
    if (from === to || from === undefined || to === undefined) continue
    const known = changes.get(`${from} ${to}`) ?? { from, to, parcels: 0 }
    changes.set(`${from} ${to}`, { ...known, parcels: known.parcels + 1 })
  }
  return {
    scans: scans.length,
    parcels: byShipment.size,
    is_complete: found.length <= previewedScans,
    changes: [...changes.values()].sort((left, right) => right.parcels - left.parcels),
    may_notify: await mayNotify(context, mapping),
  }
}

/** The events of a shipment as they would be, in the order of their times. */
function replaced(events: readonly EventKey[], scans: readonly StoredScan[], eventName: string): EventKey[] {
  const isReplaced = (event: EventKey) =>
    scans.some(
      ({ eventKey, eventTime, isRecorded }) =>
        isRecorded && eventKey === event.eventKey && eventTime.getTime() === event.eventTime.getTime(),
    )
  const added = scans
    .filter(({ isRecorded }) => !isRecorded)
    .map(({ shopId, shipmentId, eventTime }) => ({ shopId, shipmentId, eventTime, eventKey: eventName }))
  return inOrderOfTime([
    ...events.map((event) => (isReplaced(event) ? { ...event, eventKey: eventName } : event)),
    ...added,
  ])
}

function phaseOf(events: readonly EventKey[]): MappingPreview['changes'][number]['from'] | undefined {
  const current = currentEventOf(events)
  return current && getMeaning(current.eventKey).phase
}

/** Nobody gets an event without a group, or an event from a provider that is being tested. */
async function mayNotify(
  context: ShopContext,
  { provider, eventName }: { provider: ProviderName; eventName: string },
): Promise<boolean> {
  const { providers, isOn } = await readShopTracking(context, context.shop.id)
  const isLive = isOn && providers.some(({ name, status }) => name === provider && status === 'live')
  const meaning = getMeaning(eventName)
  return (
    isLive && (['merchant_customer', 'customer_merchant'] as const).some((way) => groupOf(meaning, way) !== undefined)
  )
}

function groupBy<Row extends { shipmentId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.shipmentId)
    if (group) group.push(row)
    else groups.set(row.shipmentId, [row])
  }
  return groups
}

export const listUnmappedCodes = operation({
  name: 'listUnmappedCodes',
  summary: 'List codes of carriers that are not mapped',
  description:
    'A scan whose code is not known is recorded as MORE_INFO_ON_CARRIER_WEBSITE, which changes no phase and sends no notification. The codes seen last come first.',
  area: 'Carriers',
  route: 'GET /v1/shops/{slug}/carriers/unmapped',
  needs: 'viewer',
  query: UnmappedFilter,
  reply: PageOf(UnmappedCode),
  async handle(context, { query }) {
    const page = await listUnmapped(context, query.mapped ?? false, pageRequest(query))
    const numbers = await findNumbers(
      context,
      page.items.flatMap((row) => row.shipment_ids),
    )
    return {
      ...page,
      items: page.items.map((row) => ({
        provider: row.provider as UnmappedCode['provider'], // only codes of providers are stored
        code: row.code,
        text: row.text,
        scans: row.scans,
        first_seen_at: row.first_seen_at?.toISOString() ?? null,
        last_seen_at: row.last_seen_at.toISOString(),
        event_name: row.event_name,
        shipment_ids: [...new Set(row.shipment_ids)],
        parcels: row.parcels,
        shipments: [...new Set(row.shipment_ids)].map((id) => ({
          shipment_id: id,
          tracking_number: numbers.get(id) ?? null,
        })),
        suggestion: toSuggestion(row.text),
      })),
    }
  },
})

export const mapCarrierCode = operation({
  name: 'mapCarrierCode',
  summary: 'Map a code of a carrier to an event',
  description:
    'New scans are recorded as this event. Earlier scans are replaced by it in the background, at their own times: phases are updated as if the code had been known, and notifications that were not sent are sent, unless the event is too old by the stale_event_threshold of the integration.',
  area: 'Carriers',
  route: 'PUT /v1/shops/{slug}/carriers/unmapped',
  needs: 'admin',
  body: CodeMapping,
  reply: NullReply,
  audit: {
    kind: 'carrier_code',
    id: (_context, { body }) => `${body.provider} ${body.code}`,
    async read(context, _id, { body }) {
      return { event_name: await findMapping(context, body.provider, body.code) }
    },
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await mapCode(context, { provider: body.provider, code: body.code, eventName: body.event_name })
      wakeOnceCommitted(context, 'parcels')
      return null
    }),
})

export const previewCarrierCode = operation({
  name: 'previewCarrierCode',
  summary: 'Preview what a mapping of a code would change',
  description: `Looks at up to ${previewedScans.toLocaleString('en')} earlier scans. Nothing is written.`,
  area: 'Carriers',
  route: 'POST /v1/shops/{slug}/carriers/unmapped/preview',
  needs: 'viewer',
  body: CodeMapping,
  reply: MappingPreview,
  audit: { none: 'It changes nothing.' },
  handle: (context, { body }) =>
    previewMapping(context, { provider: body.provider, code: body.code, eventName: body.event_name }),
})

export const unmapCarrierCode = operation({
  name: 'unmapCarrierCode',
  summary: 'Remove the mapping of a code',
  description:
    'The code is unknown again, and so are its earlier scans, which are replaced in the background. Notifications that were sent stay sent.',
  area: 'Carriers',
  route: 'DELETE /v1/shops/{slug}/carriers/unmapped',
  needs: 'admin',
  query: CodeReference,
  reply: NullReply,
  audit: {
    kind: 'carrier_code',
    id: (_context, { query }) => `${query.provider} ${query.code}`,
    async read(context, _id, { query }) {
      return { event_name: await findMapping(context, query.provider, query.code) }
    },
  },
  handle: (context, { query }) =>
    inTransaction(context, async (context) => {
      const { provider, code } = query
      const isChanged = await unmapCode(context, { provider, code, unmappedName: unknownEvent })
      if (isChanged) wakeOnceCommitted(context, 'parcels')
      return null
    }),
})

function toSuggestion(text: string | null): UnmappedCode['suggestion'] {
  const found = suggestEvent(text)
  return found === undefined ? null : { event_name: found.eventName, meaning: found.meaning }
}
