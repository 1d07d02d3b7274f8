import { OneOf, type Static, type TSchema, Type } from '../foundation/schema.ts'

/** Text of the guide about a setting; `unset` describes its default, if there is no fixed one. */
interface Words {
  description: string
  unset?: string
}

/** Without a default: undefined if the environment has none. */
function optional<Schema extends TSchema>(schema: Schema, { description, unset = 'unset' }: Words) {
  return Type.Optional({ ...schema, description, 'x-unset': unset } as Schema) // nothing that is checked was added
}

/** The same for a secret: it is never shown, and `NAME_FILE` may name a file that contains it. */
function secret<Schema extends TSchema>(schema: Schema, words: Words) {
  return optional({ ...schema, 'x-secret': true } as Schema, words) // as above
}

/** `name=value,name=value`, as OpenTelemetry writes lists, with percent-encoded values. */
const pairsPattern = '^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$'

/** Without control characters: it becomes part of a header. */
const oneLine = '^[^\\u0000-\\u001f\\u007f]*$'

const Address = Type.String({ format: 'uri' })
const Text = Type.String({ minLength: 1 })
const MailAddress = Type.String({ format: 'email', pattern: oneLine, maxLength: 254 })

const address = {
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080, description: 'The port it listens on.' }),
  HOST: optional(Text, {
    description: 'The address it listens on. `HOST=0.0.0.0` accepts other machines.',
    unset: '127.0.0.1 on the embedded database outside production, else 0.0.0.0',
  }),
  PUBLIC_URL: optional(Address, {
    description: 'The address under which others reach this service.',
    unset: '`http://localhost:PORT`',
  }),
  TLS_CERT: optional(Text, {
    description: 'The file of the certificate. The port then speaks HTTPS and redirects plain HTTP.',
  }),
  TLS_KEY: optional(Text, { description: 'The file of its private key.' }),
  TRUST_PROXY: Type.String({
    default: 'off',
    description:
      "Which proxies' `X-Forwarded-*` headers are trusted: a number of proxies (`on` is 1), or networks such as `10.0.0.0/8,loopback`. The client is the last address that is not such a proxy. Requests that reached the proxy unencrypted are redirected. Use networks if the port can be reached without the proxy.",
  }),
  BRAND: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9-]{0,30}$',
    default: 'Service',
    description: 'The word in the header names `Service-Version` and `Service-Signature`.',
  }),
}

const store = {
  DATA_DIR: Type.String({
    minLength: 1,
    default: './data',
    description:
      'The folder of the embedded database, images and the generated encryption key. Readable by its owner only (0700), enforced at each start, so nodes that share it must run as the same user.',
  }),
  DATABASE_URL: secret(Type.String({ pattern: '^postgres(ql)?://' }), {
    description:
      'PostgreSQL instead of the embedded database: `postgres://user:password@host/database`. Several hosts, `one:5432,two:5433`, are a primary and its standbys: the one that accepts writes is used.',
  }),
  DATABASE_POOL: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 10,
    description: 'Connections to PostgreSQL per process.',
  }),
  DATABASE_STATEMENT_TIMEOUT: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 60,
    description: 'Seconds until a statement on PostgreSQL is given up; 0 for no limit. Migrations have none.',
  }),
  DATABASE_REPLICA_URL: secret(Type.String({ pattern: '^postgres(ql)?://' }), {
    description:
      'Standbys of that PostgreSQL, one or several hosts: exports, figures and searches are read from them. All else, and what a standby cannot serve, is read from the primary.',
  }),
  DATABASE_REPLICA_MAX_LAG: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 10,
    description: 'Seconds that a standby may be behind. One that is further behind is not used.',
  }),
  ENCRYPTION_KEY: secret(Type.String({ minLength: 16 }), {
    description:
      'Encrypts credentials and webhook secrets. All nodes need the same. A list with commas rotates it: the first key encrypts, all decrypt.',
    unset: 'generated, stored in `DATA_DIR`',
  }),
  RETENTION_DAYS: optional(Type.Integer({ minimum: 1, maximum: 36_500 }), {
    description: 'Days to keep delivery logs and finished imports; unset keeps them.',
  }),
  DELETED_SHOP_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 30,
    description:
      'Days until everything of a deleted shop is removed: rows, images, and keys that are only for it. Until then, `update shops set deleted_at = null where id = …` restores the shop.',
  }),
  AUDIT_DAYS: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 365,
    description: 'Days to keep the audit log; 0 keeps it.',
  }),
  S3_ENDPOINT: optional(Address, { description: 'An S3-compatible store for images, instead of `DATA_DIR`.' }),
  S3_BUCKET: optional(Text, { description: 'Its bucket.' }),
  S3_REGION: Type.String({ minLength: 1, default: 'us-east-1', description: 'Its region.' }),
  S3_ACCESS_KEY_ID: optional(Text, { description: 'The key that may read and write there.' }),
  S3_SECRET_ACCESS_KEY: secret(Text, { description: "That key's secret." }),
}

const backups = {
  BACKUP_TO: optional(Text, {
    description:
      'Where scheduled backups go: a folder, or `s3://bucket/prefix` in the store of the `S3_` settings. One node writes each of them.',
    unset: 'none are made',
  }),
  BACKUP_EVERY_HOURS: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    default: 24,
    description: 'Hours between two scheduled backups.',
  }),
  BACKUP_KEEP: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 14,
    description: 'How many scheduled backups are kept. Older ones are deleted after a new one is complete.',
  }),
  BACKUP_PASSPHRASE: secret(Type.String({ minLength: 12 }), {
    description:
      'Encrypts backups, and decrypts them in `doorstep restore`, which then rejects a file that is not encrypted, unless `--unencrypted` is given. Keep it where you do not keep the backups: without it, they cannot be read.',
    unset: 'backups are not encrypted',
  }),
  BACKUP_WITH_KEY: Type.Boolean({
    default: false,
    description: 'Whether scheduled backups include the encryption key; needs `BACKUP_PASSPHRASE`.',
  }),
}

const access = {
  ADMIN_USERNAME: Type.String({
    pattern: '^[^:\\s]{1,128}$',
    default: 'admin',
    description: "The superadmin's username.",
  }),
  ADMIN_API_KEY: secret(Type.String({ minLength: 16, maxLength: 600 }), {
    description:
      "The superadmin's API key, or a list of up to four: `new,old`. All are accepted. A changed list replaces the previous one at the next start.",
    unset: 'generated at the first start and printed once',
  }),
  OIDC_ISSUER: optional(Address, {
    description:
      'People sign in to the dashboard through this OpenID provider. Its redirect address is `PUBLIC_URL/auth/oidc/callback`.',
  }),
  OIDC_CLIENT_ID: optional(Text, { description: 'The id of this service at the provider.' }),
  OIDC_CLIENT_SECRET: secret(Text, { description: 'The secret that belongs to it.' }),
  OIDC_ALLOWED_DOMAINS: optional(Type.String(), {
    description: 'Domains of e-mail addresses that may sign in: `shop.example,shop.de`.',
    unset: 'any',
  }),
  OIDC_ROLES: optional(Type.String(), {
    description:
      'Which group has which role: `ops=superadmin;support=editor@demo,viewer@*`. Unset: admins invite people and give them roles.',
  }),
  OIDC_GROUPS_CLAIM: Type.String({ minLength: 1, default: 'groups', description: 'The claim that lists the groups.' }),
  OIDC_NAME: Type.String({
    minLength: 1,
    maxLength: 60,
    default: 'Single sign-on',
    description: 'The label of the button.',
  }),
  RATE_LIMIT: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Requests per minute per key; 0 means no limit. Failed log-ins are always limited: 20 per minute per username and address, counted across all nodes.',
  }),
  MCP_WRITES: Type.Boolean({
    default: false,
    description: 'Whether agents at `/mcp` get tools that change something.',
  }),
}

const webhooks = {
  WEBHOOK_ALLOW_PRIVATE: optional(Type.Boolean(), {
    description: 'Whether webhooks may reach private addresses.',
    unset: 'on outside production if `HOST` is loopback, else off',
  }),
  WEBHOOK_RETRY_BASE_MS: Type.Integer({
    minimum: 1,
    maximum: 3_600_000,
    default: 5_000,
    description: 'The first pause; each further pause is twice as long, up to 12 hours.',
  }),
  WEBHOOK_PROXY_URL: secret(Address, {
    description:
      'Deliveries go through this HTTP proxy, for a static source address. Calls to Brevo use it if the shop sets `use_proxy`.',
  }),
  CREDENTIAL_HOSTS: optional(Type.String(), {
    description:
      "Hosts that may receive credentials in addition to each company's own, also over plain HTTP: `relay.example,*.shops.example`. `*.` (or a leading dot) stands for every host below, not for the name itself; no scheme, port or path.",
  }),
}

const processes = {
  ROLE: OneOf(['all', 'api', 'worker'], {
    default: 'all',
    description: '`api` serves requests, `worker` delivers, tracks and imports.',
  }),
  PROCESSES: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description: 'Processes that share the port, on PostgreSQL. `DATABASE_POOL` and `RATE_LIMIT` apply to each.',
  }),
  NODE_ENV: Type.String({
    default: 'development',
    description: '`production` changes the defaults of `HOST`, `DEMO` and `WEBHOOK_ALLOW_PRIVATE`.',
  }),
  DEMO: optional(Type.Boolean(), {
    description: '`DEMO=0` for no demo shop.',
    unset: 'on at the first start of an embedded database outside production',
  }),
  BODY_LIMIT: Type.Integer({ minimum: 1024, default: 10_000_000, description: 'The largest body of a request.' }),
  IMAGE_LIMIT: Type.Integer({ minimum: 1024, default: 10_000_000, description: 'The largest image.' }),
  IMPORT_LIMIT: Type.Integer({ minimum: 1024, default: 1_000_000_000, description: 'The largest file of an import.' }),
}

const mail = {
  SMTP_HOST: optional(Type.String({ pattern: '^[A-Za-z0-9.:_-]{1,255}$' }), {
    description: 'A mail server for shops without one of their own, and for messages to the team.',
  }),
  SMTP_PORT: optional(Type.Integer({ minimum: 1, maximum: 65_535 }), {
    description: 'Its port.',
    unset: '587 with starttls, 465 with tls, 25 with none',
  }),
  SMTP_SECURITY: OneOf(['tls', 'starttls', 'none'], {
    default: 'starttls',
    description: 'How the connection is encrypted.',
  }),
  SMTP_USERNAME: optional(Type.String({ minLength: 1, maxLength: 512 }), { description: 'The account.' }),
  SMTP_PASSWORD: secret(Type.String({ minLength: 1, maxLength: 1_024 }), { description: 'Its password.' }),
  SMTP_FROM_ADDRESS: optional(MailAddress, { description: 'The address that its messages come from.' }),
  SMTP_FROM_NAME: optional(Type.String({ pattern: oneLine, maxLength: 100 }), {
    description: 'The name that they come from.',
    unset: '`BRAND`',
  }),
  SMTP_REPLY_TO: optional(MailAddress, { description: 'The address that gets the replies.' }),
  SMTP_RATE: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 10,
    description:
      'E-mails per second to one account, by one process; up to half as many connections, at least 5 and at most 20.',
  }),
}

const observation = {
  LOG_LEVEL: Type.String({
    pattern: '^(trace|debug|info|warn|error|fatal|silent)$',
    default: 'info',
    description: 'What is logged: trace, debug, info, warn, error, fatal or silent.',
  }),
  LOG_FORMAT: optional(OneOf(['json', 'text']), {
    description: 'Short readable lines, or one JSON object per line.',
    unset: 'text on a terminal, else json',
  }),
  NO_COLOR: optional(Type.String(), { description: 'Any value: no colours in the log.' }),
  METRICS_PORT: optional(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    description: '`/metrics` on a port of its own, over plain HTTP, instead of `PORT`.',
    unset: '`/metrics` is on `PORT`',
  }),
  METRICS_HOST: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'The address of that port. `METRICS_HOST=0.0.0.0` accepts other machines.',
  }),
  METRICS_TOKEN: secret(Type.String({ minLength: 16, maxLength: 256, pattern: '^\\S+$' }), {
    description: '`/metrics` needs this bearer token.',
    unset:
      'on `PORT`, only programs of the same machine read `/metrics`, and not through a proxy; on `METRICS_PORT`, everybody who reaches it',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(Type.String({ format: 'uri', pattern: '^https?://' }), {
    description:
      'An OpenTelemetry collector: traces of requests, coalesced writes, deliveries and jobs go to its `/v1/traces` as OTLP over HTTP.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: secret(Type.String({ pattern: pairsPattern }), {
    description: 'Headers of those requests: `name=value,name=value`.',
  }),
  OTEL_SERVICE_NAME: Type.String({ minLength: 1, default: 'doorstep', description: 'The name in the traces.' }),
  OTEL_RESOURCE_ATTRIBUTES: optional(Type.String({ pattern: pairsPattern }), {
    description: 'Sent with the traces: `name=value,name=value`.',
  }),
  OTEL_TRACES_SAMPLER: OneOf(
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    { default: 'parentbased_always_on', description: 'Which traces are recorded.' },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'The share that a sampler with a ratio records: 0.1 for a tenth.',
  }),
  OTEL_SDK_DISABLED: Type.Boolean({ default: false, description: 'No traces, whatever the others say.' }),
}

/** The settings by subject, in the order of the guide. */
export const settingGroups: readonly { title: string; settings: Record<string, TSchema> }[] = [
  { title: 'Address and proxy', settings: address },
  { title: 'Database, files and retention', settings: store },
  { title: 'Backups', settings: backups },
  { title: 'Access', settings: access },
  { title: 'Webhooks and other outgoing calls', settings: webhooks },
  { title: 'Processes and limits', settings: processes },
  { title: 'E-mail', settings: mail },
  { title: 'Logs, metrics and traces', settings: observation },
]

/** Every setting of the process, as the environment spells it. */
export const Environment = Type.Object({
  ...address,
  ...store,
  ...backups,
  ...access,
  ...webhooks,
  ...processes,
  ...mail,
  ...observation,
})

export type Values = Static<typeof Environment>

/** The settings that may be in a file instead, named by `NAME_FILE`. */
export const secretSettings: readonly string[] = Object.entries(Environment.properties)
  .filter(([, schema]) => 'x-secret' in schema)
  .map(([name]) => name)
