import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/store/database.ts'
import type { Demo } from '../demo/build.ts'
import type { Credentials } from './installation.ts'

/** The facts about the started service that the operator sees. */
interface StartedService {
  /** The address that it listens at. */
  url: string
  database: Pick<Database, 'engine'>
  /** Undefined if this node has none. */
  dashboard: object | undefined
  /** The superadmin's credentials, only at the start that created them. */
  newCredentials: Credentials | undefined
}

/** The text that the operator sees after a start: URLs, credentials, and how to stop. */
export function welcome(service: StartedService, config: Config): string {
  const store = service.database.engine === 'embedded' ? `embedded, in ${config.dataDir}` : 'PostgreSQL'
  const lines = [
    '',
    `  Doorstep is running at ${service.url}`,
    '',
    ...(service.dashboard ? [`  Dashboard        ${service.url}/dashboard`] : []),
    `  Guide            ${service.url}/docs/guide`,
    `  API reference    ${service.url}/docs`,
    `  API description  ${service.url}/openapi.json`,
    `  Store            ${store}`,
    ...credentialLines(service, config),
    '',
    '  Ctrl+C stops it; requests in flight are finished first.',
    '',
    '',
  ]
  return lines.join('\n')
}

/** The link that signs the operator in. The first reader may use it. */
export function signInGuide(link: string): string {
  return ['  Open the dashboard, signed in. The link works once, within an hour:', '', `    ${link}`, '', ''].join('\n')
}

/** Printed when the demo shop is ready: commands to copy. */
export function demoGuide(demo: Demo, { newCredentials, url }: StartedService, config: Config): string {
  const login = `'${config.adminUsername}:${newCredentials?.apiKey ?? 'YOUR-API-KEY'}'`
  const shopUrl = `${url}/v1/shops/${demo.slug}`
  const width = Math.max(...demo.pages.map(({ about }) => about.length))
  const event = JSON.stringify({ id: demo.trackingNumber, event_name: 'OUT_FOR_DELIVERY' })
  const lines = [
    `  The demo shop "${demo.slug}" (${demo.name}) is ready. What its customers see:`,
    '',
    ...demo.pages.map(({ about, path }) => `    ${about.padEnd(width)}  ${url}${path}`),
    `    ${'the lookup page'.padEnd(width)}  ${url}/track/${demo.slug}`,
    '',
    '  Its latest orders, one of its parcels, and a new event of that parcel, which the first page shows at once:',
    '',
    `    curl -u ${login} '${shopUrl}/orders?per_page=3'`,
    `    curl -u ${login} '${shopUrl}/shipments?tracking_number=${demo.trackingNumber}'`,
    `    curl -u ${login} '${shopUrl}/shipment-events' -H 'content-type: application/json' -d '${event}'`,
    '',
    '',
  ]
  return lines.join('\n')
}

function credentialLines(service: StartedService, config: Config): string[] {
  const made = service.newCredentials
  if (made === undefined) {
    const origin = config.adminApiKey === undefined ? 'as printed at the first start' : 'as set in ADMIN_API_KEY'
    return [`  Log in as        ${config.adminUsername}, with the API key ${origin}`]
  }
  return [
    '',
    '  Your superadmin credentials. They are shown only once, so store them now:',
    `    username  ${made.username}`,
    `    API key   ${made.apiKey}`,
    '',
    `  Try:  curl -u '${made.username}:${made.apiKey}' ${service.url}/v1/shops`,
  ]
}
