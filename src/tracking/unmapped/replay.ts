import type { ProviderName } from '../../adapters/carriers/registry.ts'
import { retractCarrierEvents } from '../../orders/events/recompute.ts'
import type { RemovedEvent } from '../../orders/events/recompute-store.ts'
import { recordAndPublish } from '../../orders/events/record.ts'
import type { IncomingEvent } from '../../orders/events/store.ts'
import { getMeaning, isAllowedForDrafts } from '../../platform/catalogue/catalogue.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { cutText } from '../../platform/foundation/storable-text.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { lockProviderStatuses } from '../scans/shop-tracking.ts'
import { recordEventsOfScans, type StoredScan } from '../scans/unmapped-store.ts'
import { handOverEvents, leaseReplay, listScans, moveReplay } from './replay-store.ts'

/**
 * Applies a mapping to the next scans that were recorded before it: the events that stood for them are removed, and the
 * mapped ones recorded at the same times. How far it has come is part of the transaction, so each scan is replaced once,
 * even if a worker dies. False if nothing is to be applied.
 */
export async function replaySome(context: Context, batchSize: number): Promise<boolean> {
  return inTransaction(context, async (context) => {
    const replay = await leaseReplay(context)
    if (replay === undefined) return false
    const scans = await listScans(context, replay, batchSize)
    const outdated = scans.filter(({ eventKey }) => eventKey !== replay.event_name)
    const alone = await handOverEvents(
      context,
      outdated.filter(({ isRecorded }) => isRecorded),
    )
    const removed = await retractCarrierEvents(context, alone)
    const provider = replay.provider as ProviderName // the schema of mappings lets in only these
    const [status] = await lockProviderStatuses(context, [{ shopId: replay.shop_id, provider }])
    const said = new Map(removed.map((event) => [nameOf(event), event]))
    const events = outdated.map((scan) =>
      toEvent(context, scan, said.get(nameOf(scan)), { eventName: replay.event_name, isNotified: status === 'live' }),
    )
    const outcomes = events.length === 0 ? [] : await recordAndPublish(context, events)
    await recordEventsOfScans(
      context,
      outdated.map((scan, index) => ({
        ...scan,
        eventKey: replay.event_name,
        isRecorded: outcomes[index]?.result === 'recorded',
      })),
    )
    await moveReplay(context, replay, scans.length === batchSize ? scans.at(-1) : undefined)
    return true
  })
}

function nameOf({ shipmentId, eventTime }: { shipmentId: string; eventTime: Date }): string {
  return `${shipmentId} ${eventTime.getTime()}`
}

function toEvent(
  context: Context,
  scan: StoredScan,
  said: RemovedEvent | undefined,
  { eventName, isNotified }: { eventName: string; isNotified: boolean },
): IncomingEvent {
  const meaning = getMeaning(eventName)
  return {
    shopId: scan.shopId,
    shipmentId: scan.shipmentId,
    trackingNumber: null,
    eventKey: meaning.name,
    phase: meaning.phase,
    flag: meaning.flag,
    movesPhase: meaning.movesPhase,
    isAllowedForDrafts: isAllowedForDrafts(meaning),
    eventTime: scan.eventTime,
    externalId: said?.externalId ?? cutText(`${scan.provider}:${scan.code}`, 200),
    timezone: said?.timezone ?? null,
    location: said?.location ?? null,
    additionalInfo: said?.additionalInfo ?? null,
    source: 'carrier',
    isNotified,
    now: context.now,
    // It takes the place of the event that it replaces, also among those of the same time.
    ...(said === undefined ? {} : { id: said.id }),
  }
}
