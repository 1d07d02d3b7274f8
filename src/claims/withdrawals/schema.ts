import { type Language, languages } from '../../platform/foundation/languages.ts'
import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { Country } from '../../shops/calendar/schema.ts'
import { claimStatuses } from '../claims/schema.ts'

/** The shortest period that Directive 2011/83/EU allows. */
export const shortestPeriodDays = 14

const Enabled = Type.Boolean({ description: 'Whether the tracking page offers to withdraw from the contract' })
const PeriodDays = Type.Integer({
  minimum: shortestPeriodDays,
  maximum: 400,
  description: "Calendar days after the day on which the order's last parcel reached the customer",
  examples: [14],
})
const PeriodCountry = Nullable({
  ...Country,
  description:
    'Whose public holidays and time zone the end of the period follows; null: the country that the order goes to',
})
const ExemptCategories = Type.Array(Type.String({ minLength: 1, maxLength: 255, examples: ['Made to measure'] }), {
  maxItems: 100,
  description: 'Categories of products that the law gives no right of withdrawal for',
})
const Instructions = Type.Unsafe<Partial<Record<Language, string>>>({
  ...Type.Object(
    Object.fromEntries(languages.map((language) => [language, Type.Optional(Type.String({ maxLength: 5_000 }))])),
  ),
  description: 'By language: where and how to send the goods back, shown with the receipt',
  examples: [{ en: 'Send the goods to River & Pine, 1 Mill Lane, Bath BA1 1AA.' }],
})

export const WithdrawalSettings = Named(
  'WithdrawalSettings',
  Type.Object({
    enabled: Enabled,
    period_days: PeriodDays,
    country: PeriodCountry,
    exempt_categories: ExemptCategories,
    instructions: Instructions,
  }),
)
export type WithdrawalSettings = Static<typeof WithdrawalSettings>

export const WithdrawalSettingsUpdate = Named(
  'WithdrawalSettingsUpdate',
  Type.Object({
    enabled: Type.Optional(Enabled),
    period_days: Type.Optional(PeriodDays),
    country: Type.Optional(PeriodCountry),
    exempt_categories: Type.Optional(ExemptCategories),
    instructions: Type.Optional(Instructions),
  }),
)

const withdrawalStates = ['not_started', 'running', 'ended'] as const

const Day = Type.String({ format: 'date', examples: ['2026-11-30'] })
const Status = OneOf(claimStatuses, { examples: ['pending'] })

/** The withdrawals of an order, for its page of the dashboard. */
export const OrderWithdrawal = Named(
  'OrderWithdrawal',
  Type.Object({
    is_enabled: Type.Boolean({ description: 'Whether the shop offers the withdrawal function' }),
    state: OneOf(withdrawalStates, {
      description: 'not_started: not everything has reached the customer, who can withdraw nevertheless',
      examples: ['running'],
    }),
    is_open: Type.Boolean({ description: 'Whether a statement made now is in time; a later one is marked as late' }),
    reached_on: Nullable({ ...Day, description: 'The day on which the last parcel reached the customer' }),
    last_day: Nullable({ ...Day, description: 'The last day of the period; null: not known yet' }),
    ends_at: Nullable({ ...DateTime, description: 'The end of that day' }),
    period_days: PeriodDays,
    country: Nullable(Type.String({ description: 'Whose public holidays count', examples: ['DE'] })),
    time_zone: Type.String({ examples: ['Europe/Berlin'] }),
    exempt_items: Type.Integer({ description: 'How many items of the order are exempt', examples: [0] }),
    withdrawals: Type.Array(
      Type.Object({
        uuid: { ...Uuid, description: 'The claim' },
        status: Status,
        stated_at: DateTime,
        is_late: Type.Boolean(),
        is_whole_order: Type.Boolean(),
      }),
      { description: 'What the customer has stated, newest first' },
    ),
  }),
)
export type OrderWithdrawal = Static<typeof OrderWithdrawal>

export const WithdrawalFilter = PagedQuery({
  status: Type.Optional(Status),
  late: Type.Optional(Type.Boolean({ description: 'Only those stated after the last day, or only the others' })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The beginning of an order number, tracking number, e-mail address, zip code or customer name',
      examples: ['1001'],
    }),
  ),
})
export type WithdrawalFilter = Static<typeof WithdrawalFilter>
