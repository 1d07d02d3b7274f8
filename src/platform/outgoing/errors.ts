/** The stage at which a call failed, as the delivery log names it. */
export type Stage = 'resolve' | 'connect' | 'tls' | 'send' | 'timeout' | 'status'

/** There was no response. */
export class OutgoingError extends Error {
  readonly stage: Stage

  constructor(stage: Stage, message: string) {
    super(message)
    this.name = 'OutgoingError'
    this.stage = stage
  }
}

/** The response is not complete in time. */
export class TimeoutError extends Error {}

/** Names the stage at which a call failed, from what undici, TLS and the resolver report. */
export function toOutgoingError(error: unknown, limitMs: number): OutgoingError {
  const found = causes(error)
  const own = found.find((cause) => cause instanceof OutgoingError)
  if (own instanceof OutgoingError) return own
  const codes = found.map((cause) => (cause as { code?: string }).code ?? '')
  const message = (found.at(-1) as Error | undefined)?.message || String(error)
  if (found.some((cause) => cause instanceof TimeoutError)) {
    return new OutgoingError('timeout', `no complete response within ${limitMs / 1_000} s`)
  }
  if (codes.some((code) => /^(ENOTFOUND|EAI_|ENODATA)/.test(code))) return new OutgoingError('resolve', message)
  const isHandshake = found.some((cause) => /before secure TLS connection/.test((cause as Error).message))
  if (isHandshake || codes.some((code) => /CERT|TLS|SSL|SELF_SIGNED|VERIFY|EPROTO/.test(code))) {
    return new OutgoingError('tls', message)
  }
  const isRejectedByProxy = found.some((cause) => /^Proxy response/.test((cause as Error).message))
  if (
    isRejectedByProxy ||
    codes.some((code) => /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT)/.test(code))
  ) {
    return new OutgoingError('connect', message)
  }
  return new OutgoingError('send', message)
}

function causes(error: unknown): unknown[] {
  const found: unknown[] = []
  for (let current = error; current !== undefined && current !== null && found.length < 5; ) {
    found.push(current)
    const inner = current as { cause?: unknown; errors?: unknown[] }
    current = inner.cause ?? inner.errors?.[0]
  }
  return found
}
