import { Maybe, Named, type TObject, type TSchema, Type } from '../platform/foundation/schema.ts'

/** The credentials of a system: what `PUT /keys/{name}` accepts, and how its fields are shown. */
export interface CredentialForm<Schema extends TObject = TObject> {
  /** An object with a name of its own in the API description. */
  schema: Schema
  /** Fields that are typed like passwords. Listings mask these and all others that are not `shown`. */
  secrets: readonly string[]
  /** Fields that listings show as they are, and the schema of each there. */
  shown?: Readonly<Record<string, TSchema>>
  /** A sentence of the operation's description: where the credentials come from, or what they are for. */
  hint?: string
  /**
   * Their name in `DELETE /keys/{name}`; undefined: there is no such operation, as for marketing systems of the first
   * version.
   */
  removal: string | undefined
}

/** The part that a system adds to one of the forms below. */
type Own = Pick<CredentialForm, 'removal' | 'hint'>

const ApiKeyCredentials = Named(
  'ApiKeyCredentials',
  Type.Object({ api_key: Type.String({ minLength: 16, maxLength: 128, examples: ['pk_0123456789abcdef'] }) }),
)

export function apiKey(own: Own) {
  return { schema: ApiKeyCredentials, secrets: ['api_key'], ...own }
}

const PushingCredentials = Named(
  'PushingCredentials',
  Type.Object({
    api_key: Type.String({ minLength: 16, maxLength: 128, examples: ['asat_0123456789abcdef'] }),
    webhook_secret: Maybe(Type.String({ minLength: 8, maxLength: 512, examples: ['d5c1a2f0b7e94c6f'] })),
  }),
)

/** For a provider that sends webhooks, which can only be verified with their secret. */
export function apiKeyWithWebhookSecret(own: Own) {
  return {
    schema: PushingCredentials,
    secrets: ['api_key', 'webhook_secret'],
    hint: 'The provider signs its webhooks with the webhook_secret; without it, shipments are only polled. One that is replaced is accepted for `former_valid_hours`.',
    ...own,
  }
}

const ClientCredentials = Named(
  'ClientCredentials',
  Type.Object({
    client_id: Type.String({ minLength: 1, maxLength: 512, examples: ['SWIAQ2ZXM0LTUNDVB3HJAGVPEQ'] }),
    client_secret: Maybe(Type.String({ minLength: 1, maxLength: 1_024, examples: ['c2VjcmV0LW9mLXRoZS1jbGllbnQ'] })),
  }),
)

export function clientCredentials(own: Own) {
  return { schema: ClientCredentials, secrets: ['client_secret'], ...own }
}

const BasicCredentials = Named(
  'BasicCredentials',
  Type.Object({
    username: Type.String({ minLength: 1, maxLength: 512, examples: ['river-and-pine'] }),
    password: Type.String({ minLength: 1, maxLength: 1_024, examples: ['correct horse battery staple'] }),
  }),
)

export function userAndPassword(own: Own) {
  return { schema: BasicCredentials, secrets: ['password'], ...own }
}
