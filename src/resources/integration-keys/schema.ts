import { Maybe, Named, Nullable, OneOf, type Static, Type } from '../../foundation/schema.ts'
import { mailSecurities } from '../../mail/account.ts'

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

/** For how long what others have signed with before is accepted. */
export const FormerSecret = Type.Object({
  former_valid_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      default: 24,
      description: 'How long messages signed with the former secret are accepted. 0 after a leak: not at all.',
    }),
  ),
})
export type FormerSecret = Static<typeof FormerSecret>

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

/** A key of the store's REST API. The address is part of it: the key is sent nowhere else. */
const WooCommerceCredentials = Named(
  'WooCommerceCredentials',
  Type.Object({
    store_url: Type.String({
      format: 'uri',
      pattern: '^https?://',
      maxLength: 2_048,
      description: 'The WordPress address, with the folder if it is installed in one',
      examples: ['https://shop.example'],
    }),
    consumer_key: Type.String({ minLength: 16, maxLength: 128, examples: ['ck_0123456789abcdef'] }),
    consumer_secret: Type.String({ minLength: 16, maxLength: 128, examples: ['cs_0123456789abcdef'] }),
  }),
)

/** Becomes part of a header. */
const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'
const MailAddress = Type.String({
  format: 'email',
  pattern: oneLine,
  maxLength: 254,
  examples: ['orders@shop.example'],
})

/** A whole account of a mail server: its password is used with nothing else. */
const SmtpCredentials = Named(
  'SmtpCredentials',
  Type.Object({
    host: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9.:_-]{0,254}$', examples: ['smtp.shop.example'] }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [587] }),
    security: OneOf(mailSecurities, {
      description: 'tls: encrypted from the first byte (port 465); starttls: encrypted before the sign-in (587); none',
    }),
    username: Maybe(Type.String({ minLength: 1, maxLength: 512, pattern: oneLine, examples: ['orders@shop.example'] })),
    password: Maybe(Type.String({ minLength: 1, maxLength: 1_024, examples: ['correct horse battery staple'] })),
    from_name: Type.String({ minLength: 1, maxLength: 100, pattern: oneLine, examples: ['River & Pine'] }),
    from_address: MailAddress,
    reply_to: Maybe(MailAddress),
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
  woocommerce: WooCommerceCredentials,
  smtp: SmtpCredentials,
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
    woocommerce: Type.Optional(
      Type.Object(
        { store_url: MaskedText, consumer_key: MaskedText, consumer_secret: MaskedText },
        { description: 'Only if it is set' },
      ),
    ),
    smtp: Type.Optional(
      Type.Object(
        {
          host: Type.String({ examples: ['smtp.shop.example'] }),
          port: Type.Integer({ examples: [587] }),
          security: OneOf(mailSecurities),
          username: MaskedText,
          password: MaskedText,
          from_name: Type.String({ examples: ['River & Pine'] }),
          from_address: Type.String({ examples: ['orders@shop.example'] }),
          reply_to: Nullable(Type.String({ examples: ['help@shop.example'] })),
        },
        { description: 'Only if it is set; only the username and the password are masked' },
      ),
    ),
  }),
)
export type MaskedKeys = Static<typeof MaskedKeys>
