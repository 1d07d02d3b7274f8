import type { ProviderName } from '../../adapters/carriers/registry.ts'
import { type EventKey, findEventKeys } from '../../orders/events/recompute-store.ts'
import { currentEventOf, inOrderOfTime } from '../../orders/events/rules.ts'
import { getMeaning, groupOf } from '../../platform/catalogue/catalogue.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { MappingPreview } from '../scans/schema.ts'
import { readShopTracking } from '../scans/shop-tracking.ts'
import { listScansOf, type StoredScan } from '../scans/unmapped-store.ts'

/** Scans that a preview looks at. */
export const previewedScans = 1_000

/** What a mapping would change, by the rules that recording follows; nothing is written. */
export async function previewMapping(
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

/** An event without a group is published to nobody, and so is what a provider reports that is being tested. */
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
