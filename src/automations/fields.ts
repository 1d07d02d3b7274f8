import { type Operator, operators } from '../delivery/receivers/conditions.ts'
import { Named, Nullable, OneOf, type Static, type TSchema, Type } from '../platform/foundation/schema.ts'
import { ClaimEventData, ShipmentEventData } from '../webhooks/payloads/event-data-schema.ts'
import { WebhookPayload } from '../webhooks/payloads/payload-schema.ts'

export const fieldTypes = ['text', 'number', 'boolean', 'time', 'choice', 'country', 'carrier', 'presence'] as const
export type FieldType = (typeof fieldTypes)[number]

const groups = ['event', 'claim_event', 'order', 'customer', 'shipments', 'claims'] as const

export const AutomationField = Named(
  'AutomationField',
  Type.Object({
    field: Type.String({ examples: ['context.order.total_order_price'] }),
    group: OneOf(groups, {
      description: 'event: only parcel events have it; claim_event: only claim events have it',
      examples: ['order'],
    }),
    type: OneOf(fieldTypes, {
      description: 'country: an ISO 3166 code; carrier: a carrier_reference; presence: it can only exist or not',
      examples: ['number'],
    }),
    is_list: Type.Boolean({ description: 'It has several values, of which one has to match', examples: [false] }),
    values: Nullable(
      Type.Array(Type.String(), { description: 'The possible values of a choice', examples: [['delay', 'error']] }),
    ),
    operators: Type.Array(OneOf(operators), { description: 'Those that make sense for it' }),
  }),
)
export type AutomationField = Static<typeof AutomationField>

const operatorsOf: Record<FieldType, readonly Operator[]> = {
  text: ['eq', 'neq', 'contains', 'in', 'not_in', 'exists'],
  number: ['gte', 'lte', 'gt', 'lt', 'eq', 'neq', 'exists'],
  boolean: ['eq', 'exists'],
  time: ['gt', 'lt', 'gte', 'lte', 'exists'],
  choice: ['in', 'not_in', 'eq', 'neq', 'exists'],
  country: ['in', 'not_in', 'eq', 'neq', 'exists'],
  carrier: ['in', 'not_in', 'eq', 'neq', 'exists'],
  presence: ['exists'],
}

/** Texts whose values have names of their own. */
const named: Record<string, FieldType> = {
  country_code: 'country',
  customer_country: 'country',
  carrier_reference: 'carrier',
}

type Group = AutomationField['group']

/** The fields for conditions, most useful first. All else about each is read from the schemas of the payload. */
const offered: Record<Group, string> = {
  event:
    'event_name phase carrier_reference customer_country zip_code trigger_name tracking_number number_of_shipments',
  claim_event: 'reason status resolution_preference description selected_items.sku',
  order: `total_order_price address.country_code address.zip_code address.city address.company segments products.sku
    products.title products.quantity products.price order_placed_at shipping_price discount_price currency weight
    status financial_status order_number expected_number_of_shipments`,
  customer: 'email external_id first_name last_name phone',
  shipments: `flag phase carrier.carrier_reference direction is_return events.event_name estimated_arrival
    estimated_arrival.to pickup pickup.type products.sku`,
  claims: '. status reason resolution_preference created_at',
}

export function conditionFieldList(): AutomationField[] {
  return groups.flatMap((group) => offered[group].split(/\s+/).map((name) => toField(group, name)))
}

const { order, customer, shipments, claims } = WebhookPayload.properties.context.properties

const roots: Record<Group, { path: string; schema: TSchema }> = {
  event: { path: 'event_data', schema: ShipmentEventData },
  claim_event: { path: 'event_data', schema: ClaimEventData },
  order: { path: 'context.order', schema: order },
  customer: { path: 'context.customer', schema: customer },
  shipments: { path: 'context.shipments', schema: shipments },
  claims: { path: 'context.claims', schema: claims },
}

/** The parts of a schema that this reads. */
interface Part {
  type?: string
  format?: string
  enum?: readonly string[]
  anyOf?: readonly Part[]
  items?: Part
  properties?: Record<string, Part>
}

/** A name of a group; `.` is the group itself. */
function toField(group: Group, name: string): AutomationField {
  const { path, schema } = roots[group]
  const steps = name === '.' ? [] : name.split('.')
  const field = [path, ...steps].join('.')
  let part = withoutNull(schema as Part) // these keywords of JSON schema are all optional
  let isList = false
  for (const step of steps) {
    if (part.items) isList = true
    const next = (part.items ? withoutNull(part.items) : part).properties?.[step]
    if (next === undefined) throw new Error(`the payload has no ${field}`)
    part = withoutNull(next)
  }
  if (part.items && !withoutNull(part.items).properties) {
    isList = true
    part = withoutNull(part.items)
  }
  const type = typeOf(part, steps.at(-1) ?? '')
  return {
    field,
    group,
    type,
    is_list: isList,
    values: type === 'choice' ? [...(part.enum ?? [])] : null,
    operators: [...operatorsOf[type]],
  }
}

function typeOf(part: Part, name: string): FieldType {
  if (part.properties || part.items) return 'presence'
  if (part.enum) return 'choice'
  if (part.type === 'number' || part.type === 'integer') return 'number'
  if (part.type === 'boolean') return 'boolean'
  return part.format === 'date-time' ? 'time' : (named[name] ?? 'text')
}

/** The schema itself, of one that allows null too; the first, of several. */
function withoutNull(part: Part): Part {
  return part.anyOf?.find(({ type }) => type !== 'null') ?? part
}
