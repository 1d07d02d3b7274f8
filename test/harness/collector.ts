import { type Receiver, startReceiver } from './receiver.ts'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: 'internal' | 'server' | 'client'
  attributes: Record<string, string | number>
  isError: boolean
  /** The spans it is linked to. */
  links: string[]
  /** Attributes of the process that sent it. */
  resource: Record<string, string | number>
}

/** A collector of traces that speaks OTLP over HTTP. */
export interface Collector extends Receiver {
  spans(): CollectedSpan[]
}

export async function startCollector(): Promise<Collector> {
  const receiver = await startReceiver()
  receiver.respond = () => ({ status: 200, body: '{}' })
  return Object.assign(receiver, {
    spans: () => receiver.received.flatMap(({ body }) => (body as Exported).resourceSpans.flatMap(spansOf)),
  })
}

interface Exported {
  resourceSpans: ResourceSpans[]
}

interface ResourceSpans {
  resource: { attributes: Attribute[] }
  scopeSpans: { spans: ExportedSpan[] }[]
}

interface ExportedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attribute[]
  status: { code: number }
  links?: { spanId: string }[]
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

const kinds: Record<number, CollectedSpan['kind']> = { 1: 'internal', 2: 'server', 3: 'client' }

function spansOf({ resource, scopeSpans }: ResourceSpans): CollectedSpan[] {
  return scopeSpans
    .flatMap(({ spans }) => spans)
    .map(({ traceId, spanId, parentSpanId, name, kind, attributes, status, links = [] }) => ({
      traceId,
      spanId,
      parentSpanId,
      name,
      kind: kinds[kind] ?? 'internal',
      attributes: read(attributes),
      isError: status.code === 2,
      links: links.map((link) => link.spanId),
      resource: read(resource.attributes),
    }))
}

function read(attributes: Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const known = value.stringValue ?? value.intValue
      if (known === undefined) throw new Error(`${key} has no value`)
      return [key, known]
    }),
  )
}
