import { after, dayMs } from '../../platform/foundation/clock.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { DateTime, instant, Named, Nullable, Type } from '../../platform/foundation/schema.ts'
import { countWindows, type WindowRecord } from './store.ts'

const longestDays = 90

const Counts = {
  predicted: Type.Integer({ description: 'Delivered parcels that had a predicted window', examples: [120] }),
  early: Type.Integer({ examples: [4] }),
  held: Type.Integer({ examples: [104] }),
  late: Type.Integer({ examples: [12] }),
  held_share: Nullable(Type.Number({ description: 'held / predicted; null if predicted is 0', examples: [0.867] })),
}

const DeliveryWindowReport = Named(
  'DeliveryWindowReport',
  Type.Object({
    from: DateTime,
    to: DateTime,
    ...Counts,
    carriers: Type.Array(Type.Object({ carrier_reference: Nullable(Type.String({ examples: ['dhl'] })), ...Counts })),
  }),
)

export const reportDeliveryWindows = operation({
  name: 'reportDeliveryWindows',
  summary: 'Report how often predicted delivery windows were met',
  description: `Counts the parcels delivered in the period (30 days by default, ${longestDays} at most) whose window was predicted from the shop's own history: how many came early, within the window, and late.`,
  area: 'Analytics',
  route: 'GET /v1/shops/{slug}/analytics/delivery-windows',
  reads: 'replica',
  needs: 'viewer',
  query: Type.Object({ from: Type.Optional(DateTime), to: Type.Optional(DateTime) }),
  reply: DeliveryWindowReport,
  async handle(context, { query }) {
    const to = query.to === undefined ? context.now : instant(query.to)
    const from = query.from === undefined ? after(to, -30 * dayMs) : instant(query.from)
    if (to < from) throw invalid(['query', 'to'], 'must not be before from')
    if (to.getTime() - from.getTime() > longestDays * dayMs) {
      throw invalid(['query', 'from'], `must be at most ${longestDays} days before to`)
    }
    const carriers = await countWindows(context, from, to)
    const sum = (name: 'predicted' | 'early' | 'held' | 'late') =>
      carriers.reduce((total, carrier) => total + carrier[name], 0)
    const total = { predicted: sum('predicted'), early: sum('early'), held: sum('held'), late: sum('late') }
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      ...total,
      held_share: shareOf(total),
      carriers: carriers.map((carrier) => ({ ...carrier, held_share: shareOf(carrier) })),
    }
  },
})

function shareOf({ held, predicted }: Pick<WindowRecord, 'held' | 'predicted'>): number | null {
  return predicted === 0 ? null : Math.round((held / predicted) * 1_000) / 1_000
}
