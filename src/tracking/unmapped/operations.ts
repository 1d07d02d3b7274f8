import { suggestEvent } from '../../adapters/carriers/suggest.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../../platform/foundation/page.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { unknownEvent } from '../scans/record.ts'
import { CodeMapping, CodeReference, MappingPreview, UnmappedCode, UnmappedFilter } from '../scans/schema.ts'
import { findMapping, findNumbers, listUnmapped, mapCode, unmapCode } from '../scans/unmapped-store.ts'
import { previewedScans, previewMapping } from './preview-mapping.ts'

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
