import type { Config } from '../../platform/config/config.ts'
import type { Log } from '../../platform/foundation/context.ts'
import type { Database } from '../../platform/store/database.ts'
import { repairPrivateFolder } from '../../platform/store/private-folder.js'

/** Logs what an operator should know about the folder, the database and the settings of this start. */
export function logCautions(log: Log, config: Config, database: Database): void {
  warnOfReadableFiles(log, config.dataDir)
  if (!database.checksClients()) log.warn({}, statementsOutliveClients)
  const { port, token } = config.metrics
  if (config.isProduction && port === undefined && token === undefined) log.info({}, metricsStayHere)
}

const metricsStayHere =
  'only programs of this machine can read /metrics: METRICS_TOKEN or METRICS_PORT lets your Prometheus in (guide, Watch it)'

const statementsOutliveClients =
  'the database server does not support client_connection_check_interval: if this process dies, a statement that it left there holds its locks until it ends'

/** The key, private photos and the embedded store: an older version left them readable to others on the machine. */
function warnOfReadableFiles(log: Log, dataDir: string): void {
  const readable = repairPrivateFolder(dataDir)
  if (readable.length === 0) return
  log.warn(
    { paths: readable.slice(0, 5) },
    'other users of this machine can read the data folder, and its permissions cannot be changed',
  )
}
