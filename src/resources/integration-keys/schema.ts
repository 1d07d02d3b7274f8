import { Maybe, Named, Nullable, type Static, Type } from '../../foundation/schema.ts'

const ApiKeyCredentials = Named(
  'ApiKeyCredentials',
  Type.Object({ api_key: Type.String({ minLength: 16, maxLength: 128, examples: ['pk_0123456789abcdef'] }) }),
)

/** For a provider that sends webhooks, which can only be verified with their secret. */
export const PushingCredentials = Named(
  'PushingCredentials',
  Type.Object({
    api_key: Type.String({ minLength: 16, maxLength: 128, examples: ['asat_0123456789abcdef'] }),
    webhook_secret: Maybe(Type.String({ minLength: 8, maxLength: 512, examples: ['d5c1a2f0b7e94c6f'] })),
  }),
)

const ClientCredentials = Named(
  'ClientCredentials',
  Type.Object({
    client_id: Type.String({ minLength: 1, maxLength: 512, examples: ['SWIAQ2ZXM0LTUNDVB3HJAGVPEQ'] }),
    client_secret: Maybe(Type.String({ minLength: 1, maxLength: 1_024, examples: ['c2VjcmV0LW9mLXRoZS1jbGllbnQ'] })),
  }),
)

const BasicCredentials = Named(
  'BasicCredentials',
  Type.Object({
    username: Type.String({ minLength: 1, maxLength: 512, examples: ['river-and-pine'] }),
    password: Type.String({ minLength: 1, maxLength: 1_024, examples: ['correct horse battery staple'] }),
  }),
)

/** The credentials of each system. */
export const credentialSchemas = {
  klaviyo: ApiKeyCredentials,
  brevo: ApiKeyCredentials,
  braze: ApiKeyCredentials,
  hubspot: ApiKeyCredentials,
  shopify: ApiKeyCredentials,
  emarsys: ClientCredentials,
  shopware: ClientCredentials,
  inxmail: BasicCredentials,
  aftership: PushingCredentials,
  dhl: ApiKeyCredentials,
  ups: ClientCredentials,
  fedex: ClientCredentials,
  easypost: PushingCredentials,
}
export type Provider = keyof typeof credentialSchemas
export type CredentialsOf<Name extends Provider> = Static<(typeof credentialSchemas)[Name]>

const MaskedText = Nullable(Type.String({ examples: ['****cdef'] }))
const MaskedClient = Type.Object({ client_id: MaskedText, client_secret: MaskedText })
const MaskedPushing = Type.Object({ api_key: MaskedText, webhook_secret: MaskedText })

export const MaskedKeys = Named(
  'MaskedIntegrationKeys',
  Type.Object({
    klaviyo: MaskedText,
    brevo: MaskedText,
    braze: MaskedText,
    hubspot: MaskedText,
    shopify: MaskedText,
    emarsys: MaskedClient,
    shopware: MaskedClient,
    inxmail: Type.Object({ username: MaskedText, password: MaskedText }),
    aftership: MaskedPushing,
    dhl: MaskedText,
    ups: MaskedClient,
    fedex: MaskedClient,
    easypost: MaskedPushing,
  }),
)
export type MaskedKeys = Static<typeof MaskedKeys>
