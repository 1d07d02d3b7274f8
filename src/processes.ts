import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client'

/** What the processes of one node say to each other. */
type Message =
  | { about: 'ready' }
  | { about: 'stop' }
  /** Asked of the one that minds the others, and by it of each of them. */
  | { about: 'metrics asked'; question: number }
  | { about: 'metrics of one'; question: number; metrics: MetricObject[] }
  | { about: 'metrics of all'; question: number; text: string }

const restartMs = 1_000
/** One that is too busy to answer for so long is left out. */
const longestAnswerMs = 5_000

/**
 * Runs the service in several processes that share its port, so that it uses more than one core; this one only minds them.
 * The first comes up alone: it migrates the store, and says where to look. One that dies is replaced.
 */
export function runProcesses(count: number): void {
  const ready = new Set<Worker>()
  let isUp = false
  let isStopping = false
  const fork = () => {
    const worker = cluster.fork()
    worker.on('message', (message: Message) => {
      if (message.about === 'ready') {
        ready.add(worker)
        if (!isUp) for (let number = 2; number <= count; number += 1) fork()
        isUp = true
      }
      if (message.about === 'metrics asked') {
        const { question } = message
        gatherMetrics(ready).then((text) => tell(worker, { about: 'metrics of all', question, text }))
      }
    })
    worker.on('exit', (code, signal) => {
      ready.delete(worker)
      if (isStopping) return
      // What the first cannot do, none can: it has said why.
      if (!isUp) process.exit(code)
      process.stderr.write(`A process of Doorstep ended (${signal ?? code}); another takes its place.\n`)
      setTimeout(() => isStopping || fork(), restartMs)
    })
  }
  const stop = async (): Promise<void> => {
    const code = isStopping ? 130 : 0
    isStopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const codes = await Promise.all(workers.map((worker) => (ready.has(worker) ? stopOne(worker) : endOne(worker))))
    process.exit(Math.max(code, ...codes))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  fork()
}

/** Told a second time, it ends at once. */
function stopOne(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    worker.once('exit', (code) => resolve(code))
    tell(worker, { about: 'stop' })
  })
}

/** One that is still coming up hears nothing yet, and has nothing to finish. */
function endOne(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve(0))
    worker.process.kill('SIGKILL')
  })
}

async function gatherMetrics(workers: Iterable<Worker>): Promise<string> {
  const metrics = await Promise.all([...workers].map(metricsOf))
  return AggregatorRegistry.aggregate(metrics.filter((each) => each !== undefined)).metrics()
}

let questions = 0

function metricsOf(worker: Worker): Promise<MetricObject[] | undefined> {
  questions += 1
  const question = questions
  return new Promise((resolve) => {
    const end = (metrics?: MetricObject[]) => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      resolve(metrics)
    }
    const onMessage = (message: Message) => {
      if (message.about === 'metrics of one' && message.question === question) end(message.metrics)
    }
    const timer = setTimeout(end, longestAnswerMs)
    worker.on('message', onMessage)
    tell(worker, { about: 'metrics asked', question })
  })
}

/** Either side's way to the other; one that is gone has no use for it. */
function tell(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message)
}

/** One process's side of it. */
export interface Sibling {
  /** Whether it is the one that speaks to the operator and makes the demo shop. */
  isFirst: boolean
  /** Lets the others come up, and counts from then on. */
  announceReady(): void
  onStop(stop: () => void): void
  /** Adds its measurements to those of all; what is returned reads them. */
  shareMetrics(registry: Registry): () => Promise<string>
}

/** Undefined where the service is one process. */
export function joinProcesses(): Sibling | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  // A terminal, or whoever stops a service, signals all processes: the one that minds them passes it on, once.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  return {
    isFirst: worker.id === 1,
    announceReady: () => tell(worker, { about: 'ready' }),
    onStop: (stop) => worker.on('message', (message: Message) => message.about === 'stop' && stop()),
    shareMetrics: (registry) => shareMetrics(worker, registry),
  }
}

function shareMetrics(worker: Worker, registry: Registry): () => Promise<string> {
  const asked = new Map<number, (text: string) => void>()
  worker.on('message', (message: Message) => {
    if (message.about === 'metrics asked') {
      const { question } = message
      registry.getMetricsAsJSON().then((metrics) => tell(worker, { about: 'metrics of one', question, metrics }))
    }
    if (message.about === 'metrics of all') {
      asked.get(message.question)?.(message.text)
      asked.delete(message.question)
    }
  })
  return () =>
    new Promise((resolve) => {
      questions += 1
      asked.set(questions, resolve)
      tell(worker, { about: 'metrics asked', question: questions })
    })
}
