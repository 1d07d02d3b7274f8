import { shopSystemNames } from '../../adapters/shop-systems/registry.ts'
import type { CounterSpec } from '../../platform/foundation/metrics.ts'

export const missedOrdersMetric: CounterSpec = {
  name: 'doorstep_missed_orders_total',
  help: 'Orders that were found by reading recent ones again: no webhook had reported them.',
  labels: { system: [...shopSystemNames] },
}
