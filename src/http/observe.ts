import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { loggedPath } from './logged-path.ts'

/** One log line and one measurement for every request, and /metrics to read them. */
export function observe(
  app: FastifyInstance,
  share: (registry: Registry) => () => Promise<string> = (registry) => () => registry.metrics(),
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'doorstep_http_request_duration_seconds',
    help: 'Time from the request to the end of its response, by operation.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'doorstep_http_unexpected_errors_total',
    help: 'Requests that failed with status 500.',
    registers: [registry],
  })
  new Gauge({
    name: 'doorstep_processes',
    help: 'Processes of this node.',
    registers: [registry],
  }).set(1) // summed over processes
  // Checked once: the line is built only if it is logged.
  const isLogged = (app.log as Logger).isLevelEnabled('info')
  const names = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    names.add(config?.operationName ?? url)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const name = request.routeOptions.config?.operationName ?? request.routeOptions.url ?? 'none'
    // A name from a caller must not become a series: series are never removed.
    const operation = names.has(name) ? name : 'none'
    duration.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1_000)
    if (reply.statusCode === 500) failures.inc()
    if (isLogged) {
      request.log.info(
        {
          method: request.method,
          path: loggedPath(request),
          operation,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          key: request.operationContext?.principal.keyId,
        },
        'request',
      )
    }
    done()
  })
  const read = share(registry)
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await read()))
  return registry
}
