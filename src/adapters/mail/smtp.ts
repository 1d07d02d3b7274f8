import { Maybe, Named, Nullable, OneOf, Type } from '../../platform/foundation/schema.ts'
import { mailSecurities } from '../../platform/mail/account.ts'
import type { CredentialForm } from '../credentials.ts'

/** Becomes part of a header. */
const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'
const MailAddress = Type.String({
  format: 'email',
  pattern: oneLine,
  maxLength: 254,
  examples: ['orders@shop.example'],
})

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

const credentials = {
  schema: SmtpCredentials,
  secrets: ['password'],
  shown: {
    host: Type.String({ examples: ['smtp.shop.example'] }),
    port: Type.Integer({ examples: [587] }),
    security: OneOf(mailSecurities),
    from_name: Type.String({ examples: ['River & Pine'] }),
    from_address: Type.String({ examples: ['orders@shop.example'] }),
    reply_to: Nullable(Type.String({ examples: ['help@shop.example'] })),
  },
  hint: 'A mail server of the shop, with the sender of its messages. Nothing is sent until PATCH /settings/triggers/smtp switches it on.',
  removal: 'credentials',
} satisfies CredentialForm

/**
 * E-mail of our own: a whole account of a mail server, whose password is used with nothing else. `src/platform/mail`
 * sends it.
 */
export const smtp = { name: 'smtp', label: 'SMTP', kind: 'mail', isListedUnset: false, credentials } as const
