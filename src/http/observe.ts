import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type CounterSpec, latencyBuckets, type Metrics, type TimerSpec } from '../platform/foundation/metrics.ts'
import type { Operation } from '../platform/foundation/operation.ts'
import { withoutEmails, withoutTokens } from './log.ts'

const kinds = ['read', 'write', 'page', 'none'] as const

export const requestTimesMetric: TimerSpec = {
  name: 'doorstep_http_request_duration_seconds',
  help: 'Time from the request to the end of its response, by what was requested: the API, a page, or nothing that exists.',
  labels: { kind: kinds },
  buckets: latencyBuckets,
}

export const unexpectedErrorsMetric: CounterSpec = {
  name: 'doorstep_http_unexpected_errors_total',
  help: 'Requests that failed with status 500.',
  labels: {},
}

/** By area: with a series for each operation and status, a fuzzer makes a megabyte of them. */
export function requestsMetric(operations: readonly Operation[]): CounterSpec {
  return {
    name: 'doorstep_http_requests_total',
    help: 'Requests by area of the API and class of their status; pages are everything else that exists.',
    labels: {
      area: [...new Set(operations.map(({ area }) => area)), 'pages', 'none'],
      status: ['2xx', '3xx', '4xx', '5xx'],
    },
  }
}

/** One log line and one measurement for every request. */
export function observe(app: FastifyInstance, operations: readonly Operation[], metrics: Metrics): void {
  const requests = requestsMetric(operations)
  const known = new Map(operations.map((operation) => [operation.name, operation]))
  // Checked once: the line is built only if it is logged.
  const isLogged = (app.log as Logger).isLevelEnabled('info')
  const names = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    names.add(config?.operationName ?? url)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const name = request.routeOptions.config?.operationName ?? request.routeOptions.url ?? 'none'
    // A name from a caller must not be counted or logged as one of ours.
    const operation = names.has(name) ? name : 'none'
    const declared = known.get(operation)
    const kind = declared ? (declared.method === 'GET' ? 'read' : 'write') : operation === 'none' ? 'none' : 'page'
    const area = declared?.area ?? (operation === 'none' ? 'none' : 'pages')
    metrics.time(requestTimesMetric, { kind }, reply.elapsedTime / 1_000)
    metrics.count(requests, { area, status: `${Math.floor(reply.statusCode / 100)}xx` })
    if (reply.statusCode === 500) metrics.count(unexpectedErrorsMetric, {})
    if (isLogged) logRequest(request, operation, reply.statusCode, reply.elapsedTime)
    done()
  })
}

function logRequest(request: FastifyRequest, operation: string, status: number, elapsedMs: number): void {
  request.log.info(
    {
      method: request.method,
      path: loggedPath(request),
      operation,
      status,
      ms: Math.round(elapsedMs * 10) / 10,
      key: request.operationContext?.principal.keyId,
    },
    'request',
  )
}

/** The path of a request as the log shows it: without the query and without the tokens of customers' pages. */
function loggedPath(request: FastifyRequest): string {
  const { url: route } = request.routeOptions
  // Built from the route: a token that is percent-encoded is still a token.
  if (route?.includes(':token')) {
    const given = request.params as Record<string, string>
    return withoutEmails(
      route.replaceAll(/:(\w+)/g, (_part, name) => (name === 'token' ? '[token]' : (given[name] ?? ''))),
    )
  }
  return withoutEmails(withoutTokens(request.url.split('?')[0] ?? ''))
}
