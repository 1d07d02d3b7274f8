import type { JsonLimits } from '../../platform/foundation/count-json.ts'
import { jsonLimits } from '../../platform/foundation/json-limits.ts'

/**
 * Limits of a shop's archive. An entry of rows has about 1 MB, or one row. Earlier exports wrote up to 26 MB: 50 parts
 * of a file that was being imported.
 */
export const archiveLimits = {
  entryBytes: 33_554_432,
  /** Of one entry. An export writes up to 1,000. */
  rows: 10_000,
  keys: 10_000,
  people: 10_000,
  signingKeys: 1_000,
  pageLinks: 100_000,
  images: 1_000_000,
  /** Of what is kept in memory until the end, because it names keys and people: about 100,000 rows. */
  deferredBytes: 33_554_432,
} as const

/** A row is a list, an object and perhaps another deep; names of fields may be a shop's own. */
export const rowLimits: JsonLimits = {
  ...jsonLimits(archiveLimits.entryBytes),
  depth: 110,
  names: 200_000,
}
