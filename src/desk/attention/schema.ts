import { providerNames } from '../../adapters/carriers/registry.ts'
import { integrationNames } from '../../adapters/marketing/registry.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { Exception, exceptionKinds } from '../../tracking/exceptions/schema.ts'

/** The integrations that are looked after, and e-mail of our own. */
export const attendedIntegrations = [...integrationNames, mailReceiver] as const

/** Nothing is counted further: that many parcels need more than a list. */
export const countLimit = 1_000
export const shownParcels = 3

const count = (description: string, example: number) =>
  Type.Integer({ description: `${description}, counted up to ${countLimit.toLocaleString('en')}`, examples: [example] })

const undelivered = count('Messages of the last 7 days that were given up and can be resent', 12)

const checklistSteps = ['orders', 'tracking', 'messages', 'palette', 'colleague'] as const

export const Checklist = Named(
  'Checklist',
  Type.Object({
    steps: Type.Array(
      Type.Object({
        step: OneOf(checklistSteps, {
          description:
            'orders: a shop system is connected, or an order was received; tracking: carriers are tracked, if only by the sandbox; messages: an integration or a webhook endpoint is on; palette: the shop has colours of its own; colleague: somebody else has an account',
          examples: ['orders'],
        }),
        done: Type.Boolean({ examples: [true] }),
      }),
    ),
    dismissed: Type.Boolean({ description: 'Everything is done, or somebody has dismissed it', examples: [false] }),
  }),
)
export type Checklist = Static<typeof Checklist>

export const ChecklistUpdate = Named(
  'ChecklistUpdate',
  Type.Object({ dismissed: Type.Boolean({ description: 'false shows it again', examples: [true] }) }),
)

export const Attention = Named(
  'Attention',
  Type.Object({
    exceptions: Type.Array(
      Type.Object({
        kind: OneOf(exceptionKinds, { examples: ['stuck'] }),
        count: count('Open exceptions of this kind', 14),
        parcels: Type.Array(Exception, { description: `The ${shownParcels} oldest` }),
      }),
      { description: 'The kinds that there are, most serious first' },
    ),
    claims: Type.Object({
      count: count('Claims that are pending or accepted', 2),
      oldest_at: Nullable(DateTime),
    }),
    webhooks: Type.Object({
      count: count('Endpoints that fail, or have messages that were given up', 1),
      endpoints: Type.Array(
        Type.Object({
          uuid: Uuid,
          url: Type.String({
            description: 'Without its path, which may contain a secret',
            examples: ['https://shop.example/***'],
          }),
          failing_since: Nullable(DateTime),
          waits_until: Nullable({
            ...DateTime,
            description: 'It kept failing, so that its deliveries wait: when one of them is tried. Null: they are sent',
          }),
          undelivered,
        }),
        { description: 'Empty except for admins' },
      ),
    }),
    integrations: Type.Array(
      Type.Object({
        integration: OneOf(attendedIntegrations, { examples: ['klaviyo'] }),
        failing_since: Nullable(DateTime),
        undelivered,
      }),
      { description: 'Integrations that fail, or have messages that were given up' },
    ),
    unmapped_codes: Type.Object({
      count: count('Codes of carriers that are not mapped', 3),
      parcels: count('Parcels that have such a scan', 40),
    }),
    providers: Type.Array(
      Type.Object({
        provider: OneOf(providerNames, { examples: ['dhl'] }),
        failing_since: DateTime,
        status: Nullable(Type.Integer({ description: 'Of the last response; null: there was none', examples: [401] })),
        error: Type.String({ examples: ['It rejects the credentials. Check them.'] }),
        detail: Nullable(
          Type.String({ description: 'What it responded; null except for admins', examples: ['invalid key'] }),
        ),
      }),
    ),
    checklist: Checklist,
  }),
)
export type Attention = Static<typeof Attention>
