/** The integrations by the names that the API has for them, with what the forms need. Three have segments to fetch; e-mail of our own has a form of its own. */
export const integrationForms = {
  klaviyo: { name: 'Klaviyo', credentials: ['api_key'], setting: undefined, hasSegments: true },
  brevo: { name: 'Brevo', credentials: ['api_key'], setting: undefined, hasSegments: true },
  braze: { name: 'Braze', credentials: ['api_key'], setting: 'rest_endpoint', hasSegments: false },
  hubspot: { name: 'HubSpot', credentials: ['api_key'], setting: 'portal_id', hasSegments: true },
  emarsys: { name: 'Emarsys', credentials: ['client_id', 'client_secret'], setting: undefined, hasSegments: false },
  inxmail: { name: 'Inxmail', credentials: ['username', 'password'], setting: 'instance_id', hasSegments: false },
  shopify: { name: 'Shopify', credentials: ['api_key'], setting: undefined, hasSegments: false },
  smtp: { name: 'E-mail (SMTP)', credentials: [], setting: undefined, hasSegments: false },
} as const

export type IntegrationName = keyof typeof integrationForms

export function isIntegration(name: string): name is IntegrationName {
  return Object.hasOwn(integrationForms, name)
}

/** Who a trigger can notify: Shopify has no such event. */
export const triggerParties = ['webhook', 'klaviyo', 'brevo', 'braze', 'hubspot', 'emarsys', 'inxmail', 'smtp'] as const
export type TriggerParty = (typeof triggerParties)[number]

export function isTriggerParty(name: string): name is TriggerParty {
  return triggerParties.some((party) => party === name)
}
