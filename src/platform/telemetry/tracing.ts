import { randomUUID } from 'node:crypto'
import type * as Api from '@opentelemetry/api'
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace'
import type { TracingConfig } from '../config/accounts.ts'
import { minuteMs, secondMs } from '../foundation/clock.ts'
import type { Log } from '../foundation/context.ts'
import type { Span, SpanAttributes, SpanOptions, Tracing } from '../foundation/tracing.ts'

/** How long a stop waits for an unresponsive collector. */
const maxFlushMs = 3 * secondMs

/** A coalesced write links to each of its requests, which can exceed the default of 128. */
const linkCountLimit = 250

/**
 * Records spans and sends them to a collector in batches. Spans are passed explicitly: following asynchronous work
 * automatically would slow down every promise of the process.
 */
export async function startTracing(config: TracingConfig, log: () => Log): Promise<Tracing> {
  const { api, core, sdk, exporter, resources } = await loadPackages()
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(
      resources.resourceFromAttributes({
        ...config.resourceAttributes,
        'service.name': config.serviceName,
        'service.instance.id': randomUUID(),
      }),
    ),
    sampler: samplerOf(sdk, config),
    spanLimits: { linkCountLimit },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: logSpanLoss(new exporter.OTLPTraceExporter({ url: config.url, headers: config.headers }), log),
      }),
    ],
  })
  const tracer = provider.getTracer('doorstep')

  const begin = (parent: Api.Context, name: string, { kind = 'internal', attributes, links }: SpanOptions): Span => {
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        ...(attributes ? { attributes } : {}),
        ...(links ? { links: links.map((link) => ({ context: contextOf(link) })) } : {}),
      },
      parent,
    )
    return toSpan(span, (name, options = {}) => begin(api.trace.setSpan(parent, span), name, options))
  }

  return {
    begin(name, { traceparent, ...options } = {}) {
      const caller = traceparent === undefined ? null : core.parseTraceParent(traceparent)
      const parent = caller
        ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...caller, isRemote: true })
        : api.ROOT_CONTEXT
      return begin(parent, name, options)
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined
      const overdue = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          log().warn({}, 'the collector of traces did not accept the last spans in time')
          resolve()
        }, maxFlushMs)
      })
      // Rejections have already been logged.
      await Promise.race([provider.shutdown().catch(() => {}), overdue])
      clearTimeout(timer)
    },
  }
}

/** Imported here, because a static import would load these packages at every start, traced or not. */
async function loadPackages() {
  const [api, core, sdk, exporter, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  return { api, core, sdk, exporter, resources }
}

type Sdk = Awaited<ReturnType<typeof loadPackages>>['sdk']

function samplerOf(sdk: Sdk, { sampler, sampledRatio }: TracingConfig): Sampler {
  const isByParent = sampler.startsWith('parentbased_')
  const root = rootSamplerOf(sdk, sampler.replace('parentbased_', ''), sampledRatio)
  return isByParent ? new sdk.ParentBasedSampler({ root }) : root
}

function rootSamplerOf(sdk: Sdk, name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new sdk.TraceIdRatioBasedSampler(ratio)
  return name === 'always_off' ? new sdk.AlwaysOffSampler() : new sdk.AlwaysOnSampler()
}

/** The numbers of OpenTelemetry's `SpanKind`. */
const kinds = { internal: 0, server: 1, client: 2 } satisfies Record<string, Api.SpanKind>
const errorStatus: Api.SpanStatusCode.ERROR = 2

function toSpan(span: Api.Span, begin: (name: string, options?: SpanOptions) => Span): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceId,
    id: spanId,
    isRecorded: span.isRecording(),
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
    begin,
    set(attributes: SpanAttributes) {
      span.setAttributes(attributes)
    },
    fail(type) {
      span.setAttribute('error.type', type).setStatus({ code: errorStatus })
    },
    end: () => span.end(),
  }
}

function contextOf({ traceId, id, isRecorded }: Span): Api.SpanContext {
  return { traceId, spanId: id, traceFlags: isRecorded ? 1 : 0 }
}

const quietMs = minuteMs

/** Logs the loss of spans at most once per interval, however often an unreachable collector is retried. */
function logSpanLoss(exporter: SpanExporter, log: () => Log): SpanExporter {
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
