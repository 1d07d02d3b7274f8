import { migrationNames } from '../../platform/store/migrations.ts'

/** The first entry of a shop's archive: its description. */
export interface Manifest {
  shopId: string
  slug: string
  /** A shop that moves continues at the target; a copy waits there until somebody starts it. */
  kind: 'move' | 'copy'
  exportedAt: string
  /** The schema that its rows have: the migrations of the installation it comes from. */
  migrations: string[]
}

/** In its last entry: what it contains, so that an import can compare. */
export interface Summary {
  rows: Record<string, number>
  images: number
}

/** A row whose encrypted values are in the archive as plain text: the archive itself is encrypted. */
export interface CarriedRow {
  row: Record<string, unknown>
  plain: Record<string, string>
}

/** A key of the shop itself, which others derive theirs from: the target accepts what the source has signed for this shop. */
export interface CarriedKey {
  id: string
  secret: string
  validUntil: string | null
}

export type SchemaComparison = 'same' | 'newer' | 'older'

/** Rows fit only the schema they were read from. */
export function compareSchemas(given: readonly string[], ours: readonly string[] = migrationNames()): SchemaComparison {
  if (given.some((name) => !ours.includes(name))) return 'newer'
  return ours.every((name) => given.includes(name)) ? 'same' : 'older'
}

/** The columns that name people, whose ids may differ between installations. */
export const personColumns: Readonly<Record<string, readonly string[]>> = {
  audit_log: ['actor_id'],
  claim_decisions: ['actor_id'],
  exceptions: ['assigned_to'],
  notes: ['author_id'],
  person_shops: ['person_id'],
  saved_views: ['owner'],
  team_mail_subscriptions: ['person_id'],
  team_mails: ['person_id'],
}

/** Tables that stay behind: they belong to the processes that send for a receiver, or read a shop system. */
export const tablesLeftBehind: readonly string[] = ['receiver_leases', 'shop_system_catch_ups']
