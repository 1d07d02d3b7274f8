import type { Server } from 'node:net'

/** The address on this machine, if there is no public one. */
export function localUrl({ tls }: { tls?: unknown }, port: number): string {
  return `${tls ? 'https' : 'http'}://localhost:${port}`
}

/** The port that a server listens on, if it does. */
export function portOf(server: Pick<Server, 'address'>): number | undefined {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : undefined
}
