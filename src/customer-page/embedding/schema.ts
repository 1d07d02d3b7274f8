import { DateTime, LanguageCode, Maybe, Named, Nullable, type Static, Type } from '../../platform/foundation/schema.ts'

const maxDomains = 20

const Domain = Type.String({
  minLength: 1,
  maxLength: 260,
  description: 'A host of the shop, with its port if it has one: `www.shop.example`, `localhost:3000`',
  examples: ['www.shop.example'],
})

/** The key and the settings of the components that the shop embeds in its own site. */
export const Embedding = Named(
  'Embedding',
  Type.Object({
    public_key: Type.String({
      description: 'May be seen by anyone: good for delivery promises and the components only',
      examples: ['pk_4fJ2mVq8sYwXc1ZrT6bNh3Ka'],
    }),
    domains: Type.Array(Domain, {
      description: 'Pages of these may call the service, and show the tracking page in a frame',
    }),
    snippet_url: Type.String({
      description: 'The components, for a script element of the type `module`',
      examples: ['https://doorstep.example/widgets/doorstep.js'],
    }),
    style: Type.String({
      description: "Keeps room for the components, so that nothing moves when they come: for the page's styles",
      examples: ['doorstep-promise{display:grid;min-height:6em}'],
    }),
    page_url: Type.String({
      description: 'Where customers look up their order: the link for those without JavaScript',
      examples: ['https://doorstep.example/track/river-and-pine'],
    }),
  }),
)
export type Embedding = Static<typeof Embedding>

export const EmbeddingUpdate = Type.Object({
  domains: Type.Optional(
    Type.Array(Domain, {
      maxItems: maxDomains,
      description: 'Replaces the list. HTTPS only, except on localhost; a subdomain is a domain of its own',
    }),
  ),
})

const Color = Type.String({ description: 'In hexadecimal', examples: ['#1f4d3a'] })

const WidgetColors = Named(
  'WidgetColors',
  Type.Object({
    card: Color,
    ink: Color,
    soft: Color,
    accent: Color,
    on_accent: Color,
    tint: Color,
    outline: Color,
    wrong: Color,
  }),
)
export type WidgetColors = Static<typeof WidgetColors>

const Text = Type.String({ examples: ['Show my order'] })

const WidgetTexts = Named(
  'WidgetTexts',
  Type.Object({
    promise: Type.String({ examples: ['Arrives {days} if ordered within {time}'] }),
    days: Type.String({ examples: ['{count} d'] }),
    hours: Type.String({ examples: ['{count} h'] }),
    minutes: Type.String({ examples: ['{count} min'] }),
    title: Text,
    lead: Text,
    number: Text,
    proof: Text,
    submit: Text,
    missing_number: Text,
    missing_proof: Text,
    not_found: Text,
    wait: Text,
    failed: Text,
    loading: Text,
    open_page: Text,
    another: Text,
  }),
)
export type WidgetTexts = Static<typeof WidgetTexts>

/** The settings that components need before they show anything. */
export const WidgetSettings = Named(
  'WidgetSettings',
  Type.Object({
    language: LanguageCode,
    language_tag: Type.String({ description: 'As browsers spell it', examples: ['en-GB'] }),
    texts: WidgetTexts,
    colors: Type.Object({ light: WidgetColors, dark: WidgetColors }),
  }),
)
export type WidgetSettings = Static<typeof WidgetSettings>

export const WidgetQuery = Type.Object({
  language: Type.Optional(
    Type.String({
      maxLength: 35,
      description: 'A language tag such as `de` or `de-AT`; default: the language of the shop',
      examples: ['de'],
    }),
  ),
})

export const WidgetLookup = Type.Object({
  order_number: Type.String({ minLength: 1, maxLength: 320, examples: ['1001'] }),
  email_or_zip: Type.String({
    minLength: 1,
    maxLength: 320,
    description: 'The zip code or e-mail address of the order',
    examples: ['10115'],
  }),
  language: Maybe(Type.String({ maxLength: 35, description: 'A language tag', examples: ['de'] })),
})

const LookedUpParcel = Named(
  'LookedUpParcel',
  Type.Object({
    title: Type.String({ description: 'Where it is, in a few words', examples: ['Your parcel is on its way'] }),
    when: Nullable(
      Type.String({ description: 'When it arrives or arrived', examples: ['It should arrive tomorrow.'] }),
    ),
    text: Type.String({ description: 'What that means', examples: ['The carrier has your parcel.'] }),
    carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
    phase: Type.String({ examples: ['in_transit'] }),
    is_return: Type.Boolean(),
    updated_at: Nullable(DateTime),
  }),
)
export type LookedUpParcel = Static<typeof LookedUpParcel>

/** The order for a customer who knows its number and its zip code or e-mail address. */
export const LookedUpOrder = Named(
  'LookedUpOrder',
  Type.Object({
    language: LanguageCode,
    title: Type.String({ description: 'Where the order is', examples: ['Your parcel is on its way'] }),
    when: Nullable(Type.String({ examples: ['It should arrive tomorrow.'] })),
    text: Type.String({ examples: ['The carrier has your parcel.'] }),
    parcels: Type.Array(LookedUpParcel),
    promise: Nullable(
      Type.String({ description: 'When delivery was promised', examples: ['Promised delivery: Wed 18 – Fri 20 Nov'] }),
    ),
    page_url: Type.String({
      description: "The customer's tracking page: anyone with the address can see it",
      examples: ['https://doorstep.example/track/river-and-pine/AZL…'],
    }),
  }),
)
export type LookedUpOrder = Static<typeof LookedUpOrder>
