/** Something that is counted. Every label has a fixed list of values, so that nobody can add series by what they send. */
export interface CounterSpec {
  name: string
  help: string
  labels: Readonly<Record<string, readonly string[]>>
}

/** The same, with the time that it took. */
export interface TimerSpec extends CounterSpec {
  /** The upper bounds of the buckets, in seconds. */
  buckets: readonly number[]
}

/** Counts what happens in this process. A value that is not in the list of its label counts as `other`. */
export interface Metrics {
  count(spec: CounterSpec, labels: Record<string, string>, by?: number): void
  time(spec: TimerSpec, labels: Record<string, string>, seconds: number): void
}

/** Each bound is four times the one before: seven buckets from a millisecond to four seconds. */
export const latencyBuckets = [0.001, 0.004, 0.016, 0.064, 0.256, 1.024, 4.096] as const

/** Counts nothing. */
export const noMetrics: Metrics = { count() {}, time() {} }
