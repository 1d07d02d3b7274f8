import { createBraze } from './braze/adapter.ts'
import { createBrevo } from './brevo/adapter.ts'
import { createEmarsys } from './emarsys/adapter.ts'
import { createHubspot } from './hubspot/adapter.ts'
import { type Integration, type IntegrationName, integrationNames } from './integration.ts'
import { createInxmail } from './inxmail/adapter.ts'
import { createKlaviyo } from './klaviyo/adapter.ts'
import { createShopify } from './shopify/adapter.ts'

type Create = (options?: { baseUrl?: string }) => Integration

const creators: Record<IntegrationName, Create> = {
  klaviyo: createKlaviyo,
  brevo: createBrevo,
  braze: createBraze,
  hubspot: createHubspot,
  emarsys: createEmarsys,
  inxmail: createInxmail,
  shopify: createShopify,
}

/** All integrations. Base URLs can be replaced, for tests or a relay. */
export function createIntegrations(
  baseUrls: Partial<Record<IntegrationName, string>> = {},
): Record<IntegrationName, Integration> {
  const entries = integrationNames.map((name) => [name, creators[name]({ baseUrl: baseUrls[name] })])
  // There is one entry per name, so the record is complete.
  return Object.fromEntries(entries) as Record<IntegrationName, Integration>
}
