import { shopSystemNames } from '../adapters/shop-systems/registry.ts'
import { Claim } from '../claims/claims/schema.ts'
import { Attempt, deliveryStatuses } from '../delivery/log/schema.ts'
import { ImportProblem } from '../orders/imports/schema.ts'
import { Order } from '../orders/orders/schema.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../platform/foundation/schema.ts'

const Email = Type.String({
  minLength: 1,
  maxLength: 320,
  description: 'Not case-sensitive, like the order search by email_id',
  examples: ['ada@example.com'],
})

export const CustomerName = Named('CustomerName', Type.Object({ email: Email }))

/** Orders in one response. */
export const maxOrders = 1_000
/** Notifications per order. */
export const maxNotifications = 200
/** Notes per order. */
export const maxNotes = 1_000

export const ExportRequest = Named(
  'CustomerExportRequest',
  Type.Object({
    email: Email,
    after: Maybe({ ...Uuid, description: 'The `continue_after` of the previous response, to get the next part' }),
  }),
)

const ExportedNotification = Named(
  'CustomerNotification',
  Type.Object({
    uuid: Uuid,
    ref: Type.String({ examples: ['shipments/in_delivery/OUT_FOR_DELIVERY'] }),
    event_group: Type.String({ examples: ['shipment_out_for_delivery'] }),
    triggered_at: DateTime,
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As it was sent to receivers',
      examples: [{ version: 1 }],
    }),
    deliveries: Type.Array(
      Type.Object({
        uuid: Uuid,
        receiver: Type.String({
          description: 'The id of a webhook endpoint, the name of an integration, or the URL of an automation',
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
export type ExportedNotification = Static<typeof ExportedNotification>

const ExportedShopSystemOrder = Named(
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
export type ExportedShopSystemOrder = Static<typeof ExportedShopSystemOrder>

const CampaignView = Named(
  'CustomerCampaignView',
  Type.Object({
    action: OneOf(['exposure', 'click'], { examples: ['exposure'] }),
    campaign_id: Nullable({ ...Uuid, description: 'Null if an A/B test intentionally showed nothing (holdout)' }),
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
    claims: Type.Array(Claim, { description: 'Including deleted claims; private images have URLs that expire' }),
    notes: Type.Array(
      Type.Object({
        shipment_id: Nullable(Uuid),
        text: Type.String({ examples: ['The customer is away until Monday.'] }),
        author: Type.String({ examples: ['Ada Example'] }),
        created_at: DateTime,
      }),
      { description: `What colleagues wrote about the order, newest first, at most ${maxNotes}` },
    ),
    notifications: Type.Array(ExportedNotification, { description: `Newest first, at most ${maxNotifications}` }),
    has_more_notifications: Type.Boolean({ examples: [false] }),
    campaign_views: Type.Array(CampaignView),
    page_views: Type.Array(
      Type.Object({ first_viewed_at: DateTime, last_viewed_at: DateTime, views: Type.Integer({ examples: [2] }) }),
      { description: 'When the tracking page was viewed, by the hour' },
    ),
    shop_systems: Type.Array(ExportedShopSystemOrder, { description: 'What shop systems have sent about the order' }),
  }),
)
export type ExportedOrder = Static<typeof ExportedOrder>

const CustomerHash = Type.String({
  description:
    'A keyed hash of the e-mail address: the same for every request about the customer, and the id of the customer in the audit log. It does not reveal the address',
  examples: ['5f2b8c1e9a7d4036b1c2d3e4f5061728'],
})

export const CustomerExport = Named(
  'CustomerExport',
  Type.Object({
    email: Type.String({ examples: ['ada@example.com'] }),
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    exported_at: DateTime,
    customer_hash: CustomerHash,
    is_complete: Type.Boolean({
      description: `False if there is more than fits into one response: ${maxOrders.toLocaleString('en')} orders, or about 20 MB`,
      examples: [true],
    }),
    continue_after: Nullable({ ...Uuid, description: 'Send it as `after` to get the rest; null if there is no more' }),
    orders: Type.Array(ExportedOrder, { description: 'Newest first' }),
    ab_tests: Type.Array(
      Type.Object({
        ab_test_id: Uuid,
        campaign_id: Nullable({ ...Uuid, description: 'Null if the customer is in the holdout group' }),
        assigned_at: DateTime,
      }),
      { description: 'The variants that the customer was assigned' },
    ),
    mail: Nullable(
      Type.Object(
        {
          gets_mail: Type.Boolean({ description: 'False if the address bounced or complained', examples: [true] }),
          gets_promotion: Type.Boolean({ examples: [false] }),
          reason: Nullable(Type.String({ examples: ['bounced'] })),
          since: DateTime,
        },
        { description: 'What is stored about the e-mail address itself; null: nothing' },
      ),
    ),
    import_problems: Type.Array(
      Type.Object({
        import_id: Uuid,
        filename: Type.String({ examples: ['orders.csv'] }),
        ...ImportProblem.properties,
      }),
      { description: 'Problems of imported files that quote the customer, at most 1,000' },
    ),
  }),
)
export type CustomerExport = Static<typeof CustomerExport>

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const ErasureCounts = Type.Object({
  orders: count('Erased orders', 3),
  shipments: count('Erased shipments', 4),
  events: count('Events whose locations and remarks were removed', 12),
  claims: count('Claims whose texts, photos and signatures were removed', 1),
  notes: count('Notes about the orders that were deleted', 1),
  images: count('Photos and signatures that were deleted', 2),
  notifications: count('Notifications whose payload no longer identifies anyone', 18),
  deliveries_cancelled: count('Pending deliveries to integrations that were skipped', 0),
  automation_runs_cancelled: count('Pending automation runs that were cancelled', 0),
  campaign_views: count('Views and clicks of campaigns that were deleted', 5),
  mail_recipients: count('Entries about the e-mail address in the list of suppressed addresses that were erased', 0),
  page_views: count('Hours in which the tracking page was viewed that were deleted', 2),
  ab_test_assignments: count('Assigned variants that were deleted', 1),
  shop_system_orders: count('Shop system records that were erased', 3),
  saved_views: count('Saved views that searched for the customer and were deleted', 0),
  import_problems: count('Problems of imported files in which the customer was redacted', 0),
  stored_answers: count('Responses stored for an Idempotency-Key that were about the customer; they are `null` now', 0),
  unfinished_imports: count(
    'Unfinished imports of the shop. Their files may contain the customer, so erase again when they have finished.',
    0,
  ),
})
export type ErasureCounts = Static<typeof ErasureCounts>

export const CustomerErasure = Named(
  'CustomerErasure',
  Type.Object({
    ...ErasureCounts.properties,
    receipt_id: { ...Uuid, description: 'Names this erasure; the audit log has it' },
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    erased_at: DateTime,
    erased_by: Type.String({ description: 'The key or person who requested it', examples: ['ada'] }),
    customer_hash: CustomerHash,
  }),
)
export type CustomerErasure = Static<typeof CustomerErasure>

/** Orders that a preview counts. */
export const maxPreviewed = 1_000

export const ErasurePreview = Named(
  'CustomerErasurePreview',
  Type.Object({
    is_complete: Type.Boolean({
      description: `False if the customer has more than ${maxPreviewed.toLocaleString('en')} orders: the newest are counted`,
      examples: [true],
    }),
    orders: count('Orders that would be erased', 3),
    first_order_at: Nullable(DateTime),
    last_order_at: Nullable(DateTime),
    shipments: count('Shipments that would be erased', 4),
    events: count('Events whose locations and remarks would be removed', 12),
    claims: count('Claims whose texts, photos and signatures would be removed', 1),
    images: count('Photos and signatures of forms that would be deleted', 2),
    notifications: count('Notifications whose payload would no longer identify anyone', 18),
    deliveries_pending: count('Deliveries that are still to be sent', 0),
    unfinished_imports: count('Unfinished imports of the shop, whose files may contain the customer', 0),
  }),
)
export type ErasurePreview = Static<typeof ErasurePreview>
