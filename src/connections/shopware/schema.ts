import { DateTime, Named, type Static, Type } from '../../platform/foundation/schema.ts'

const text = (example: string, description?: string) =>
  Type.Union([Type.String({ examples: [example] }), Type.Null()], {
    examples: [example],
    ...(description === undefined ? {} : { description }),
  })
const time = (description: string) => Type.Union([DateTime, Type.Null()], { description })

export const ShopwareApp = Named(
  'ShopwareApp',
  Type.Object({
    name: text('DoorstepRiverAndPine', "The app's technical name; null until it is first downloaded"),
    is_connected: Type.Boolean({ examples: [true] }),
    shop_url: text('https://shop.example', 'The Shopware that has installed the app'),
    shopware_version: text('6.7.9.0'),
    connected_at: time('When it was registered, or its secret last replaced'),
    fetched_at: time('When orders were last fetched'),
    last_error: text('Shopware returned 503.', 'Why the last fetch failed; null: it did not'),
  }),
)
export type ShopwareApp = Static<typeof ShopwareApp>

/** All optional in the schema: a caller without a valid signature does not learn what is missing. */
export const RegistrationQuery = Type.Object({
  'shop-id': Type.Optional(Type.String({ maxLength: 255, examples: ['sqX6cqHi6hbj'] })),
  'shop-url': Type.Optional(Type.String({ maxLength: 2_048, examples: ['https://shop.example'] })),
  timestamp: Type.Optional(Type.String({ maxLength: 20, examples: ['1793611801'] })),
})

export const RegistrationReply = Named(
  'ShopwareRegistration',
  Type.Object({
    proof: Type.String({ examples: ['94b42d39280141de84bd6fc8e538946ccdd182e4558f1e690eabb94f924e7bc7'] }),
    secret: Type.String({
      description: 'What Shopware signs its webhooks with, once it has confirmed',
      examples: ['Zp3vT4mZ8cK1xW3nR7sD5fG9hJ2kL4pQ6uE8aCb6Yq0vT4mZ8cK1xW3nR7sD5fG9'],
    }),
    confirmation_url: Type.String({
      examples: ['https://doorstep.example/v1/inbound/river-and-pine/shopware/confirm'],
    }),
  }),
)
