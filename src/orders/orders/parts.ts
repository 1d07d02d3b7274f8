import { Droppable, Maybe, Named, type Static, Type, WebAddress } from '../../platform/foundation/schema.ts'

/** Text that is also an index key. PostgreSQL limits index entries to about 2,700 bytes. */
export const Reference = Type.String({ minLength: 1, maxLength: 255 })
const ShortText = Type.String({ maxLength: 1_000 })
const LongText = Type.String({ maxLength: 10_000 })
const TextOrNumber = Type.Union([Type.String({ maxLength: 255 }), Type.Number()])

const addressFields = {
  address_line_1: Maybe({ ...ShortText, examples: ['Example Street 1'] }),
  address_line_2: Maybe({ ...ShortText, examples: ['Second floor'] }),
  city: Maybe(Type.String({ maxLength: 1_000, examples: ['Berlin'] })),
  country: Maybe(Type.String({ maxLength: 1_000, examples: ['Germany'] })),
  country_code: Maybe(Type.String({ maxLength: 10, examples: ['DE'] })),
  name: Maybe(Type.String({ maxLength: 1_000, examples: ['Ada Example'] })),
  phone: Maybe(Type.String({ maxLength: 100, examples: ['+49 30 1234567'] })),
  province: Maybe({ ...ShortText, examples: ['Berlin'] }),
  province_code: Maybe({ ...ShortText, examples: ['BE'] }),
  street: Maybe(Type.String({ maxLength: 1_000, examples: ['Example Street 1'] })),
  company: Maybe({ ...ShortText, examples: ['Example Ltd'] }),
}
/** No maximum length here: `checkZipCode` reports that as `zip_code_invalid`. */
const ZipCode = Type.String({ examples: ['10115'] })

/** An address in responses and in updates. */
export const Address = Named('Address', Type.Object({ ...addressFields, zip_code: Maybe(ZipCode) }))
export type Address = Static<typeof Address>

const productFields = {
  title: Maybe(Type.String({ maxLength: 2_000, examples: ['Rain jacket'] })),
  quantity: Maybe(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [1] })),
  price: Maybe(Type.Number({ description: 'Of a piece, tax included, before the discount', examples: [89.9] })),
  line_subtotal: Maybe(
    Type.Number({ description: 'What the line amounts to before the discount, tax included', examples: [89.9] }),
  ),
  line_total: Maybe(
    Type.Number({
      description: 'What the line was sold for, tax included. A proposed refund is a share of it',
      examples: [80.91],
    }),
  ),
  sku: Maybe(Type.String({ maxLength: 255, examples: ['RJ-42'] })),
  weight: Maybe({ ...TextOrNumber, examples: [850] }),
  size: Maybe({ ...TextOrNumber, examples: ['M'] }),
  variant_title: Maybe({ ...ShortText, examples: ['Blue / M'] }),
  requires_shipping: Maybe(Type.Boolean()),
  properties: Maybe(
    Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 255, examples: ['Engraving'] }),
        value: Type.String({ maxLength: 1_000, examples: ['For Ada'] }),
      }),
      { maxItems: 50, description: 'What the customer chose or entered for this item' },
    ),
  ),
  images: Maybe(
    Type.Array(
      Droppable(
        Type.Object({
          src: { ...WebAddress, examples: ['https://shop.example/jacket.jpg'] },
          alt: Maybe(Droppable({ ...ShortText, examples: ['A blue rain jacket'] })),
        }),
      ),
      { maxItems: 50 },
    ),
  ),
  tax_lines: Maybe(Droppable(Type.Array(Type.Unknown(), { maxItems: 50, examples: [[]] }))),
  shipment_id: Maybe(Type.String({ maxLength: 255, examples: ['parcel-1'] })),
  type: Maybe(Type.String({ maxLength: 100, description: 'product or bundle', examples: ['product'] })),
  product_id: Maybe({ ...TextOrNumber, examples: ['jacket-7'] }),
  variant_id: Maybe({ ...TextOrNumber, examples: ['jacket-7-blue-m'] }),
}

/** A line item of an order or a shipment. */
export const Product = Named(
  'Product',
  Type.Object({
    ...productFields,
    bundled_products: Maybe(Type.Array(Type.Object(productFields), { maxItems: 100, examples: [[]] })),
  }),
)
export type Product = Static<typeof Product>

export const OrderDiscount = Named(
  'OrderDiscount',
  Type.Object({
    code: Maybe(Type.String({ maxLength: 255, examples: ['WELCOME10'] })),
    amount: Maybe(
      Type.Union([Type.String({ maxLength: 64, examples: ['10.00'] }), Type.Number()], {
        description: 'A number is accepted as well; it is returned as a string',
      }),
    ),
    type: Maybe(Type.String({ maxLength: 100, examples: ['percentage'] })),
  }),
)

export const OrderFee = Named(
  'OrderFee',
  Type.Object({
    name: Maybe(Type.String({ maxLength: 255, examples: ['Gift wrapping'] })),
    amount: Maybe(Type.Number({ examples: [3.5] })),
  }),
)

const bounded = (maxLength: number, example?: string) =>
  Maybe(Type.String({ maxLength, ...(example ? { examples: [example] } : {}) }))

/** Source of an order: the tracking-attribution fields. */
export const attributionFields = {
  source: Maybe(Type.String({ maxLength: 100, default: 'trackpages' })),
  campaign: bounded(100, 'autumn-sale'),
  medium: bounded(100, 'basic_promotion'),
  landing_url: bounded(2_048, 'https://shop.example/sale?utm_source=trackpages'),
  landing_path: bounded(500, '/sale'),
  referrer: bounded(2_048, 'https://search.example/'),
  captured_at: Maybe(Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-01T09:30:00.000Z'] })),
  reference_order_id: bounded(255, '1000'),
  order_external_id: bounded(255, 'order-1001'),
  order_number: bounded(100, '1001'),
  order_name: bounded(255, '#1001'),
}

/** Informational: unknown fields are stored and returned as well. */
export const OrderAnalytics = Named(
  'OrderAnalytics',
  Type.Object(
    {
      ...attributionFields,
      landing_site: bounded(4_096, '/sale?utm_source=trackpages'),
      landing_site_ref: bounded(1_000, 'trackpages'),
      note_attributes: Maybe(
        Type.Array(Type.Object({ name: Maybe(LongText), value: Maybe(Type.Unknown()) }), {
          maxItems: 500,
          examples: [[]],
        }),
      ),
    },
    { 'x-open': true, maxProperties: 200 },
  ),
)
export type OrderAnalytics = Static<typeof OrderAnalytics>

export const PreferredDelivery = Type.Object({
  start: Maybe(Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-05T08:00:00.000Z'] })),
  end: Maybe(Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-05T12:00:00.000Z'] })),
  updated_at: Maybe(Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-11-01T09:30:00.000Z'] })),
  source: Maybe(Type.String({ maxLength: 255, examples: ['checkout'] })),
})
