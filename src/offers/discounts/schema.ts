import { ApiError } from '../../platform/foundation/errors.ts'
import { PagedQuery } from '../../platform/foundation/operation.ts'
import { Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

const targetSelections = ['all', 'group', 'specific'] as const
const targetTypes = ['line_item', 'shipping_line'] as const
const valueTypes = ['percentage', 'fixed_amount'] as const
const discountTypes = ['product', 'order', 'shipping'] as const

const Code = Type.String({ maxLength: 255, description: 'Promotion code', examples: ['WELCOME10'] })
const TargetSelection = OneOf(targetSelections, { examples: ['all'] })
const TargetType = OneOf(targetTypes, { examples: ['line_item'] })
const Title = Type.String({
  maxLength: 1_000,
  description: 'What customers read',
  examples: ['10 % off your next order'],
})
const ValueType = OneOf(valueTypes, { examples: ['percentage'] })
const Value = Type.Number({ examples: [10] })
const DiscountType = OneOf(discountTypes, { examples: ['order'] })

export const DiscountUpdate = Named(
  'DiscountUpdate',
  Type.Object({
    code: Maybe(Code),
    target_selection: Maybe(TargetSelection),
    target_type: Maybe(TargetType),
    title: Maybe(Title),
    value_type: Maybe(ValueType),
    value: Maybe(Value),
  }),
)
export type DiscountUpdate = Static<typeof DiscountUpdate>

export const DiscountCreation = Named(
  'DiscountCreation',
  Type.Object({ ...DiscountUpdate.properties, type: DiscountType }),
)
export type DiscountCreation = Static<typeof DiscountCreation>

export const DiscountFilter = PagedQuery({
  uuid: Type.Optional(Uuid),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A part of the code or the title' })),
  code: Type.Optional(Type.String({ maxLength: 255, description: 'Upper or lower case makes no difference' })),
  target_selection: Type.Optional(TargetSelection),
  target_type: Type.Optional(TargetType),
  title: Type.Optional(Type.String({ maxLength: 1_000, description: 'Exact title' })),
  value_type: Type.Optional(ValueType),
  value: Type.Optional(Value),
  type: Type.Optional(DiscountType),
  sort: Type.Optional(
    OneOf(['code', '-code', 'title', '-title', 'value', '-value', 'created_at', '-created_at'], {
      description: 'Default: the oldest first',
      examples: ['code'],
    }),
  ),
})
export type DiscountFilter = Static<typeof DiscountFilter>

export const Discount = Named(
  'Discount',
  Type.Object({
    uuid: Uuid,
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    code: Nullable(Code),
    target_selection: Nullable(TargetSelection),
    target_type: Nullable(TargetType),
    title: Nullable(Title),
    value_type: Nullable(ValueType),
    value: Nullable(Value),
    type: DiscountType,
  }),
)
export type Discount = Static<typeof Discount>

/** For all operations that name a discount. */
export function discountNotFound(id: string): ApiError {
  return new ApiError('discount_not_found', `This shop has no discount ${id}.`)
}
