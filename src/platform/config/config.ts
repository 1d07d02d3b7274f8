import { readHosts } from '../foundation/credential-hosts.ts'
import { isLoopbackHost } from '../foundation/loopback.ts'
import { parseTrustedProxies, type TrustedProxies } from '../foundation/trusted-proxies.ts'
import { createValidator } from '../foundation/validate.ts'
import {
  type BackupConfig,
  backupOf,
  type OidcConfig,
  oidcOf,
  type S3Config,
  type SmtpConfig,
  s3Of,
  smtpOf,
  type TracingConfig,
  tracingOf,
  withoutFinalSlashes,
} from './accounts.ts'
import { ConfigError } from './config-error.ts'
import { Environment, secretSettings, type Values } from './environment.ts'
import { readSecretFiles, settingsInFiles } from './secret-files.ts'

export interface Config {
  port: number
  host: string
  publicUrl: string | undefined
  brand: string
  dataDir: string
  databaseUrl: string | undefined
  databasePool: number
  databaseStatementTimeout: number
  /** Undefined: everything is read from the primary. */
  databaseReplicaUrl: string | undefined
  /** In seconds. */
  databaseReplicaMaxLag: number
  adminUsername: string
  adminApiKey: string | undefined
  /** Undefined: on at the first start of an embedded store outside production. */
  demo: boolean | undefined
  isProduction: boolean
  logLevel: string
  /** Text for a person at a terminal, with or without colours, or JSON for a program. */
  logFormat: 'json' | 'text' | 'coloured text'
  /** Undefined: no proxy is trusted. */
  trustProxy: TrustedProxies | undefined
  tls: { certificateFile: string; keyFile: string } | undefined
  bodyLimitBytes: number
  imageLimitBytes: number
  importLimitBytes: number
  /** Requests per minute per key; 0: no limit. */
  rateLimit: number
  /** Whether agents at /mcp get tools that change something. */
  mcpWrites: boolean
  /** Undefined: created at the first start and stored in the data folder. */
  encryptionKey: string | undefined
  /** Whether webhooks may reach private addresses. Default: only outside production, on a host that others cannot reach. */
  webhookAllowPrivate: boolean
  webhookRetryBaseMs: number
  webhookProxyUrl: string | undefined
  /** Hosts, besides each company's own, that its credentials may be sent to. */
  credentialHosts: readonly string[]
  role: 'all' | 'api' | 'worker'
  /** Processes that share the port; each uses one core. */
  processes: number
  /** Days after which delivery logs are deleted; undefined: never. */
  retentionDays: number | undefined
  /** Days until the data of a deleted shop are removed. */
  deletedShopDays: number
  /** Days that entries of the audit log are kept; 0: for ever. */
  auditDays: number
  s3: S3Config | undefined
  backup: BackupConfig
  /** Undefined: only shops with an account of their own send e-mail, and nothing is sent to the team. */
  smtp: SmtpConfig | undefined
  /** E-mails per second to one account, by one process. */
  smtpRate: number
  /** Undefined: nobody signs in through OIDC. */
  oidc: OidcConfig | undefined
  /** Access to /metrics: where it listens, and the token that its readers send. */
  metrics: { port: number | undefined; host: string; token: string | undefined }
  /** Undefined: nothing is traced. */
  tracing: TracingConfig | undefined
}

/** Reads the settings; the only place that reads the environment. */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
  isTerminal = process.stdout.isTTY === true,
): Config {
  const values = parse(environment)
  const isProduction = values.NODE_ENV === 'production'
  // A trial is reachable from this machine only; in production or with PostgreSQL, others must be able to connect.
  const host = values.HOST ?? (values.DATABASE_URL === undefined && !isProduction ? '127.0.0.1' : '0.0.0.0')
  return {
    port: values.PORT,
    host,
    publicUrl: values.PUBLIC_URL === undefined ? undefined : withoutFinalSlashes(values.PUBLIC_URL),
    brand: values.BRAND,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    databaseStatementTimeout: values.DATABASE_STATEMENT_TIMEOUT,
    databaseReplicaUrl: replicaUrlOf(values),
    databaseReplicaMaxLag: values.DATABASE_REPLICA_MAX_LAG,
    adminUsername: values.ADMIN_USERNAME,
    adminApiKey: values.ADMIN_API_KEY,
    demo: values.DEMO,
    isProduction,
    logLevel: values.LOG_LEVEL,
    logFormat: logFormatOf(values, isTerminal),
    trustProxy: trustedProxiesOf(values),
    tls: tlsOf(values),
    bodyLimitBytes: values.BODY_LIMIT,
    imageLimitBytes: values.IMAGE_LIMIT,
    importLimitBytes: values.IMPORT_LIMIT,
    rateLimit: values.RATE_LIMIT,
    mcpWrites: values.MCP_WRITES,
    encryptionKey: values.ENCRYPTION_KEY,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE ?? (!isProduction && isLoopbackHost(host)),
    webhookRetryBaseMs: values.WEBHOOK_RETRY_BASE_MS,
    webhookProxyUrl: values.WEBHOOK_PROXY_URL,
    credentialHosts: credentialHostsOf(values),
    role: values.ROLE,
    processes: processesOf(values),
    retentionDays: values.RETENTION_DAYS,
    deletedShopDays: values.DELETED_SHOP_DAYS,
    auditDays: values.AUDIT_DAYS,
    s3: s3Of(values),
    backup: backupOf(values),
    smtp: smtpOf(values),
    smtpRate: values.SMTP_RATE,
    oidc: oidcOf(values),
    metrics: { port: values.METRICS_PORT, host: values.METRICS_HOST, token: values.METRICS_TOKEN },
    tracing: tracingOf(values),
  }
}

/** Names that look like our settings but are none: a misspelt one would have no effect, unnoticed. */
export function findUnknownSettings(environment: Record<string, string | undefined> = process.env): string[] {
  const known = new Set([...Object.keys(Environment.properties), ...secretSettings.map((name) => `${name}_FILE`)])
  const ours =
    /^(ADMIN|AUDIT|BACKUP|CREDENTIAL|DATABASE|DELETED_SHOP|ENCRYPTION|METRICS|OIDC|RETENTION|S3|SMTP|TLS|WEBHOOK)_/
  return Object.keys(environment).filter((name) => ours.test(name) && !known.has(name))
}

/** The names of the secret settings that are read from files. */
export function findSettingsInFiles(environment: Record<string, string | undefined> = process.env): string[] {
  return settingsInFiles(environment)
}

function logFormatOf({ LOG_FORMAT: format, NO_COLOR: noColor }: Values, isTerminal: boolean): Config['logFormat'] {
  if ((format ?? (isTerminal ? 'text' : 'json')) === 'json') return 'json'
  return isTerminal && noColor === undefined ? 'coloured text' : 'text'
}

function credentialHostsOf({ CREDENTIAL_HOSTS: text = '' }: Values): string[] {
  const read = readHosts(text)
  if ('hosts' in read) return read.hosts
  throw new ConfigError(
    `CREDENTIAL_HOSTS is wrong: ${JSON.stringify(read.wrong)} must be a host such as relay.example or *.shops.example, without scheme, port or path.`,
  )
}

function processesOf({ PROCESSES: processes, DATABASE_URL: databaseUrl }: Values): number {
  if (processes === 1 || databaseUrl !== undefined) return processes
  throw new ConfigError('PROCESSES needs DATABASE_URL: the embedded store belongs to one process.')
}

function replicaUrlOf({ DATABASE_REPLICA_URL: replicaUrl, DATABASE_URL: databaseUrl }: Values): string | undefined {
  if (replicaUrl === undefined || databaseUrl !== undefined) return replicaUrl
  throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded store has no replicas.')
}

function trustedProxiesOf({ TRUST_PROXY: text }: Values): TrustedProxies | undefined {
  try {
    return parseTrustedProxies(text)
  } catch (error) {
    throw new ConfigError(`TRUST_PROXY is wrong: ${JSON.stringify(text)} ${(error as Error).message}.`)
  }
}

function tlsOf(values: Values): Config['tls'] {
  if (values.TLS_CERT === undefined && values.TLS_KEY === undefined) return undefined
  if (values.TLS_CERT === undefined) throw new ConfigError('TLS_CERT is missing: TLS_KEY is set, and both are needed.')
  if (values.TLS_KEY === undefined) throw new ConfigError('TLS_KEY is missing: TLS_CERT is set, and both are needed.')
  return { certificateFile: values.TLS_CERT, keyFile: values.TLS_KEY }
}

/** Reads and checks every setting by itself. */
function parse(given: Record<string, string | undefined>): Values {
  const environment = readSecretFiles(given)
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(Environment.properties)) {
    const text = environment[name]?.trim()
    const { type, default: fallback } = schema as { type?: string; default?: unknown }
    const value = text === undefined || text === '' ? fallback : read(text, type)
    if (value !== undefined) values[name] = value
  }
  const [problem] = createValidator(Environment, 'body').problems(values) ?? []
  if (problem) {
    const name = String(problem.loc[1])
    const shown = secretSettings.includes(name) ? 'its value' : JSON.stringify(environment[name])
    throw new ConfigError(`${name} is wrong: ${shown} ${problem.msg}.`)
  }
  return values as Values // just validated against the schema
}

const unitBytes: Record<string, number> = { kb: 1_000, mb: 1_000_000, gb: 1_000_000_000 }

function read(text: string, type: string | undefined): unknown {
  if (type === 'boolean') {
    const known: Record<string, boolean> = {
      '1': true,
      true: true,
      on: true,
      yes: true,
      '0': false,
      false: false,
      off: false,
      no: false,
    }
    return known[text.toLowerCase()] ?? text
  }
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text
  if (type !== 'integer') return text
  const sized = /^(\d+)\s*(kb|mb|gb)$/i.exec(text)
  if (sized) return Number(sized[1]) * (unitBytes[sized[2]?.toLowerCase() ?? ''] ?? 1)
  return /^\d+$/.test(text) ? Number(text) : text
}
