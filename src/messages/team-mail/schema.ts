import { Maybe, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'
import { teamLanguages } from './view.ts'

export const digestPeriods = ['off', 'daily', 'weekly'] as const
export type DigestPeriod = (typeof digestPeriods)[number]

/** The hour at which digests are sent, in the shop's time zone. */
export const digestHour = 7
const maxAddresses = 20

const digest = OneOf(digestPeriods, {
  description: `daily: every morning at ${digestHour}:00 unless there is nothing to say; weekly: on Mondays`,
  examples: ['daily'],
})
const alerts = Type.Boolean({
  description: 'A message when a receiver has failed for an hour or a tracking provider is down, and when it recovers',
  examples: [true],
})
const language = Nullable(OneOf(teamLanguages, { description: 'Null: the shop’s', examples: ['en'] }))
const canSend = Type.Boolean({ description: 'Whether there is a mail account to send with', examples: [true] })

export const TeamMailSubscription = Named(
  'TeamMailSubscription',
  Type.Object({
    email: Nullable(
      Type.String({
        description: 'Where messages go; null for an API key, which cannot be sent any',
        examples: ['mia@river-and-pine.example'],
      }),
    ),
    digest,
    alerts,
    language,
    can_send: canSend,
  }),
)
export type TeamMailSubscription = Static<typeof TeamMailSubscription>

export const TeamMailSubscriptionUpdate = Named(
  'TeamMailSubscriptionUpdate',
  Type.Object({
    digest: Type.Optional(digest),
    alerts: Type.Optional(alerts),
    language: Type.Optional(language),
  }),
)

const TeamMailAddress = Named(
  'TeamMailAddress',
  Type.Object({
    email: Type.String({
      format: 'email',
      pattern: '^[^\\s<>,;:"]+$',
      maxLength: 254,
      examples: ['logistics@river-and-pine.example'],
    }),
    digest,
    alerts,
    language,
  }),
)
export type TeamMailAddress = Static<typeof TeamMailAddress>

const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9+_/-]+$',
  examples: ['Europe/Berlin'],
})

export const TeamMailSettings = Named(
  'TeamMailSettings',
  Type.Object({
    time_zone: Nullable({ ...TimeZone, description: 'Null: follows from the shop’s language' }),
    effective_time_zone: { ...TimeZone, description: 'The one that digests are sent by' },
    addresses: Type.Array(TeamMailAddress, { description: 'Further recipients, who need no account' }),
    can_send: canSend,
  }),
)
export type TeamMailSettings = Static<typeof TeamMailSettings>

export const TeamMailSettingsUpdate = Named(
  'TeamMailSettingsUpdate',
  Type.Object({
    time_zone: Maybe({ ...TimeZone, description: 'Null: follows from the shop’s language' }),
    addresses: Type.Optional(Type.Array(TeamMailAddress, { maxItems: maxAddresses, description: 'Replaces all' })),
  }),
)
