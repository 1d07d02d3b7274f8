import { repairPrivateFolder } from '../database/private-folder.js'
import type { Log } from '../foundation/context.ts'

/** The key, private photos and the embedded store: an older version left them readable to others on the machine. */
export function warnOfReadableFiles(log: Log, dataDir: string): void {
  const readable = repairPrivateFolder(dataDir)
  if (readable.length === 0) return
  log.warn(
    { paths: readable.slice(0, 5) },
    'other users of this machine can read the data folder, and its permissions cannot be changed',
  )
}
