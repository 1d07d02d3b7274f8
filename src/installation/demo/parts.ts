import type { Pictures } from './pictures.ts'
import type { RecordedScan } from './scans.ts'

/** The parts that steps pass to later ones. */
export interface DemoParts {
  pictures: Pictures
  /** Every scan so far. */
  scans: RecordedScan[]
}
