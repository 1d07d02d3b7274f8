import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { until, within } from '../harness/patience.ts'
import { createMigratedPostgresDatabase } from '../harness/prepared-stores.ts'
import {
  type Cleanup,
  callApi,
  isAlive,
  launch,
  makeFolder,
  makeShop,
  operator,
  type RunningProcess,
  sharedByTests,
  start,
} from '../harness/process.ts'

const reason =
  process.env.TEST_DATABASE_URL && process.platform === 'linux'
    ? ''
    : ' (skipped: set TEST_DATABASE_URL to run it, on Linux)'

describe.skipIf(reason !== '')(`several processes on one port${reason}`, () => {
  const shared = sharedByTests(startThree)

  it('serve requests as one service, and print its address once', async () => {
    const service = shared()
    const output = service.output()
    expect(output.split('Doorstep is running at')).toHaveLength(2)
    await makeShop(service, operator, 'shared')
    // Each request has its own connection, and connections are distributed in turn.
    for (let requests = 0; requests < 9; requests += 1) {
      expect(await callApi(service, operator, 'GET /v1/shops/shared')).toMatchObject({ status: 200 })
    }
  })

  it('report the metrics of all processes at /metrics', async () => {
    const service = shared()
    await makeShop(service, operator, 'measured')
    const name = 'doorstep_http_requests_total{area="Shops",status="2xx"}'
    const before = (await measured(service, name)) || 0
    const count = 12
    for (let requests = 0; requests < count; requests += 1) await callApi(service, operator, 'GET /v1/shops/measured')
    // A request is counted when its response has been sent.
    await expect.poll(() => measured(service, name)).toBeGreaterThanOrEqual(before + count)
  })

  it('are replaced when one is killed, while the others serve requests', async () => {
    const service = shared()
    const [victim] = childrenOf(service)
    if (victim === undefined) throw new Error('it has no processes')
    process.kill(victim, 'SIGKILL')
    // Until it is known to be dead, connections are still assigned to it.
    await until(() => (service.complaints().includes('another takes its place') ? true : undefined))
    for (let requests = 0; requests < 6; requests += 1) {
      expect(await callApi(service, operator, 'GET /v1/shops')).toMatchObject({ status: 200 })
    }
    await until(() => (childrenOf(service).length === 3 ? true : undefined))
    expect(childrenOf(service)).not.toContain(victim)
    expect(service.output().split('Doorstep is running at')).toHaveLength(2)
  })

  it('stop together, also when a terminal signals each of them', async () => {
    const service = await startThree()
    const children = childrenOf(service)
    for (const child of [...children, service.child.pid ?? 0]) process.kill(child, 'SIGINT')
    expect(await within(service.ended)).toEqual({ code: 0, signal: null })
    expect(service.complaints()).toBe('')
    expect(children.filter(isAlive)).toEqual([])
  })

  it('stop while some of them are still starting', async () => {
    const service = await start({
      DATABASE_URL: await createMigratedPostgresDatabase(),
      DATA_DIR: makeFolder(),
      PROCESSES: '3',
    })
    // The first has just reported that it runs, and the others begin only then.
    service.child.kill('SIGTERM')
    expect(await within(service.ended)).toEqual({ code: 0, signal: null })
    expect(service.complaints()).toBe('')
  })

  it('do not outlive their parent process', async () => {
    const service = await startThree()
    const children = childrenOf(service)
    service.child.kill('SIGKILL')
    await expect.poll(() => children.filter(isAlive)).toEqual([])
  })

  it('end with one clear line when the first cannot start', async () => {
    const unreachable = launch({ DATABASE_URL: 'postgres://127.0.0.1:1/none', PROCESSES: '3', DATA_DIR: makeFolder() })
    expect(await unreachable.ended).toEqual({ code: 1, signal: null })
    expect(unreachable.complaints()).toMatch(/^Doorstep did not start\. [^\n]+\n$/)
  })
})

describe('several processes on the embedded store', () => {
  it('are rejected, because that store belongs to one process', async () => {
    const refused = launch({ DATA_DIR: makeFolder(), PROCESSES: '2' })
    expect(await refused.ended).toEqual({ code: 1, signal: null })
    expect(refused.complaints()).toBe(
      'Doorstep did not start. PROCESSES needs DATABASE_URL: the embedded store belongs to one process.\n',
    )
  })
})

async function startThree(cleanup?: Cleanup): Promise<RunningProcess> {
  const settings = {
    DATABASE_URL: await createMigratedPostgresDatabase(),
    DATA_DIR: makeFolder(cleanup),
    ADMIN_API_KEY: operator.apiKey,
    PROCESSES: '3',
    LOG_LEVEL: 'warn',
  }
  const service = await start(settings, { cleanup })
  // The first is ready when it prints that it is; the others follow.
  await until(async () => ((await measured(service, 'doorstep_processes')) === 3 ? true : undefined))
  return service
}

/** A metric of all processes together; NaN if it does not exist. */
async function measured({ url }: RunningProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? Number.NaN)
}

/** The processes that it has forked, as Linux lists them. */
function childrenOf({ child }: RunningProcess): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === child.pid)
}

function parentOf(pid: number): number | undefined {
  try {
    // After the program's name, which may contain anything: the state, then the parent.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined // it has just ended
  }
}
