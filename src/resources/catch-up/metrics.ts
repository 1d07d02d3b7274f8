import type { CounterSpec } from '../../foundation/metrics.ts'
import { shopSystemNames } from '../../shop-systems/shop-system.ts'

export const missedOrdersMetric: CounterSpec = {
  name: 'doorstep_missed_orders_total',
  help: 'Orders that were found by reading recent ones again: no webhook had reported them.',
  labels: { system: [...shopSystemNames] },
}
