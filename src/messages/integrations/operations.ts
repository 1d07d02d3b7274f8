import { type IntegrationName, integrationNames } from '../../adapters/marketing/registry.ts'
import { listMasked } from '../../credentials/integration-keys/store.ts'
import { findMailAccount } from '../../credentials/mail-account/account.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { toHealth } from '../../delivery/queue/health-present.ts'
import { findHealth } from '../../delivery/queue/health-store.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { getAllTriggerSettings } from '../../shops/settings/store.ts'
import { IntegrationList, IntegrationTest, IntegrationTestResult, integrationPath } from './schema.ts'
import { testAccount } from './test-account.ts'
import { testMail } from './test-mail.ts'

export const listIntegrations = operation({
  name: 'listIntegrations',
  summary: 'List the integrations with their state and health',
  area: 'Integrations',
  route: 'GET /v1/shops/{slug}/integrations',
  needs: 'viewer',
  reply: IntegrationList,
  async handle(context) {
    const settings = await getAllTriggerSettings(context, context.shop.id)
    const credentials = await listMasked(context, context.shop.id)
    const health = await findHealth(context, [...integrationNames, mailReceiver])
    const integrations = integrationNames.map((name) => {
      const { label, check } = context.services.integrations[name]
      const { status: isOn = false }: { status?: boolean } = settings[name] ?? {}
      return {
        integration: name,
        name: label,
        is_on: isOn,
        has_credentials: credentials.has(name),
        test: testKindOf(check),
        health: toHealth(health.get(name), { isOn }),
      }
    })
    const hasMail = settings.smtp !== undefined || credentials.has(mailReceiver)
    if (!hasMail) return { integrations }
    const isOn = settings.smtp?.status ?? false
    const mail = {
      integration: mailReceiver,
      name: 'E-mail',
      is_on: isOn,
      has_credentials: (await findMailAccount(context, context.shop.id)) !== undefined,
      test: testKindOf(undefined),
      health: toHealth(health.get(mailReceiver), { isOn }),
    }
    return { integrations: [...integrations, mail] }
  },
})

export const testIntegration = operation({
  name: 'testIntegration',
  summary: 'Test an integration with its stored credentials',
  description:
    'Sends a sample event for the given address through the adapter, as real events are sent, whether the integration is switched on or not. For Shopify, where an event would change a real order, the credentials are verified instead; for smtp, an e-mail about a sample order is sent to the address. A failure is not an error: the reply says why.',
  area: 'Integrations',
  route: 'POST /v1/shops/{slug}/integrations/{integration}/test',
  needs: 'admin',
  pathSchemas: integrationPath,
  body: IntegrationTest,
  isBodyOptional: true,
  reply: IntegrationTestResult,
  callsOut: true,
  audit: { kind: 'integration' },
  async handle(context, { path, body }) {
    const name = path.integration as IntegrationName | typeof mailReceiver // its schema allows only these
    if (name === mailReceiver) {
      if (!body.email) throw invalid(['body', 'email'], 'is required: the e-mail is sent to it')
      return { test: testKindOf(undefined), ...(await testMail(context, body.email)) }
    }
    const integration = context.services.integrations[name]
    const { check } = integration
    if (!check && !body.email) throw invalid(['body', 'email'], 'is required: the sample event is sent for it')
    return { test: testKindOf(check), ...(await testAccount(context, integration, body.email ?? '')) }
  },
})

function testKindOf(check: unknown) {
  return check === undefined ? ('message' as const) : ('credentials' as const)
}
