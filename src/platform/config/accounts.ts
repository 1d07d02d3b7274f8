import { type GroupRoles, readGroupRoles } from '../foundation/group-roles.ts'
import { isLoopbackHost } from '../foundation/loopback.ts'
import { ConfigError } from './config-error.ts'
import type { Values } from './environment.ts'

export interface S3Config {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** The installation's own mail account. */
export interface SmtpConfig {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  username: string | null
  password: string | null
  fromName: string
  fromAddress: string
  replyTo: string | null
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
  /** The address that spans are sent to. */
  url: string
  headers: Record<string, string>
  serviceName: string
  resourceAttributes: Record<string, string>
  sampler: Values['OTEL_TRACES_SAMPLER']
  /** The share of traces to sample, if the sampler uses a ratio. */
  sampledRatio: number
}

export function s3Of(values: Values): S3Config | undefined {
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

/** Backups: how they are sealed, and where and when scheduled ones are written. */
export interface BackupConfig {
  /** Undefined: none are scheduled. */
  to: { folder: string } | { bucket: string; prefix: string } | undefined
  everyHours: number
  keep: number
  passphrase: string | undefined
  withKey: boolean
}

export function backupOf(values: Values): BackupConfig {
  const { BACKUP_TO: to, BACKUP_PASSPHRASE: passphrase, BACKUP_WITH_KEY: withKey } = values
  if (withKey && passphrase === undefined) {
    throw new ConfigError('BACKUP_PASSPHRASE is missing: BACKUP_WITH_KEY needs it, so that nobody reads the key.')
  }
  return {
    to: to === undefined ? undefined : backupPlaceOf(to, values),
    everyHours: values.BACKUP_EVERY_HOURS,
    keep: values.BACKUP_KEEP,
    passphrase,
    withKey,
  }
}

function backupPlaceOf(to: string, values: Values): NonNullable<BackupConfig['to']> {
  if (!to.startsWith('s3://')) return { folder: to }
  if (s3Of(values) === undefined)
    throw new ConfigError('S3_ENDPOINT is missing: BACKUP_TO needs it for s3:// addresses.')
  const [bucket = '', ...path] = withoutFinalSlashes(to.slice('s3://'.length)).split('/')
  if (bucket === '') throw new ConfigError('BACKUP_TO is wrong: it must name a bucket, such as s3://backups/doorstep.')
  return { bucket, prefix: path.length === 0 ? '' : `${path.join('/')}/` }
}

/** The submission port of each kind of security. */
const smtpPorts = { tls: 465, starttls: 587, none: 25 }

export function smtpOf(values: Values): SmtpConfig | undefined {
  const { SMTP_HOST: host, SMTP_FROM_ADDRESS: fromAddress, SMTP_SECURITY: security } = values
  const names = ['SMTP_PORT', 'SMTP_USERNAME', 'SMTP_PASSWORD', 'SMTP_FROM_NAME', 'SMTP_REPLY_TO'] as const
  if (host === undefined && fromAddress === undefined && names.every((name) => values[name] === undefined)) {
    return undefined
  }
  if (host === undefined) throw new ConfigError('SMTP_HOST is missing: the other SMTP settings need it.')
  if (fromAddress === undefined) throw new ConfigError('SMTP_FROM_ADDRESS is missing: SMTP_HOST needs it.')
  const { SMTP_USERNAME: username = null, SMTP_PASSWORD: password = null } = values
  if (username === null && password !== null) {
    throw new ConfigError('SMTP_USERNAME is missing: SMTP_PASSWORD is set, and both are needed.')
  }
  if (username !== null && password === null) {
    throw new ConfigError('SMTP_PASSWORD is missing: SMTP_USERNAME is set, and both are needed.')
  }
  return {
    host,
    port: values.SMTP_PORT ?? smtpPorts[security],
    security,
    username,
    password,
    fromName: values.SMTP_FROM_NAME ?? values.BRAND,
    fromAddress,
    replyTo: values.SMTP_REPLY_TO ?? null,
  }
}

export function oidcOf(values: Values): OidcConfig | undefined {
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

export function tracingOf(values: Values): TracingConfig | undefined {
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

export function withoutFinalSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end -= 1
  return address.slice(0, end)
}
