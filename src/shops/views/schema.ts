import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Named, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

const screens = ['orders', 'shipments', 'exceptions', 'claims', 'deliveries', 'audit-log'] as const

const Screen = OneOf(screens, { description: 'The list that it is a view of', examples: ['exceptions'] })
const Query = Type.String({
  maxLength: 2_000,
  pattern: '^(?:\\?[^#\\s]*)?$',
  description: 'The search string of the list’s address: empty, or from its question mark on',
  examples: ['?kind=stuck&country=AT'],
})
const Shared = Type.Boolean({ description: 'Whether everybody in the shop sees it', examples: [false] })

export const ViewName = Type.String({ minLength: 1, maxLength: 80, examples: ['Stuck in Austria'] })

export const ViewFilter = PagedQuery({ screen: Type.Optional(Screen) })
export type ViewFilter = Static<typeof ViewFilter>

export const ViewContent = Named(
  'SavedViewContent',
  Type.Object({ screen: Screen, query: Query, shared: Type.Optional({ ...Shared, default: false }) }),
)

export const ViewOwner = Type.Object({ screen: Screen, shared: Type.Optional({ ...Shared, default: false }) })

export const View = Named(
  'SavedView',
  Type.Object({
    name: ViewName,
    screen: Screen,
    query: Query,
    shared: Shared,
    author: Type.String({ description: 'Who saved it last', examples: ['Ada Example'] }),
    created_at: DateTime,
    updated_at: DateTime,
  }),
)
export type View = Static<typeof View>

export const maxViews = 100
