import { Named, type Static, Type } from '../../platform/foundation/schema.ts'

/** An order that was read from a shop system and could not be written. */
export const OrderProblem = Named(
  'BackfillProblem',
  Type.Object({
    order: Type.String({ description: 'The number or id of the order', examples: ['1042'] }),
    key: Type.String({ examples: ['order_exists'] }),
    message: Type.String({ examples: ['Another order of this shop has the order_number "1042".'] }),
  }),
)
export type OrderProblem = Static<typeof OrderProblem>
