import { readHosts } from './foundation/credential-hosts.ts'
import { type GroupRoles, readGroupRoles } from './foundation/group-roles.ts'
import { isLoopbackHost } from './foundation/loopback.ts'
import { OneOf, type Static, Type } from './foundation/schema.ts'
import { parseTrustedProxies, type TrustedProxies } from './foundation/trusted-proxies.ts'
import { createValidator } from './foundation/validate.ts'

/** `name=value,name=value`, as OpenTelemetry writes lists, with percent-encoded values. */
const pairsPattern = '^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$'

/** Settings of the process, as the environment spells them. */
const Environment = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  HOST: Type.Optional(Type.String({ minLength: 1 })),
  PUBLIC_URL: Type.Optional(Type.String({ format: 'uri' })),
  BRAND: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,30}$', default: 'Service' }),
  DATA_DIR: Type.String({ minLength: 1, default: './data' }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  DATABASE_POOL: Type.Integer({ minimum: 1, maximum: 500, default: 10 }),
  ADMIN_USERNAME: Type.String({ pattern: '^[^:\\s]{1,128}$', default: 'admin' }),
  ADMIN_API_KEY: Type.Optional(Type.String({ minLength: 16, maxLength: 128 })),
  DEMO: Type.Optional(Type.Boolean()),
  NODE_ENV: Type.String({ default: 'development' }),
  LOG_LEVEL: Type.String({ pattern: '^(trace|debug|info|warn|error|fatal|silent)$', default: 'info' }),
  LOG_FORMAT: Type.Optional(OneOf(['json', 'text'])),
  NO_COLOR: Type.Optional(Type.String()),
  TRUST_PROXY: Type.String({ default: 'off' }),
  TLS_CERT: Type.Optional(Type.String({ minLength: 1 })),
  TLS_KEY: Type.Optional(Type.String({ minLength: 1 })),
  BODY_LIMIT: Type.Integer({ minimum: 1024, default: 10_000_000 }),
  IMAGE_LIMIT: Type.Integer({ minimum: 1024, default: 10_000_000 }),
  IMPORT_LIMIT: Type.Integer({ minimum: 1024, default: 1_000_000_000 }),
  RATE_LIMIT: Type.Integer({ minimum: 0, default: 0 }),
  ENCRYPTION_KEY: Type.Optional(Type.String({ minLength: 16 })),
  WEBHOOK_ALLOW_PRIVATE: Type.Optional(Type.Boolean()),
  WEBHOOK_RETRY_BASE_MS: Type.Integer({ minimum: 1, maximum: 3_600_000, default: 5_000 }),
  WEBHOOK_PROXY_URL: Type.Optional(Type.String({ format: 'uri' })),
  CREDENTIAL_HOSTS: Type.Optional(Type.String()),
  ROLE: OneOf(['all', 'api', 'worker'], { default: 'all' }),
  PROCESSES: Type.Integer({ minimum: 1, maximum: 64, default: 1 }),
  RETENTION_DAYS: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  DELETED_SHOP_DAYS: Type.Integer({ minimum: 1, maximum: 36_500, default: 30 }),
  AUDIT_DAYS: Type.Integer({ minimum: 0, maximum: 36_500, default: 365 }),
  S3_ENDPOINT: Type.Optional(Type.String({ format: 'uri' })),
  S3_BUCKET: Type.Optional(Type.String({ minLength: 1 })),
  S3_REGION: Type.String({ minLength: 1, default: 'us-east-1' }),
  S3_ACCESS_KEY_ID: Type.Optional(Type.String({ minLength: 1 })),
  S3_SECRET_ACCESS_KEY: Type.Optional(Type.String({ minLength: 1 })),
  OIDC_ISSUER: Type.Optional(Type.String({ format: 'uri' })),
  OIDC_CLIENT_ID: Type.Optional(Type.String({ minLength: 1 })),
  OIDC_CLIENT_SECRET: Type.Optional(Type.String({ minLength: 1 })),
  OIDC_ALLOWED_DOMAINS: Type.Optional(Type.String()),
  OIDC_ROLES: Type.Optional(Type.String()),
  OIDC_GROUPS_CLAIM: Type.String({ minLength: 1, default: 'groups' }),
  OIDC_NAME: Type.String({ minLength: 1, maxLength: 60, default: 'Single sign-on' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ format: 'uri', pattern: '^https?://' })),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(Type.String({ pattern: pairsPattern })),
  OTEL_RESOURCE_ATTRIBUTES: Type.Optional(Type.String({ pattern: pairsPattern })),
  OTEL_SDK_DISABLED: Type.Boolean({ default: false }),
  OTEL_SERVICE_NAME: Type.String({ minLength: 1, default: 'doorstep' }),
  OTEL_TRACES_SAMPLER: OneOf(
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    { default: 'parentbased_always_on' },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
})

export interface S3Config {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string
  /** In lower case; empty: any. */
  allowedDomains: readonly string[]
  /** Undefined: roles are given by admins, to people whom they have invited. */
  groupRoles: GroupRoles | undefined
  groupsClaim: string
  /** The label of the button. */
  name: string
}

export interface TracingConfig {
  /** Where spans are sent. */
  url: string
  headers: Record<string, string>
  serviceName: string
  resourceAttributes: Record<string, string>
  sampler: Values['OTEL_TRACES_SAMPLER']
  /** The share of traces to sample, if the sampler uses a ratio. */
  sampledRatio: number
}

export interface Config {
  port: number
  host: string
  publicUrl: string | undefined
  brand: string
  dataDir: string
  databaseUrl: string | undefined
  databasePool: number
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
  /** Undefined: nobody signs in through OIDC. */
  oidc: OidcConfig | undefined
  /** Undefined: nothing is traced. */
  tracing: TracingConfig | undefined
}

/** An invalid setting; the message is one line that names it and the problem. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
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
    oidc: oidcOf(values),
    tracing: tracingOf(values),
  }
}

type Values = Static<typeof Environment>

function parse(environment: Record<string, string | undefined>): Values {
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
    const shown = /KEY|SECRET|URL|HEADERS/.test(name) ? 'its value' : JSON.stringify(environment[name])
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

function s3Of(values: Values): S3Config | undefined {
  if (values.S3_BUCKET === undefined && values.S3_ENDPOINT === undefined) return undefined
  for (const name of ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
    if (values[name] === undefined) throw new ConfigError(`${name} is missing: the other S3 settings need it.`)
  }
  return {
    endpoint: withoutFinalSlashes(values.S3_ENDPOINT ?? ''),
    bucket: values.S3_BUCKET ?? '',
    region: values.S3_REGION,
    accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
  }
}

function oidcOf(values: Values): OidcConfig | undefined {
  if (values.OIDC_ISSUER === undefined && values.OIDC_CLIENT_ID === undefined) return undefined
  for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
    if (values[name] === undefined) throw new ConfigError(`${name} is missing: the other OIDC settings need it.`)
  }
  const issuer = values.OIDC_ISSUER ?? ''
  const { protocol, hostname } = new URL(issuer)
  if (protocol !== 'https:' && !isLoopbackHost(hostname)) {
    throw new ConfigError('OIDC_ISSUER is wrong: it must begin with https://.')
  }
  return {
    issuer,
    clientId: values.OIDC_CLIENT_ID ?? '',
    clientSecret: values.OIDC_CLIENT_SECRET ?? '',
    allowedDomains: domainsOf(values),
    groupRoles: groupRolesOf(values),
    groupsClaim: values.OIDC_GROUPS_CLAIM,
    name: values.OIDC_NAME,
  }
}

function domainsOf({ OIDC_ALLOWED_DOMAINS: text = '' }: Values): string[] {
  const domains = text
    .split(/[\s,;]/)
    .filter((domain) => domain !== '')
    .map((domain) => domain.toLowerCase())
  const wrong = domains.find((domain) => !/^[^@*/:]+$/.test(domain))
  if (wrong === undefined) return domains
  throw new ConfigError(
    `OIDC_ALLOWED_DOMAINS is wrong: ${JSON.stringify(wrong)} must be a domain such as shop.example.`,
  )
}

function groupRolesOf({ OIDC_ROLES: text }: Values): GroupRoles | undefined {
  if (text === undefined) return undefined
  const read = readGroupRoles(text)
  if ('groups' in read) return read.groups
  throw new ConfigError(
    `OIDC_ROLES is wrong: ${JSON.stringify(read.wrong)} must be a group and its roles, such as support=editor@demo-shop,viewer@*.`,
  )
}

function tracingOf(values: Values): TracingConfig | undefined {
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || values.OTEL_SDK_DISABLED) return undefined
  return {
    url: `${withoutFinalSlashes(values.OTEL_EXPORTER_OTLP_ENDPOINT)}/v1/traces`,
    headers: readPairs('OTEL_EXPORTER_OTLP_HEADERS', values.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: values.OTEL_SERVICE_NAME,
    resourceAttributes: readPairs('OTEL_RESOURCE_ATTRIBUTES', values.OTEL_RESOURCE_ATTRIBUTES),
    sampler: values.OTEL_TRACES_SAMPLER,
    sampledRatio: values.OTEL_TRACES_SAMPLER_ARG,
  }
}

function readPairs(name: string, text = ''): Record<string, string> {
  try {
    const pairs = text.split(',').filter((pair) => pair !== '')
    return Object.fromEntries(
      pairs.map((pair) => {
        const [key = '', ...value] = pair.split('=')
        return [key.trim(), decodeURIComponent(value.join('=').trim())]
      }),
    )
  } catch {
    throw new ConfigError(`${name} is wrong: a value is not percent-encoded.`)
  }
}

function withoutFinalSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end -= 1
  return address.slice(0, end)
}
