import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { secondMs } from '../../src/platform/foundation/clock.ts'
import { startCollector } from '../harness/collector.ts'
import {
  basic,
  callApi,
  makeFolder,
  makeStore,
  openSocket,
  operator,
  type RunningProcess,
  start,
} from '../harness/process.ts'

/** Prints at the end of a process which packages of OpenTelemetry it has loaded. */
const report = `
const { isMainThread } = require('node:worker_threads')
if (isMainThread) process.on('exit', () => {
  const files = Object.keys(require.cache).map((file) => /node_modules.(@opentelemetry.[^/\\\\]+)/.exec(file)?.[1])
  console.log('loaded: ' + [...new Set(files)].filter(Boolean).sort().join(' ') + ';')
})
`

async function startReporting(settings: Record<string, string>): Promise<RunningProcess> {
  const file = join(makeFolder(), 'report.cjs')
  writeFileSync(file, report)
  return start(
    { DATA_DIR: await makeStore(), NODE_OPTIONS: `--require=${file}`, ...settings },
    { hasMovableClock: true },
  )
}

async function stop(service: RunningProcess): Promise<string[]> {
  service.child.kill('SIGTERM')
  expect(await service.ended).toEqual({ code: 0, signal: null })
  return (/^loaded: (.*);$/m.exec(service.output())?.[1] ?? '').split(' ')
}

async function openCollector() {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  return collector
}

/** A client that aborts in the middle of its request. */
async function abortShopCreation({ port }: RunningProcess): Promise<void> {
  const socket = await openSocket(port)
  const head = [
    'POST /v1/shops HTTP/1.1',
    'host: doorstep.example',
    `authorization: ${basic(operator)}`,
    'content-type: application/json',
    'content-length: 100',
    'expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.destroy()
}

describe('process', () => {
  it('without a collector loads nothing of OpenTelemetry except what the metrics need', async () => {
    const service = await startReporting({})
    expect(await callApi(service, operator, 'GET /v1/shops')).toMatchObject({ status: 200 })
    expect(await stop(service)).toEqual(['@opentelemetry/api'])
  })

  it('with a collector sends its last spans before it ends, including that of an aborted request', async () => {
    const collector = await openCollector()
    const service = await startReporting({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'doorstep-of-the-tests',
    })
    expect(await callApi(service, operator, 'GET /v1/shops')).toMatchObject({ status: 200 })
    await abortShopCreation(service)
    expect(await stop(service)).toContain('@opentelemetry/sdk-trace')
    const [answered, left] = ['searchShops', 'createShop'].map((wanted) =>
      collector.spans().find(({ name }) => name === wanted),
    )
    expect(answered).toMatchObject({ kind: 'server', resource: { 'service.name': 'doorstep-of-the-tests' } })
    // There was no response, so there is no status.
    expect(left).toMatchObject({ kind: 'server', isError: false })
    expect(left?.attributes).not.toHaveProperty('http.response.status_code')
  })

  it('serves requests and stops with 0 while its collector refuses connections', async () => {
    const collector = await openCollector()
    await collector.close()
    const service = await startReporting({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    expect(await callApi(service, operator, 'GET /v1/shops')).toMatchObject({ status: 200 })
    service.child.kill('SIGTERM')
    // The wait for the collector is skipped by moving the clock.
    while (service.child.exitCode === null && service.child.connected) await service.advance(secondMs)
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(service.output()).toContain('the collector of traces')
  })
})
