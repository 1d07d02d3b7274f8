import { Attempt, deliveryStatuses } from '../../deliveries/log-schema.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../foundation/schema.ts'
import { Order } from '../../journey/orders/schema.ts'
import { shopSystemNames } from '../../shop-systems/shop-system.ts'
import { Claim } from '../claims/schema.ts'
import { ImportProblem } from '../imports/schema.ts'

const Email = Type.String({
  minLength: 1,
  maxLength: 320,
  description: 'As in the search of orders by email_id: capitals and small letters are the same',
  examples: ['ada@example.com'],
})

export const CustomerName = Named('CustomerName', Type.Object({ email: Email }))

/** Orders that one answer holds at the most. */
export const mostOrders = 1_000
/** Notifications of one order that are shown, the newest. */
export const mostNotifications = 200

export const ExportRequest = Named(
  'CustomerExportRequest',
  Type.Object({
    email: Email,
    after: Maybe({ ...Uuid, description: 'To go on where an answer was cut: its `continue_after`' }),
  }),
)

const Told = Named(
  'CustomerNotification',
  Type.Object({
    uuid: Uuid,
    ref: Type.String({ examples: ['shipments/in_delivery/OUT_FOR_DELIVERY'] }),
    event_group: Type.String({ examples: ['shipment_out_for_delivery'] }),
    triggered_at: DateTime,
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As receivers were sent it',
      examples: [{ version: 1 }],
    }),
    deliveries: Type.Array(
      Type.Object({
        uuid: Uuid,
        receiver: Type.String({
          description:
            'The id of a webhook endpoint, the name of an integration, or an address that an automation names',
          examples: ['klaviyo'],
        }),
        status: OneOf(deliveryStatuses, { examples: ['delivered'] }),
        created_at: DateTime,
        finished_at: Nullable(DateTime),
        attempts: Type.Array(Attempt),
      }),
    ),
    automation_runs: Type.Array(
      Type.Object({
        uuid: Uuid,
        automation_id: Uuid,
        automation_name: Type.String({ examples: ['Thank VIPs'] }),
        status: Type.String({ examples: ['done'] }),
        triggered_at: DateTime,
        finished_at: Nullable(DateTime),
      }),
    ),
  }),
)
export type Told = Static<typeof Told>

const ShopSystemOrder = Named(
  'CustomerShopSystemOrder',
  Type.Object({
    system: OneOf(shopSystemNames, { examples: ['shopify'] }),
    external_id: Type.String({ examples: ['5550001'] }),
    changed_at: Nullable(DateTime),
    cancelled_at: Nullable(DateTime),
    deleted_at: Nullable(DateTime),
    fulfilments: Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }),
  }),
)
export type ShopSystemOrder = Static<typeof ShopSystemOrder>

const CampaignView = Named(
  'CustomerCampaignView',
  Type.Object({
    action: OneOf(['exposure', 'click'], { examples: ['exposure'] }),
    campaign_id: Nullable({ ...Uuid, description: 'Null: an A/B test showed nothing, on purpose' }),
    ab_test_id: Nullable(Uuid),
    day: Type.String({ format: 'date', maxLength: 10, examples: ['2026-11-01'] }),
    recorded_at: DateTime,
  }),
)
export type CampaignView = Static<typeof CampaignView>

const ExportedOrder = Named(
  'CustomerOrder',
  Type.Object({
    order: Order,
    claims: Type.Array(Claim, { description: 'Deleted ones too; images of ours with addresses that expire' }),
    notifications: Type.Array(Told, { description: `Newest first, ${mostNotifications} at most` }),
    has_more_notifications: Type.Boolean({ examples: [false] }),
    campaign_views: Type.Array(CampaignView),
    shop_systems: Type.Array(ShopSystemOrder, { description: 'What shop systems have told of the order' }),
  }),
)
export type ExportedOrder = Static<typeof ExportedOrder>

export const CustomerExport = Named(
  'CustomerExport',
  Type.Object({
    email: Type.String({ examples: ['ada@example.com'] }),
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    exported_at: DateTime,
    is_complete: Type.Boolean({
      description: `False where there is more than one answer holds: ${mostOrders.toLocaleString('en')} orders, or about 20 MB`,
      examples: [true],
    }),
    continue_after: Nullable({ ...Uuid, description: 'Send it as `after` for the rest; null: there is none' }),
    orders: Type.Array(ExportedOrder, { description: 'Newest first' }),
    ab_tests: Type.Array(
      Type.Object({
        ab_test_id: Uuid,
        campaign_id: Nullable({ ...Uuid, description: 'Null: the customer was held out' }),
        assigned_at: DateTime,
      }),
      { description: 'Which variant the customer was given' },
    ),
    import_problems: Type.Array(
      Type.Object({
        import_id: Uuid,
        filename: Type.String({ examples: ['orders.csv'] }),
        ...ImportProblem.properties,
      }),
      { description: 'Problems of imported files that quote the customer, 1,000 at most' },
    ),
  }),
)
export type CustomerExport = Static<typeof CustomerExport>

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const CustomerErasure = Named(
  'CustomerErasure',
  Type.Object({
    orders: count('Orders that are numbers now', 3),
    shipments: count('Their shipments', 4),
    events: count('Events that lost their places and remarks', 12),
    claims: count('Claims that lost what the customer wrote, showed and signed', 1),
    images: count('Photos and signatures that were deleted', 2),
    notifications: count('Notifications whose content tells of nobody any more', 18),
    deliveries_cancelled: count('Deliveries to integrations that waited and are not sent', 0),
    automation_runs_cancelled: count('Automations that waited and do not run', 0),
    campaign_views: count('Views and clicks of campaigns that were deleted', 5),
    ab_test_assignments: count('Variants given to the customer that were deleted', 1),
    shop_system_orders: count('Notes of what shop systems have told', 3),
    import_problems: count('Problems of imported files that quoted the customer', 0),
    stored_answers: count('Answers kept for an Idempotency-Key that told of the customer; they are `null` now', 0),
    unfinished_imports: count(
      'Imports of the shop that are not finished: their files may hold the customer, so erase once more when they are',
      0,
    ),
  }),
)
export type CustomerErasure = Static<typeof CustomerErasure>
