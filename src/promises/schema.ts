import { DateTime, LanguageCode, Named, Nullable, OneOf, type Static, Type } from '../platform/foundation/schema.ts'

export const limits = { warehouses: 20, classes: 50, classProducts: 1_000, methods: 200, closedDays: 200, products: 50 }

const Day = Type.String({ format: 'date', minLength: 10, maxLength: 10, examples: ['2026-11-18'] })
const CountryCode = Type.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1 code', examples: ['DE'] })
const Percentile = Type.Number({
  minimum: 0.5,
  maximum: 0.99,
  description: 'The share of parcels that arrive by the latest day of a promise',
  examples: [0.9],
})
const name = (example: string, options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', examples: [example], ...options })

const CutOff = Type.String({
  pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
  maxLength: 5,
  description: 'Local time, HH:MM',
  examples: ['14:00'],
})
export const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const
const cutOffs = Object.fromEntries(weekdays.map((day) => [day, Type.Optional(CutOff)])) as Record<
  (typeof weekdays)[number],
  ReturnType<typeof Type.Optional<typeof CutOff>>
>
const HandlingDays = Type.Integer({ minimum: 0, maximum: 60, examples: [0] })

const Warehouse = Named(
  'PromiseWarehouse',
  Type.Object({
    name: name('Leipzig'),
    country_code: CountryCode,
    timezone: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name of a time zone',
      examples: ['Europe/Berlin'],
    }),
    cut_offs: Type.Object(cutOffs, {
      minProperties: 1,
      description:
        'Until when an order is handed over on the same day if nothing needs handling, by weekday: 1 is Monday, 7 Sunday. On a weekday without one nothing is handed over.',
    }),
    handling_days: { ...HandlingDays, description: 'Working days of the warehouse between an order and its hand-over' },
    closed_days: Type.Array(Day, {
      maxItems: limits.closedDays,
      uniqueItems: true,
      description: 'Days without hand-over besides the public holidays of its country',
    }),
  }),
)

const ShippingClass = Named(
  'PromiseShippingClass',
  Type.Object({
    name: name('bulky'),
    handling_days: { ...HandlingDays, description: 'Added to those of the warehouse', examples: [2] },
    products: Type.Array(Type.String({ minLength: 1, maxLength: 255, examples: ['SKU-1'] }), {
      maxItems: limits.classProducts,
      uniqueItems: true,
      description: 'Product ids or SKUs',
    }),
  }),
)

const TableDays = Type.Object({
  min: Type.Integer({ minimum: 0, maximum: 60, examples: [2] }),
  max: Type.Integer({ minimum: 0, maximum: 60, examples: [4] }),
})

const Method = Named(
  'PromiseMethod',
  Type.Object({
    name: name('Standard'),
    warehouse: name('Leipzig', { description: 'Name of a warehouse' }),
    carrier_reference: Nullable(Type.String({ minLength: 1, maxLength: 100, examples: ['dhl'] })),
    service: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "A service, as parcels have it; null: the one that most of the carrier's parcels have",
        examples: ['DHL Paket'],
      }),
    ),
    countries: Nullable(
      Type.Array(CountryCode, {
        minItems: 1,
        maxItems: 250,
        description: 'Where it delivers to; null: everywhere',
        examples: [['DE', 'AT']],
      }),
    ),
    shipping_classes: Nullable(
      Type.Array(name('bulky'), {
        minItems: 1,
        maxItems: limits.classes,
        uniqueItems: true,
        description: 'Only for products of these classes; null: for all products',
      }),
    ),
    table_days: Nullable({
      ...TableDays,
      description:
        "Working days from the hand-over to the arrival, by the carrier's table: used if there are no journeys to learn from",
    }),
  }),
)

const Warehouses = Type.Array(Warehouse, { maxItems: limits.warehouses })
const ShippingClasses = Type.Array(ShippingClass, { maxItems: limits.classes })
const Methods = Type.Array(Method, { maxItems: limits.methods })
const AtRiskBelow = Type.Number({
  minimum: 0,
  maximum: 0.99,
  description: 'A parcel is at risk if the chance that its window still holds is below this; 0: never',
  examples: [0.5],
})

/** A shop's settings for its promises. */
export const PromiseSettings = Named(
  'PromiseSettings',
  Type.Object({
    percentile: Percentile,
    at_risk_below: AtRiskBelow,
    warehouses: Warehouses,
    shipping_classes: ShippingClasses,
    methods: Methods,
    suggestions: Type.Array(
      Named(
        'PromiseSuggestion',
        Type.Object({
          carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
          carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
          service: Nullable(Type.String({ examples: ['DHL Paket'] })),
          countries: Type.Array(Type.String({ examples: ['DE'] })),
          parcels: Type.Integer({ examples: [412] }),
        }),
      ),
      {
        description: 'How the last delivered parcels were sent, most frequent first: what methods may be made from',
      },
    ),
  }),
)
export type PromiseSettings = Static<typeof PromiseSettings>

export const PromiseSettingsUpdate = Named(
  'PromiseSettingsUpdate',
  Type.Object({
    percentile: Type.Optional(Percentile),
    at_risk_below: Type.Optional(AtRiskBelow),
    warehouses: Type.Optional(Warehouses),
    shipping_classes: Type.Optional(ShippingClasses),
    methods: Type.Optional(Methods),
  }),
)
export type PromiseSettingsUpdate = Static<typeof PromiseSettingsUpdate>

export const PromiseQuery = Type.Object({
  country_code: { ...CountryCode, description: 'ISO 3166-1 code of the destination' },
  zip_code: Type.Optional(Type.String({ maxLength: 32, description: 'Of the destination', examples: ['10115'] })),
  shipping_class: Type.Optional(
    name('bulky', { description: 'Name of a shipping class, in addition to those of the products' }),
  ),
  products: Type.Optional(
    Type.String({
      maxLength: 8_000,
      description: `Product ids or SKUs, separated by commas, ${limits.products} at most`,
      examples: ['SKU-1,4711'],
    }),
  ),
  language: Type.Optional({ ...LanguageCode, description: "Of the texts; default: the shop's" }),
})
export type PromiseQuery = Static<typeof PromiseQuery>

const bases = ['route', 'country', 'carrier', 'shop', 'table'] as const

export const DeliveryPromise = Named(
  'DeliveryPromise',
  Type.Object({
    id: Type.String({
      description: 'Sent as `promise_id` with the order, it stores this promise',
      examples: ['dp1.WyJTdGFuZGFyZCJd.h9LrVq0c2m1xV8m8mZk1Dw'],
    }),
    method: Type.String({ examples: ['Standard'] }),
    carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
    carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
    service: Nullable(Type.String({ examples: ['DHL Paket'] })),
    order_by: { ...DateTime, description: 'Orders until then are promised this' },
    handed_over_on: { ...Day, description: 'The day on which the carrier gets the parcel', examples: ['2026-11-17'] },
    earliest: Day,
    likeliest: { ...Day, examples: ['2026-11-19'] },
    latest: { ...Day, examples: ['2026-11-20'] },
    share_by_latest: Nullable(
      Type.Number({
        description: 'The share of past parcels on that route that arrived by the latest day; null: basis is `table`',
        examples: [0.93],
      }),
    ),
    sample_size: Type.Integer({ description: 'Parcels behind it', examples: [412] }),
    basis: OneOf(bases, {
      description:
        "What the parcels behind it have in common: the route, the countries and the carrier, the carrier, or only the shop. `table`: none, the shop's own figures for the method",
      examples: ['route'],
    }),
    text: Type.String({ examples: ['Arrives Wed 18 – Fri 20 Nov if ordered within 3 h 12 min'] }),
  }),
)
export type DeliveryPromise = Static<typeof DeliveryPromise>

const noPromiseReasons = ['no_history', 'warehouse_closed'] as const

export const DeliveryPromises = Named(
  'DeliveryPromises',
  Type.Object({
    generated_at: DateTime,
    valid_until: { ...DateTime, description: 'The earliest order_by, or the end of the day' },
    percentile: Percentile,
    country_code: Type.String({ examples: ['DE'] }),
    zip_code: Nullable(Type.String({ examples: ['10115'] })),
    promises: Type.Array(DeliveryPromise),
    without_promise: Type.Array(
      Type.Object({
        method: Type.String({ examples: ['Freight'] }),
        reason: OneOf(noPromiseReasons, {
          description:
            'no_history: no parcels to learn from and no table; warehouse_closed: nothing is handed over in the next 90 days',
          examples: ['no_history'],
        }),
      }),
      { description: 'Methods that deliver there, but have no basis for a promise' },
    ),
  }),
)
export type DeliveryPromises = Static<typeof DeliveryPromises>
