import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client'

/** Messages between the processes of one node. */
type Message =
  | { type: 'ready' }
  | { type: 'stop' }
  /** From a worker process to the primary, and from the primary to each worker process. */
  | { type: 'metrics request'; requestId: number }
  | { type: 'metrics of one'; requestId: number; metrics: MetricObject[] }
  | { type: 'metrics of all'; requestId: number; text: string }

const restartMs = 1_000
/** The metrics of a process that does not respond within this time are omitted. */
const metricsTimeoutMs = 5_000

/**
 * Runs the service in several processes that share its port, so that it uses more than one core; this one, the primary,
 * only supervises them. The first starts alone: it migrates the store, and prints the welcome. One that dies is replaced.
 * Connections are handed to them in turn, one at a time each. If a process dies while it is handed one, that client waits
 * until it gives up. Processes that accept connections themselves (SCHED_NONE) avoid that, but get uneven shares: 24 and 8 of 32.
 */
export function runProcesses(count: number): void {
  const ready = new Set<Worker>()
  let isUp = false
  let isStopping = false
  const fork = () => {
    const worker = cluster.fork()
    worker.on('message', (message: Message) => {
      if (message.type === 'ready') {
        ready.add(worker)
        if (!isUp) for (let number = 2; number <= count; number += 1) fork()
        isUp = true
      }
      if (message.type === 'metrics request') {
        const { requestId } = message
        gatherMetrics(ready).then((text) => send(worker, { type: 'metrics of all', requestId, text }))
      }
    })
    worker.on('exit', (code, signal) => {
      ready.delete(worker)
      if (isStopping) return
      // If the first cannot start, none can: it has printed why.
      if (!isUp) process.exit(code)
      process.stderr.write(`A process of Doorstep ended (${signal ?? code}); another takes its place.\n`)
      setTimeout(() => isStopping || fork(), restartMs)
    })
  }
  const stop = async (): Promise<void> => {
    const code = isStopping ? 130 : 0
    isStopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const codes = await Promise.all(workers.map((worker) => (ready.has(worker) ? stopOne(worker) : killOne(worker))))
    process.exit(Math.max(code, ...codes))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  fork()
}

/** A second stop ends it at once. */
function stopOne(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    worker.once('exit', (code) => resolve(code))
    send(worker, { type: 'stop' })
  })
}

/** One that is still starting does not listen for messages yet, and has nothing to finish. */
function killOne(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve(0))
    worker.process.kill('SIGKILL')
  })
}

async function gatherMetrics(workers: Iterable<Worker>): Promise<string> {
  const metrics = await Promise.all([...workers].map(metricsOf))
  return AggregatorRegistry.aggregate(metrics.filter((each) => each !== undefined)).metrics()
}

let requestCount = 0

function metricsOf(worker: Worker): Promise<MetricObject[] | undefined> {
  requestCount += 1
  const requestId = requestCount
  return new Promise((resolve) => {
    const end = (metrics?: MetricObject[]) => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      resolve(metrics)
    }
    const onMessage = (message: Message) => {
      if (message.type === 'metrics of one' && message.requestId === requestId) end(message.metrics)
    }
    const timer = setTimeout(end, metricsTimeoutMs)
    worker.on('message', onMessage)
    send(worker, { type: 'metrics request', requestId })
  })
}

/** Sends a message to the other side, unless that is gone. */
function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message)
}

/** A worker process, as it sees itself. */
export interface WorkerProcess {
  /** Whether it prints the welcome and creates the demo shop. */
  isFirst: boolean
  /** Lets the others start; from then on its metrics are collected. */
  announceReady(): void
  onStop(stop: () => void): void
  /** Adds its metrics to those of all processes; the returned function reads them. */
  shareMetrics(registry: Registry): () => Promise<string>
}

/** Undefined if the service is one process. */
export function joinProcesses(): WorkerProcess | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  // A terminal or a service manager signals all processes: the primary passes it on, once.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  return {
    isFirst: worker.id === 1,
    announceReady: () => send(worker, { type: 'ready' }),
    onStop: (stop) => worker.on('message', (message: Message) => message.type === 'stop' && stop()),
    shareMetrics: (registry) => shareMetrics(worker, registry),
  }
}

function shareMetrics(worker: Worker, registry: Registry): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>()
  worker.on('message', (message: Message) => {
    if (message.type === 'metrics request') {
      const { requestId } = message
      registry.getMetricsAsJSON().then((metrics) => send(worker, { type: 'metrics of one', requestId, metrics }))
    }
    if (message.type === 'metrics of all') {
      waiting.get(message.requestId)?.(message.text)
      waiting.delete(message.requestId)
    }
  })
  return () =>
    new Promise((resolve) => {
      requestCount += 1
      waiting.set(requestCount, resolve)
      send(worker, { type: 'metrics request', requestId: requestCount })
    })
}
