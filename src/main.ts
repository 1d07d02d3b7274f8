import { ConfigError, readConfig } from './config.ts'
import { openDatabase } from './database/database.ts'
import { DirectoryInUse } from './database/embedded/lock.js'
import type { Service } from './service.ts'
import { welcome } from './setup/welcome.ts'

try {
  const config = readConfig()
  // The store opens in its own thread while the rest of the modules load.
  const [database, { startService }] = await Promise.all([openDatabase(config), import('./service.ts')])
  const service = await startService(config, { database })
  process.stdout.write(welcome(service, config))
  stopOnSignal(service)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

/** The first signal finishes what is under way; a second stops at once. */
function stopOnSignal(service: Service): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(130)
    isStopping = true
    service.app.log.info({ signal }, 'stopping')
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${explain(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** One clear line for what the operator can mend; the whole error for the rest. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DirectoryInUse) return `Doorstep did not start. ${error.message}`
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `Doorstep did not start. Port ${port} is in use: set PORT to another one.`
  if (code === 'ECONNREFUSED' || code === '28P01' || code === '3D000') {
    return `Doorstep did not start. The database of DATABASE_URL does not let us in: ${message}`
  }
  return `Doorstep did not start. ${error instanceof Error ? error.stack : String(error)}`
}
