import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { startTracing } from '../../src/platform/telemetry/tracing.ts'
import { type Collector, startCollector } from '../harness/collector.ts'
import { logLines, openTestDatabase, startTestService } from '../harness/service.ts'

const collectors: Collector[] = []
afterAll(async () => {
  for (const collector of collectors) await collector.close()
})

async function openCollector(): Promise<Collector> {
  const collector = await startCollector()
  collectors.push(collector)
  return collector
}

/** As many as make a batch full, so that it is sent at once. */
const batch = 512

describe('collector', () => {
  it('that hangs delays neither requests nor the stop, and its spans are dropped', async () => {
    const collector = await openCollector()
    collector.respond = () => 'hang'
    const linesBefore = logLines.length
    const service = await startTestService(
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'warn' },
      await openTestDatabase(),
    )
    const statuses = async (requests: number) => {
      const responses = Array.from({ length: requests }, () => service.app.inject({ method: 'GET', url: '/healthz' }))
      return new Set((await Promise.all(responses)).map(({ statusCode }) => statusCode))
    }
    await statuses(batch)
    await collector.until(1)
    // More than are buffered while it does not respond.
    expect(await statuses(5 * batch)).toEqual(new Set([200]))
    await service.stop()
    const complaints = logLines.slice(linesBefore).filter((line) => line.includes('the collector of traces'))
    expect(complaints).toContainEqual(expect.stringContaining('"level":"warn"'))
  })

  it('that refuses connections delays neither requests nor the stop, and is logged', async () => {
    const collector = await openCollector()
    await collector.close()
    const linesBefore = logLines.length
    const service = await startTestService(
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'warn' },
      await openTestDatabase(),
    )
    expect((await service.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
    await service.stop()
    const complaints = logLines.slice(linesBefore).filter((line) => line.includes('the collector of traces'))
    expect(complaints).toContainEqual(expect.stringContaining('"level":"warn"'))
  })

  it('that rejects spans is logged once in a while', async () => {
    const collector = await openCollector()
    collector.respond = () => ({ status: 400, body: 'no' })
    const { tracing: settings } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    if (settings === undefined) throw new Error('tracing is off')
    const complaints: object[] = []
    const log = { info() {}, error() {}, warn: (detail: object) => void complaints.push(detail) }
    const tracing = await startTracing(settings, () => log)
    for (let span = 0; span < 3 * batch; span += 1) tracing.begin('work').end()
    await collector.until(3)
    await tracing.stop()
    expect(complaints).toEqual([{ err: expect.any(Error), lost_spans: batch }])
  })
})

describe('settings', () => {
  const tracingOf = (settings: Record<string, string>) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', ...settings }).tracing

  it('trace nothing without an endpoint, or where OpenTelemetry is disabled', () => {
    expect(readConfig({}).tracing).toBeUndefined()
    expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined()
    expect(tracingOf({ OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  })

  it('have the defaults of OpenTelemetry', () => {
    expect(tracingOf({})).toEqual({
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: {},
      serviceName: 'doorstep',
      resourceAttributes: {},
      sampler: 'parentbased_always_on',
      sampledRatio: 1,
    })
  })

  it('that are wrong are named, without a secret', () => {
    expect(() => tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/)
    expect(() => tracingOf({ OTEL_EXPORTER_OTLP_HEADERS: 'secret' })).toThrow(
      /^OTEL_EXPORTER_OTLP_HEADERS is wrong: its/,
    )
    expect(() => tracingOf({ OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' })).toThrow(/percent-encoded/)
    expect(() => tracingOf({ OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow(/OTEL_TRACES_SAMPLER/)
    expect(() => tracingOf({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(/OTEL_TRACES_SAMPLER_ARG/)
  })

  it.each([
    ['always_off', '1', false, false],
    ['parentbased_always_on', '1', true, false],
    ['traceidratio', '1', true, true],
    ['traceidratio', '0', false, false],
    ['parentbased_traceidratio', '0.0', false, false],
  ])('decide what is recorded: %s of %s', async (sampler, ratio, isRecorded, isRecordedAgainstCaller) => {
    const settings = tracingOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio })
    if (settings === undefined) throw new Error('tracing is off')
    const tracing = await startTracing(settings, () => ({ info() {}, warn() {}, error() {} }))
    expect(tracing.begin('work').isRecorded).toBe(isRecorded)
    // Its caller did not sample it.
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'
    const continued = tracing.begin('work', { traceparent })
    expect(continued.isRecorded).toBe(isRecordedAgainstCaller)
    expect(continued.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-0[01]$/)
    await tracing.stop()
  })
})
