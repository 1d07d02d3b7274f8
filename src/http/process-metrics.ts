import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CounterSpec, Metrics, TimerSpec } from '../platform/foundation/metrics.ts'

/** The metrics of this process: what is counted as it happens, and gauges that are read when somebody reads the metrics. */
export class ProcessMetrics implements Metrics {
  readonly registry = new Registry()
  readonly #counters = new Map<string, Counter>()
  readonly #timers = new Map<string, Histogram>()

  /** All series exist from the start, so that the first failure is seen as an increase. */
  constructor(counters: readonly CounterSpec[], timers: readonly TimerSpec[]) {
    collectDefaultMetrics({ register: this.registry })
    // Summed over the processes of a node.
    this.addGauge({ name: 'doorstep_processes', help: 'Processes of this node.', aggregator: 'sum' }).set(1)
    for (const spec of counters) {
      const counter = new Counter({ ...describe(spec), registers: [this.registry] })
      for (const labels of combinationsOf(spec)) counter.inc(labels, 0)
      this.#counters.set(spec.name, counter)
    }
    for (const spec of timers) {
      const timer = new Histogram({ ...describe(spec), buckets: [...spec.buckets], registers: [this.registry] })
      for (const labels of combinationsOf(spec)) timer.zero(labels)
      this.#timers.set(spec.name, timer)
    }
  }

  count(spec: CounterSpec, labels: Record<string, string>, by = 1): void {
    this.#counters.get(spec.name)?.inc(bounded(spec, labels), by)
  }

  time(spec: TimerSpec, labels: Record<string, string>, seconds: number): void {
    this.#timers.get(spec.name)?.observe(bounded(spec, labels), seconds)
  }

  /** Of several processes: their sum, or the largest, if all of them report the same thing. */
  addGauge({ name, help, labelNames = [], aggregator = 'max', collect }: GaugeSpec): Gauge {
    return new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      aggregator,
      registers: [this.registry],
      ...(collect
        ? {
            collect() {
              return collect(this)
            },
          }
        : {}),
    })
  }
}

interface GaugeSpec {
  name: string
  help: string
  labelNames?: readonly string[]
  aggregator?: 'sum' | 'max' | 'min'
  collect?: (gauge: Gauge) => Promise<void> | void
}

function describe({ name, help, labels }: CounterSpec) {
  return { name, help, labelNames: Object.keys(labels) }
}

const other = 'other'

function bounded({ labels }: CounterSpec, given: Record<string, string>): Record<string, string> {
  for (const [name, values] of Object.entries(labels)) {
    if (!values.includes(given[name] ?? '')) return bounded({ labels } as CounterSpec, { ...given, [name]: other })
  }
  return given
}

function combinationsOf({ labels }: CounterSpec): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))),
    [{}],
  )
}
