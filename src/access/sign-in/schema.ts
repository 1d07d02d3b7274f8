import { roles } from '../../platform/foundation/roles.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { maxPasswordLength } from '../people/password-rules.ts'
import { Email, NewPassword, PersonName } from '../people/schema.ts'

const Secret = (description: string, maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

const Code = Type.String({
  pattern: '^\\d{6}$',
  description: 'The six digits that the authenticator app shows',
  examples: ['492039'],
})
const Token = Secret('The token of a link', 100, 'b7Vw0n3mQm2s8cZ1yT4kXq6rJ9dLhU5gPfEoAiNvKxY')
const OldPassword = Secret('The current password', maxPasswordLength, 'seven parcels at dawn')

export const SignIn = Named(
  'SignIn',
  Type.Object(
    {
      username: Maybe(Secret('With `api_key`: the user name of an API key', 254, 'river-and-pine')),
      api_key: Maybe(Secret('The secret of the key', 254, 'dsk_Jx4…')),
      email: Maybe(Secret('With `password`: a personal account', 254, 'mia@river-and-pine.example')),
      password: Maybe(Secret('', maxPasswordLength, 'seven parcels at dawn')),
      totp: Maybe({ ...Code, description: 'Needed if the account has a second factor' }),
      sign_in_token: Maybe(Token),
    },
    {
      description: '`username` and `api_key`, or `email` and `password`, or `sign_in_token`',
      examples: [{ email: 'mia@river-and-pine.example', password: 'seven parcels at dawn' }],
    },
  ),
)
export type SignIn = Static<typeof SignIn>

const kind = OneOf(['key', 'person'], { examples: ['person'] })
const displayName = Type.String({ examples: ['Mia Sommer'] })

export const SignedIn = Named(
  'SignedIn',
  Type.Object({ session_uuid: Uuid, kind, name: displayName, expires_at: DateTime }),
)

const OwnSession = Named(
  'Session',
  Type.Object({
    uuid: Uuid,
    created_at: DateTime,
    last_used_at: Type.String({
      format: 'date-time',
      description: 'To the minute',
      examples: ['2026-11-01T09:30:00.000Z'],
    }),
    expires_at: DateTime,
    user_agent: Type.String({ examples: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0'] }),
    network: Type.String({ description: 'The IP address; of IPv6 the first half', examples: ['203.0.113.7'] }),
    is_current: Type.Boolean({ examples: [true] }),
  }),
)

const role = OneOf(roles, { examples: ['editor'] })

export const CurrentUser = Named(
  'CurrentUser',
  Type.Object({
    kind,
    name: displayName,
    username: Type.String({ examples: ['mia@river-and-pine.example'] }),
    email: Nullable(Type.String({ examples: ['mia@river-and-pine.example'] })),
    everywhere: Nullable(role),
    shops: Type.Array(Type.Object({ slug: Type.String(), name: Type.String(), role }), {
      description: 'The first 100 by name; all are at `GET /v1/shops`',
      examples: [[{ slug: 'river-and-pine', name: 'River & Pine', role: 'editor' }]],
    }),
    sessions: Type.Array(OwnSession, { description: 'Those of this account or key, newest first' }),
    session_uuid: Nullable(Uuid),
    two_factor: Type.Boolean({ examples: [true] }),
    has_password: Type.Boolean({
      examples: [true],
      description: 'False for keys, and for people who sign in through OIDC',
    }),
    password_warning: Nullable(
      Type.Object(
        {
          at: DateTime,
          network: Type.String({ description: 'The IP address; of IPv6 the first half', examples: ['203.0.113.7'] }),
        },
        {
          description:
            'The last time that somebody entered the password and then wrong codes, at least three within a day, from a network in which the account has not signed in for 60 days. Null if nobody did, if it was dismissed, and once the password is changed.',
        },
      ),
    ),
  }),
)

export const SignInOptions = Named(
  'SignInOptions',
  Type.Object({
    oidc: Nullable(
      Type.Object({
        name: Type.String({ description: 'The label of the button', examples: ['Company account'] }),
        start_url: Type.String({
          examples: ['/auth/oidc/start'],
          description: '`?to=` names the page to open afterwards',
        }),
      }),
    ),
    password_min_length: Type.Integer({ examples: [10] }),
    password_reset: Type.Boolean({
      description: 'Whether a new password can be asked for by e-mail. If not, ask an admin.',
      examples: [true],
    }),
  }),
)

export const ResetRequest = Named('ResetRequest', Type.Object({ email: Email }))

export const RequestedReset = Named(
  'RequestedReset',
  Type.Object({
    is_available: Type.Boolean({
      description: 'False if the installation has no mail account: ask an admin for a link',
      examples: [true],
    }),
  }),
)

export const LinkToken = Named('LinkToken', Type.Object({ token: Token }))

export const OpenLink = Named(
  'OpenLink',
  Type.Object({
    kind: OneOf(['invitation', 'reset'], { examples: ['invitation'] }),
    email: Type.String({ examples: ['mia@river-and-pine.example'] }),
    name: Type.String({ examples: ['Mia Sommer'] }),
    shops: Type.Array(Type.Object({ name: Type.String({ examples: ['River & Pine'] }), role }), {
      description: 'The name `*` stands for all shops',
    }),
    expires_at: DateTime,
  }),
)

export const LinkAcceptance = Named(
  'LinkAcceptance',
  Type.Object({ token: Token, name: Maybe(PersonName), password: NewPassword }),
)

export const AcceptedLink = Named(
  'AcceptedLink',
  Type.Object({ email: Type.String({ examples: ['mia@river-and-pine.example'] }) }),
)

export const ProfileUpdate = Named('ProfileUpdate', Type.Object({ name: PersonName }))

export const PasswordChange = Named(
  'PasswordChange',
  Type.Object({ old_password: OldPassword, new_password: NewPassword }),
)

export const EndedSessions = Named(
  'EndedSessions',
  Type.Object({ sessions_ended: Type.Integer({ minimum: 0, examples: [1] }) }),
)

export const TotpRequest = Named('TotpRequest', Type.Object({ password: OldPassword }))

export const TotpSetup = Named(
  'TotpSetup',
  Type.Object({
    secret: Type.String({ description: 'To type in, if the code cannot be scanned', examples: ['JBSWY3DPEHPK3PXP'] }),
    uri: Type.String({ examples: ['otpauth://totp/Doorstep:mia%40river-and-pine.example?secret=JBSWY3DPEHPK3PXP'] }),
    qr_code: Type.String({ description: 'The same as a QR code, in SVG', examples: ['<svg …>'] }),
  }),
)

export const TotpCode = Named('TotpCode', Type.Object({ code: Code }))
