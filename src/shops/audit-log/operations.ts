import { operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import type { Changes } from './changes.ts'
import { AuditEntry, AuditFilter } from './schema.ts'
import { type EntryRow, listEntries } from './store.ts'

const kept =
  'Newest first. Entries are kept for 365 days, or as many as the operator has set, and cannot be changed or deleted by any operation.'

export const searchAuditLog = operation({
  name: 'searchAuditLog',
  summary: 'Search who changed what in a shop',
  description: `Each entry names the key, person or automation, the operation, and what it changed, with the values before and after. ${kept} What systems send with an API key, such as orders and events, is in the timeline of a shipment instead; the same done by a person is here.`,
  area: 'Audit log',
  route: 'GET /v1/shops/{slug}/audit-log',
  needs: 'admin',
  query: AuditFilter,
  reply: PageOf(AuditEntry),
  async handle(context, { query }) {
    const page = await listEntries(context, context.shop.id, query)
    return { ...page, items: page.items.map(toEntry) }
  },
})

export const searchInstallationAuditLog = operation({
  name: 'searchInstallationAuditLog',
  summary: 'Search who changed the installation',
  description: `Shops that were created and deleted, keys for all shops, and people. ${kept}`,
  area: 'Audit log',
  route: 'GET /v1/audit-log',
  needs: 'superadmin',
  query: AuditFilter,
  reply: PageOf(AuditEntry),
  async handle(context, { query }) {
    const page = await listEntries(context, null, query)
    return { ...page, items: page.items.map(toEntry) }
  },
})

function toEntry(row: EntryRow): AuditEntry {
  return {
    uuid: row.id,
    recorded_at: row.recorded_at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    area: row.area,
    subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
    changes: row.changes as Changes, // written by recordChange only
  }
}
