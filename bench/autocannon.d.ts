/** The part of autocannon that is used here. It ships no types, and type checks must work without it installed. */
declare module 'autocannon' {
  interface Request {
    method: 'GET' | 'PATCH'
    path: string
    headers: Record<string, string>
    body?: string
  }
  interface Result {
    requests: { average: number }
    errors: number
    timeouts: number
    non2xx: number
  }
  interface Instance extends Promise<Result> {
    on(
      event: 'response',
      handle: (client: unknown, status: number, bytes: number, responseTimeMs: number) => void,
    ): Instance
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration: number
    requests: Request[]
  }): Instance
}
