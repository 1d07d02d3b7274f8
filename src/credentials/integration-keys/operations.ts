import { providerNames } from '../../adapters/carriers/registry.ts'
import type { IntegrationDescription } from '../../adapters/marketing/integration.ts'
import { describedIntegrations } from '../../adapters/marketing/registry.ts'
import { type KeyedSystem, keyedSystems } from '../../adapters/systems.ts'
import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { type Operation, operation } from '../../platform/foundation/operation.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { resumeAccount } from '../provider-accounts/store.ts'
import { hostFor } from './account.ts'
import { toMaskedKeys } from './rules.ts'
import { type CredentialsOf, FormerSecret, MaskedKeys, type Provider } from './schema.ts'
import { deleteCredentials, listMasked, putCredentials } from './store.ts'

const listIntegrationKeys = operation({
  name: 'listIntegrationKeys',
  summary: 'List the credentials for other systems, masked',
  description: 'Returns the last characters of each secret that is set, and null for the others.',
  area: 'Integration keys',
  route: 'GET /v1/shops/{slug}/keys',
  needs: 'admin',
  reply: MaskedKeys,
  async handle(context) {
    return toMaskedKeys(await listMasked(context, context.shop.id))
  },
})

/** Those whose URL the shop sets: the shop system comes first. */
const bound = describedIntegrations
  .filter((described: IntegrationDescription) => described.addressOf !== undefined)
  .toSorted((left, right) => Number(right.kind === 'shop_system') - Number(left.kind === 'shop_system'))
const generalDescription = `Replaces the previous credentials. They are stored encrypted, returned only masked, and sent only to the company's own hosts. If the shop sets the URL (${bound.map(({ label }) => label).join(', ')}), they are bound to its current host: set them again when the host changes.`

/** By name, as the API description has them. */
const inOrder = keyedSystems.toSorted((left, right) => (left.name < right.name ? -1 : 1))

/** One operation per system, so that the API description has the exact fields of each. */
export const integrationKeyOperations: readonly Operation[] = [
  ...inOrder.flatMap((system) => (system.form.removal ? [removeCredentials(system, system.form.removal)] : [])),
  listIntegrationKeys,
  ...inOrder.map(setCredentials),
]

function removeCredentials({ name: provider, label }: KeyedSystem, what: string): Operation {
  const route: `DELETE /v1/shops/{slug}/keys/${Provider}` = `DELETE /v1/shops/{slug}/keys/${provider}`
  return operation({
    name: `delete${nameFrom(label)}Credentials`,
    summary: `Delete the ${what} for ${label}`,
    area: 'Integration keys',
    route,
    needs: 'admin',
    reply: NullReply,
    errors: ['partner_key_not_found'],
    audit: auditedCredentials(provider),
    handle: (context) =>
      inTransaction(context, async (context) => {
        if (!(await deleteCredentials(context, context.shop.id, provider))) {
          throw new ApiError(
            'partner_key_not_found',
            `This shop has no ${what} for ${label}. There is nothing to delete.`,
          )
        }
        await applyToTracking(context, provider)
        await applyToMail(context, provider)
        return null
      }),
  })
}

function setCredentials({ name: provider, label, form }: KeyedSystem): Operation {
  const route: `PUT /v1/shops/{slug}/keys/${Provider}` = `PUT /v1/shops/{slug}/keys/${provider}`
  return operation({
    name: `set${nameFrom(label)}Credentials`,
    summary: `Set the credentials for ${label}`,
    description: form.hint === undefined ? generalDescription : `${form.hint} ${generalDescription}`,
    area: 'Integration keys',
    route,
    needs: 'admin',
    ...('webhook_secret' in form.schema.properties ? { query: FormerSecret } : {}),
    body: form.schema,
    reply: NullReply,
    audit: auditedCredentials(provider),
    handle: (context, { body, query }) =>
      inTransaction(context, async (context) => {
        const host = await hostFor(context, context.shop.id, provider)
        checkSignIn(body)
        const { former_valid_hours: hours } = query as FormerSecret // without it, there is no such secret
        const formerUntil = after(context.now, (hours ?? 24) * hourMs)
        const credentials = body as CredentialsOf<Provider>
        await putCredentials(context, context.shop.id, provider, { credentials, host, formerUntil })
        await applyToTracking(context, provider)
        await applyToMail(context, provider)
        return null
      }),
  })
}

/** A label as a part of the name of an operation. */
function nameFrom(label: string): string {
  return label.replaceAll(/[^A-Za-z0-9]/g, '')
}

/** The masked credentials. New ones may end like those before, so every call is recorded. */
function auditedCredentials(provider: Provider) {
  return {
    kind: 'credentials',
    id: () => provider,
    isAct: true,
    read: async (context: ShopContext) => (await listMasked(context, context.shop.id)).get(provider),
  }
}

/** Ends a pause that rejected credentials have caused, so that the new ones are tried. */
async function applyToTracking(context: ShopContext, provider: Provider): Promise<void> {
  const trackingProvider = providerNames.find((name) => name === provider)
  if (trackingProvider === undefined) return
  await resumeAccount(context, context.shop.id, trackingProvider)
  await context.services.announce(context, { kind: 'tracking', shopId: context.shop.id })
}

/** A mail server wants both or neither. */
function checkSignIn(credentials: object): void {
  if (!('host' in credentials)) return
  const { username, password } = credentials as CredentialsOf<'smtp'> // the only ones with a host
  if (username && !password) throw invalid(['body', 'password'], 'is required if there is a username')
  if (password && !username) throw invalid(['body', 'username'], 'is required if there is a password')
}

async function applyToMail(context: ShopContext, provider: Provider): Promise<void> {
  if (provider === 'smtp') await context.services.announce(context, { kind: 'mail', shopId: context.shop.id })
}
