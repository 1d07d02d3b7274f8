import { ConfigError } from '../../platform/config/config-error.ts'
import { StoreUnavailable } from '../../platform/foundation/store-unavailable.ts'
import { DirectoryInUse } from '../../platform/store/embedded/lock.js'
import { StoreDamaged } from '../../platform/store/embedded/thread.js'
import { DatabaseUnreachable } from '../../platform/store/postgres.ts'
import { StoreReplaced } from '../../platform/store/store-locks.ts'

/** In PostgreSQL's numbering. Since version 15, only the owner of a database may create tables in it. */
const insufficientPrivilege = '42501'

/** Explains why the service did not start: one line if the operator can fix it; the whole error otherwise. */
export function explain(error: unknown): string {
  const ours = [ConfigError, DirectoryInUse, StoreDamaged, DatabaseUnreachable, StoreReplaced]
  if (ours.some((kind) => error instanceof kind)) {
    return `Doorstep did not start. ${(error as Error).message}`
  }
  // The store accepted a connection at first, and then no more: it is full, or has ended.
  if (error instanceof StoreUnavailable) return `Doorstep did not start: ${error.message}.`
  const { code, message, port, syscall } = error as NodeJS.ErrnoException & { port?: number }
  if (code === insufficientPrivilege) {
    return `Doorstep did not start. The user of DATABASE_URL may not create and change tables (${message}). Make it the owner of the database: ALTER DATABASE … OWNER TO …`
  }
  if (code === 'EADDRINUSE') return `Doorstep did not start. Port ${port} is in use: set PORT to another one.`
  if (code?.startsWith('ERR_OSSL')) return `Doorstep did not start. TLS_CERT or TLS_KEY is wrong: ${message}`
  // A missing file or a read-only folder: the system's message names it.
  if (syscall !== undefined) return `Doorstep did not start. ${message}`
  return `Doorstep did not start. ${error instanceof Error ? error.stack : String(error)}`
}
