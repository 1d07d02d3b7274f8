import { inSpan, type Span, type Tracing } from '../../platform/foundation/tracing.ts'
import type { Postponement, SendResult } from '../queue/attempt.ts'
import type { Delivery } from '../queue/delivery.ts'

/** An attempt is a trace of its own, linked to the request that enqueued the delivery: that may have ended long ago. */
export function traceAttempt(
  tracing: Tracing,
  delivery: Delivery,
  { integration, cause }: { integration: string | undefined; cause: Span | undefined },
  send: (span: Span) => Promise<SendResult | Postponement>,
): Promise<SendResult | Postponement> {
  const span = tracing.begin(`deliver to ${integration ?? 'webhook'}`, {
    kind: 'client',
    ...(cause?.isRecorded ? { links: [cause] } : {}),
    attributes: {
      'doorstep.shop.id': delivery.shopId,
      'doorstep.delivery.id': delivery.id,
      'doorstep.delivery.attempt': delivery.attemptNumber,
      ...(integration ? {} : { 'http.request.method': 'POST' }),
    },
  })
  return inSpan(span, async () => {
    const outcome = await send(span)
    span.set({ 'doorstep.delivery.verdict': outcome.verdict })
    if (outcome.verdict === 'wait') return outcome
    const { statusCode, stage } = outcome
    span.set({ 'http.response.status_code': statusCode ?? undefined })
    if (stage !== null) span.fail(stage === 'status' ? String(statusCode) : stage)
    return outcome
  })
}

/** Only the server of an address: path and query may contain a secret of the receiver. */
export function nameServer(span: Span, address: string): void {
  if (!URL.canParse(address)) return
  const { protocol, hostname, port } = new URL(address)
  span.set({
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  })
}
