/** By the names of OpenTelemetry's conventions. Nothing of a customer, no secret, and of an address its origin at most. */
export type SpanAttributes = Record<string, string | number | undefined>

export interface SpanOptions {
  /** A request to us, a call by us, or neither. */
  kind?: 'server' | 'client' | 'internal'
  attributes?: SpanAttributes
  /** Other spans that led to it. */
  links?: Span[]
}

/** A piece of work while it is traced. */
export interface Span {
  readonly traceId: string
  readonly id: string
  /** False if it is not sampled: then only its ids are passed on. */
  readonly isRecorded: boolean
  /** Its name in calls to others, as in W3C Trace Context. */
  readonly traceparent: string
  /** Begins a part of this work. */
  begin(name: string, options?: SpanOptions): Span
  set(attributes: SpanAttributes): void
  /** Marks it as failed; the type is a word or a status, never a message. */
  fail(type: string): void
  end(): void
}

/** Starts spans. Undefined if tracing is off. */
export interface Tracing {
  /** Begins a trace, or continues the caller's if `traceparent` names one. */
  begin(name: string, options?: SpanOptions & { traceparent?: string | undefined }): Span
  /** Sends the remaining spans, within a few seconds. */
  stop(): Promise<void>
}

/** Ends the span with the work; as failed if it throws. */
export async function inSpan<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}
