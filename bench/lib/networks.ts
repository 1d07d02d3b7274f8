import { connect, type Socket } from 'node:net'

/** An address of one of up to 250 networks (/24) on loopback. Linux only. */
export function loopbackOf(network: number, host = 1): string {
  return `127.0.${network + 1}.${host}`
}

/** An address of one of many networks (/48), for `X-Forwarded-For` behind `TRUST_PROXY`. */
export function forwardedOf(network: number, host = 1): string {
  return `2001:db8:${network.toString(16)}::${host.toString(16)}`
}

/** A connection from the given address. It reads received data unless it is paused; errors close it. */
export function openSocket(port: number, from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
  return new Promise((resolve) => {
    socket
      .on('error', () => {})
      .once('connect', () => resolve(socket))
      .once('close', () => resolve(socket))
  })
}

export function headOf(method: string, path: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, 'Host: bench', ...lines, '', ''].join('\r\n')
}

export interface Answered {
  /** 0 if the connection was closed without a response. */
  status: number
  ms: number
}

export interface Asked {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Buffer | string
  from?: string
  /** How long the client waits before it hangs up. */
  patienceMs?: number
}

/** Sends one request over a connection of its own, and reads the response to its end. */
export async function request(port: number, asked: Asked): Promise<Answered> {
  const { method, path, headers = {}, body = '', from, patienceMs } = asked
  const startedAt = performance.now()
  const socket = await openSocket(port, from)
  let head = ''
  socket.on('data', (chunk: Buffer) => {
    if (head.length < 100) head += chunk.toString('latin1', 0, 100)
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  if (socket.destroyed) return { status: 0, ms: performance.now() - startedAt }
  const timer = patienceMs && setTimeout(() => socket.destroy(), patienceMs)
  const length = Buffer.byteLength(body)
  socket.write(headOf(method, path, { ...headers, 'content-length': length, connection: 'close' }))
  if (length > 0) socket.write(body)
  await closed
  clearTimeout(timer)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), ms: performance.now() - startedAt }
}

/** The time within which the given share of the requests ended. */
export function quantileMs(answered: readonly Answered[], share: number): number {
  const times = answered.map(({ ms }) => ms).sort((left, right) => left - right)
  return times[Math.floor((times.length - 1) * share)] ?? Number.NaN
}
