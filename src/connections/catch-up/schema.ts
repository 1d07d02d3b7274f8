import { DateTime, Named, Nullable, type Static, Type } from '../../platform/foundation/schema.ts'
import { OrderProblem } from '../past-orders/schema.ts'

/** Further problems are counted, but not stored. */
export const maxOrderProblems = 10

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const CatchUp = Named(
  'CatchUp',
  Type.Object({
    caught_up_at: Nullable(
      Type.String({
        ...DateTime,
        description: 'When orders were last read again; null: not since the connection began',
      }),
    ),
    next_at: Type.String({ ...DateTime, description: 'When they are read next; in the past: now' }),
    read: count('Orders that were read the last time', 14),
    created: count('Those of which no webhook had reported anything', 0),
    updated: count('Those that were known and had changed since', 1),
    failed: count('Those with a problem; nothing of them is written', 0),
    problems: Type.Array(OrderProblem, { description: `The first ${maxOrderProblems}` }),
    missed_at: Nullable(
      Type.String({ ...DateTime, description: 'When unreported orders were last found; null: never' }),
    ),
    missed: count('How many were found then', 2),
    problem: Nullable(
      Type.Object(
        {
          key: Type.String({ examples: ['bad_gateway'] }),
          message: Type.String({ examples: ['WooCommerce could not be reached.'] }),
        },
        { description: 'Why they could not be read the last time; it is tried again at next_at' },
      ),
    ),
  }),
)
export type CatchUp = Static<typeof CatchUp>
