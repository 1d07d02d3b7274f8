import { secondMs } from '../platform/foundation/clock.ts'
import type { ProviderDescription } from './carriers/provider.ts'
import { describedProviders } from './carriers/registry.ts'
import type { IntegrationDescription } from './marketing/integration.ts'
import { describedIntegrations } from './marketing/registry.ts'
import { describedShopSystems } from './shop-systems/registry.ts'
import { type System, systems } from './systems.ts'

/** The guide's page of systems, as Markdown: written by `npm run generate:systems`. */
export function renderSystemsPage(): string {
  return `# Systems

What a shop can be connected to. \`GET /v1/systems\` returns the same with the schema of the credentials of each, and the dashboard has a guide for
connecting it. Credentials are set by \`PUT /v1/shops/{slug}/keys/{name}\`; they are stored encrypted and sent to the system's own hosts only.

This page is written from the descriptions in \`src/adapters\` by \`npm run generate:systems\`.

## Carriers and aggregators

They are queried for parcels. A carrier's own system knows its parcels sooner and better than an aggregator of many, so it comes first where both could
track a parcel. All other carriers are recognised by their numbers, and not queried.

${tableOf(['system', 'name', 'kind', 'credentials', 'carriers', 'pushes', 'limit per account'], describedProviders.map(providerRow))}

## Marketing systems

They receive events. Segments are fetched with each new order, where the system has a call that returns them.

${tableOf(['system', 'name', 'credentials', 'setting of its own', 'segments'], integrations.map(integrationRow))}

## Shop systems

Orders come from them, by webhooks and by reading recent orders again.

${tableOf(['system', 'name', 'credentials', 'also receives events'], describedShopSystems.map(shopSystemRow))}
`
}

const integrations: readonly IntegrationDescription[] = describedIntegrations.filter(({ kind }) => kind === 'marketing')

function providerRow({ name, label, kind, carriers, abilities, limit }: ProviderDescription): string[] {
  const known = carriers.length > 3 ? String(carriers.length) : carriers.map(code).join(', ')
  return [label, code(name), kind, fieldsOf(name), known, yesOrNo(abilities.includes('readWebhook')), limitOf(limit)]
}

function integrationRow({ name, label, setting }: IntegrationDescription): string[] {
  const own = setting ? code(setting.name) : '–'
  return [label, code(name), fieldsOf(name), own, yesOrNo(systemOf(name)?.capabilities.includes('segments'))]
}

function shopSystemRow({ name, label }: { name: string; label: string }): string[] {
  return [label, code(name), fieldsOf(name), yesOrNo(systemOf(name)?.capabilities.includes('events'))]
}

function systemOf(name: string): System | undefined {
  return systems.find((system) => system.name === name)
}

function fieldsOf(name: string): string {
  const fields = Object.keys(systemOf(name)?.form?.schema.properties ?? {})
  return fields.length === 0 ? 'none' : fields.map(code).join(', ')
}

function limitOf({ requests, perMs }: ProviderDescription['limit']): string {
  const [amount, unit] = perMs >= 3_600 * secondMs ? [perMs / (3_600 * secondMs), 'hours'] : [perMs / secondMs, 's']
  return `${requests.toLocaleString('en')} in ${amount} ${unit}`
}

function code(text: string): string {
  return `\`${text}\``
}

function yesOrNo(value: boolean | undefined): string {
  return value ? 'yes' : 'no'
}

function tableOf(titles: string[], rows: readonly string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(titles), `|${titles.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
