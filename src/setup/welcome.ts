import type { Config } from '../config.ts'
import type { Service } from '../service.ts'

/** What the operator reads after a start: where to look, who to log in as, how to stop. */
export function welcome(service: Service, config: Config): string {
  const store = service.database.engine === 'embedded' ? `embedded, in ${config.dataDir}` : 'PostgreSQL'
  const lines = [
    '',
    `  Doorstep is running at ${service.url}`,
    '',
    `  API reference    ${service.url}/docs`,
    `  API description  ${service.url}/openapi.json`,
    `  Store            ${store}`,
    ...credentialLines(service, config),
    '',
    '  Ctrl+C stops it; what is under way is finished first.',
    '',
    '',
  ]
  return lines.join('\n')
}

function credentialLines(service: Service, config: Config): string[] {
  const made = service.madeCredentials
  if (made === undefined) {
    const origin = config.adminApiKey === undefined ? 'as printed at the first start' : 'as set in ADMIN_API_KEY'
    return [`  Log in as        ${config.adminUsername}, with the API key ${origin}`]
  }
  return [
    '',
    '  Your superadmin credentials. They are shown this once; keep them:',
    `    username  ${made.username}`,
    `    API key   ${made.apiKey}`,
    '',
    `  Try:  curl -u '${made.username}:${made.apiKey}' ${service.url}/v1/shops`,
  ]
}
