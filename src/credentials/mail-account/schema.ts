import { Maybe, Named, Nullable, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

const Time = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['21:00'] })

const quietHours = {
  enabled: Type.Boolean({ description: 'Whether messages that are not urgent wait until the morning' }),
  from: { ...Time, description: "In the customer's time zone" },
  to: { ...Time, examples: ['07:00'] },
}
const Promotion = Type.Boolean({ description: 'Whether messages show the campaign, deals and announcements' })
const ClickCounting = Type.Boolean({ description: 'Whether clicks on links are counted' })
const Footer = Type.String({
  maxLength: 2_000,
  description: 'Postal address and legal line below every message',
  examples: ['River & Pine GmbH, Uferweg 3, 10115 Berlin'],
})
const BounceDomain = Type.String({
  pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
  maxLength: 190,
  description: 'Bounces go to addresses of this domain, one per message; null: to the sender',
  examples: ['bounces.shop.example'],
})

export const MailSettings = Named(
  'MailSettings',
  Type.Object({
    source: Nullable(
      OneOf(['shop', 'installation'], {
        description: "Whose mail server is used: the shop's own, or the installation's; null: there is none",
      }),
    ),
    is_on: Type.Boolean({
      description: 'Whether customers are sent e-mail; switched by PATCH /settings/triggers/smtp',
    }),
    quiet_hours: Type.Object(quietHours),
    promotion: Promotion,
    click_counting: ClickCounting,
    footer: Nullable(Footer),
    bounce_domain: Nullable(BounceDomain),
  }),
)
export type MailSettings = Static<typeof MailSettings>

export const MailSettingsUpdate = Named(
  'MailSettingsUpdate',
  Type.Object({
    quiet_hours: Maybe(
      Type.Object({ enabled: Maybe(quietHours.enabled), from: Maybe(quietHours.from), to: Maybe(quietHours.to) }),
    ),
    promotion: Maybe(Promotion),
    click_counting: Maybe(ClickCounting),
    footer: Maybe(Footer),
    bounce_domain: Maybe(BounceDomain),
  }),
)
export type MailSettingsUpdate = Static<typeof MailSettingsUpdate>
