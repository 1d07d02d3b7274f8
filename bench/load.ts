import autocannon from 'autocannon'

/** The requests to send, their server, and for how long. */
export interface Load {
  url: string
  requests: { method: 'GET' | 'PATCH'; path: string; headers: Record<string, string>; body?: string }[]
  connections: number
  seconds: number
}

export interface Measured {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Responses other than 2xx, and missing responses. A result with any of these is invalid. */
  failures: number
}

// The load generator runs in its own process, so that it takes no time from the server it measures.
process.on('message', (load: Load) => {
  measure(load).then((measured) => process.send?.(measured))
})

async function measure(load: Load): Promise<Measured> {
  const { url, requests, connections } = load
  await autocannon({ url, requests, connections, duration: 1 })
  const times: number[] = []
  const startedAt = performance.now()
  const run = autocannon({ url, requests, connections, duration: load.seconds })
  run.on('response', (_client, _status, _bytes, responseTimeMs) => times.push(responseTimeMs))
  const { errors, timeouts, non2xx } = await run
  const seconds = (performance.now() - startedAt) / 1_000
  times.sort((left, right) => left - right)
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    // By its own clock: on a busy machine, the intervals that autocannon counts in become longer than a second.
    requestsPerSecond: times.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    failures: errors + timeouts + non2xx,
  }
}
