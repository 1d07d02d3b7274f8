import { inSpan, type Span, type Tracing } from '../../foundation/tracing.ts'
import type { TakenDelivery } from '../delivery.ts'
import type { Attempt } from './send-webhook.ts'

/** One attempt is a trace of its own, linked to what queued the delivery: that has been answered, and may be long ago. */
export function traceAttempt(
  tracing: Tracing,
  delivery: TakenDelivery,
  integration: string | undefined,
  cause: Span | undefined,
  send: (span: Span) => Promise<Attempt>,
): Promise<Attempt> {
  const span = tracing.begin(`deliver to ${integration ?? 'webhook'}`, {
    kind: 'client',
    ...(cause?.isRecorded ? { links: [cause] } : {}),
    attributes: {
      'doorstep.shop.id': delivery.shopId,
      'doorstep.delivery.id': delivery.id,
      'doorstep.delivery.attempt': delivery.number,
      ...(integration ? {} : { 'http.request.method': 'POST' }),
    },
  })
  return inSpan(span, async () => {
    const attempt = await send(span)
    const { statusCode, stage, verdict } = attempt
    span.set({ 'doorstep.delivery.verdict': verdict, 'http.response.status_code': statusCode ?? undefined })
    if (stage !== null) span.fail(stage === 'status' ? String(statusCode) : stage)
    return attempt
  })
}

/** Of an address only the server: path and query may hold a secret of the receiver. */
export function nameServer(span: Span, address: string): void {
  if (!URL.canParse(address)) return
  const { protocol, hostname, port } = new URL(address)
  span.set({
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  })
}
