import { Refusal } from '../../foundation/errors.ts'
import { type Operation, operation } from '../../foundation/operation.ts'
import { NullReply } from '../../foundation/schema.ts'
import { toMaskedKeys } from './rules.ts'
import { credentialSchemas, MaskedKeys, type Provider } from './schema.ts'
import { deleteCredentials, listMasked, putCredentials } from './store.ts'

export const listIntegrationKeys = operation({
  name: 'listIntegrationKeys',
  summary: 'List the credentials for other systems, masked',
  description: 'Shows the last characters of what is set, and null where nothing is.',
  area: 'Integration keys',
  route: 'GET /v1/shops/{slug}/keys',
  needs: 'admin',
  reply: MaskedKeys,
  async handle(context) {
    return toMaskedKeys(await listMasked(context, context.shop.id))
  },
})

// One operation for each provider, so that the API description says exactly what each one takes.
export const setKlaviyoCredentials = setCredentials('klaviyo', 'Klaviyo')
export const setBrevoCredentials = setCredentials('brevo', 'Brevo')
export const setBrazeCredentials = setCredentials('braze', 'Braze')
export const setHubSpotCredentials = setCredentials('hubspot', 'HubSpot', 'The token of a private app.')
export const setShopifyCredentials = setCredentials('shopify', 'Shopify', 'The access token of the shop.')
export const setEmarsysCredentials = setCredentials('emarsys', 'Emarsys')
export const setShopwareCredentials = setCredentials('shopware', 'Shopware')
export const setInxmailCredentials = setCredentials('inxmail', 'Inxmail')

export const deleteShopifyCredentials = operation({
  name: 'deleteShopifyCredentials',
  summary: 'Delete the access token for Shopify',
  area: 'Integration keys',
  route: 'DELETE /v1/shops/{slug}/keys/shopify',
  needs: 'admin',
  reply: NullReply,
  refuses: ['partner_key_not_found'],
  async handle(context) {
    if (!(await deleteCredentials(context, context.shop.id, 'shopify'))) {
      throw new Refusal(
        'partner_key_not_found',
        'This shop has no access token for Shopify. There is nothing to delete.',
      )
    }
    return null
  },
})

function setCredentials<Name extends Provider>(provider: Name, system: string, hint?: string): Operation {
  const route: `PUT /v1/shops/{slug}/keys/${Provider}` = `PUT /v1/shops/{slug}/keys/${provider}`
  const replacing = 'Replaces what was set before. Kept encrypted; shown only masked.'
  return operation({
    name: `set${system}Credentials`,
    summary: `Set the credentials for ${system}`,
    description: hint === undefined ? replacing : `${hint} ${replacing}`,
    area: 'Integration keys',
    route,
    needs: 'admin',
    body: credentialSchemas[provider],
    reply: NullReply,
    async handle(context, { body }) {
      await putCredentials(context, context.shop.id, provider, body)
      return null
    },
  })
}
