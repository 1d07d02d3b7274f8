import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { minuteMs } from '../foundation/clock.ts'
import type { Log } from '../foundation/context.ts'

const quietMs = minuteMs

/** Logs the loss of spans at most once per interval, however often an unreachable collector is retried. */
export function logSpanLoss(exporter: SpanExporter, log: () => Log): SpanExporter {
  let lostSpans = 0
  let quietUntilMs = 0
  const lose = (count: number, err: Error | undefined) => {
    lostSpans += count
    if (performance.now() < quietUntilMs) return
    quietUntilMs = performance.now() + quietMs
    log().warn(
      { err, lost_spans: lostSpans },
      'the collector of traces rejects spans or is unreachable; they are dropped',
    )
    lostSpans = 0
  }
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0) lose(spans.length, result.error)
        done(result)
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
