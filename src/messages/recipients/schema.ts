import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

const suppressionReasons = ['bounced', 'complained', 'rejected', 'manual', 'unsubscribed'] as const

export const Suppression = Named(
  'MailSuppression',
  Type.Object({
    uuid: Uuid,
    address: Nullable(
      Type.String({
        description: 'Masked: the address itself is not stored. Null after the customer was erased.',
        examples: ['m…@example.org'],
      }),
    ),
    reason: OneOf(suppressionReasons, {
      description:
        'bounced and complained: a mail provider said so; rejected: the mail server did on two different days; manual: a colleague; unsubscribed: the customer wants no promotion, and still gets messages about orders',
      examples: ['bounced'],
    }),
    gets_mail: Type.Boolean({ examples: [false] }),
    gets_promotion: Type.Boolean({ examples: [false] }),
    detail: Nullable(Type.String({ description: 'What the mail provider said', examples: ['unknown user'] })),
    since: DateTime,
  }),
)
export type Suppression = Static<typeof Suppression>

export const SuppressionFilter = PagedQuery({
  address: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 320,
      description: 'Only this e-mail address: whether it is in the list',
      examples: ['mary@example.org'],
    }),
  ),
})
export type SuppressionFilter = Static<typeof SuppressionFilter>

export const SuppressionCreation = Named(
  'MailSuppressionCreation',
  Type.Object({ address: Type.String({ minLength: 3, maxLength: 320, examples: ['mary@example.org'] }) }),
)

export const MailHooks = Named(
  'MailHooks',
  Type.Object({
    postmark_url: Type.String({
      description: 'For the bounce and spam complaint webhooks of Postmark, with the basic authentication in it',
      examples: ['https://postmark:b6Yq0vT4mZ8c@doorstep.example/v1/inbound/river-and-pine/mail/postmark'],
    }),
    bounces_url: Type.String({ examples: ['https://doorstep.example/v1/inbound/river-and-pine/mail/bounces'] }),
    secret: Type.String({
      description: 'What reports to `bounces_url` are signed with, as Standard Webhooks defines it',
      examples: ['b6Yq0vT4mZ8cK1xW3nR7sD5fG9hJ2kL4pQ6uE8aC'],
    }),
  }),
)

/** The body of the generic hook. */
export const BounceReport = Type.Object({
  type: OneOf(['bounce', 'complaint']),
  recipient: Maybe(Type.String({ maxLength: 320 })),
  return_path: Maybe(Type.String({ maxLength: 400 })),
  permanent: Maybe(Type.Boolean()),
  reason: Maybe(Type.String({ maxLength: 2_000 })),
})
export type BounceReport = Static<typeof BounceReport>
