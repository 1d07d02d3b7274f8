import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorization, startServiceProcess } from './lib/service.ts'
import { median, printTable } from './table.ts'

// How large /metrics is and how long it takes, at first and after every operation was called in many wrong ways.
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const reads = 30
const wrongKey = `Basic ${Buffer.from('nobody:wrong').toString('base64')}`

const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
const service = await startServiceProcess({ DATA_DIR: dataDir })
try {
  const url = `http://127.0.0.1:${service.port}`
  const before = await measure(url)
  const requests = await callEverything(url)
  const after = await measure(url)
  printTable(
    ['/metrics', 'bytes', 'median, ms'],
    [rowOf('at first', before), rowOf(`after ${requests} requests`, after)],
  )
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

interface Measured {
  bytes: number
  ms: number
}

function rowOf(name: string, { bytes, ms }: Measured): string[] {
  return [name, String(bytes), ms.toFixed(1)]
}

async function measure(url: string): Promise<Measured> {
  const times: number[] = []
  let bytes = 0
  for (let read = 0; read < reads; read += 1) {
    const begun = performance.now()
    bytes = (await (await fetch(`${url}/metrics`)).text()).length
    times.push(performance.now() - begun)
  }
  return { bytes, ms: median(times) }
}

/** Calls every operation without a key, with a wrong one and with the right one, and as many addresses that do not exist. */
async function callEverything(url: string): Promise<number> {
  const description = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const calls: [string, string, Record<string, string>, string | undefined][] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const method of Object.keys(methods)) {
        const address = path.replaceAll(/\{\w+\}/g, `x-${round}`)
        const body = /post|put|patch/.test(method) ? '{"a":' : undefined
        const json = { 'content-type': 'application/json' }
        calls.push(
          [method, address, {}, undefined],
          [method, address, { authorization: wrongKey }, undefined],
          [method, address, { authorization, ...json }, body],
          [method, address, { authorization, ...json }, body && '[]'],
          [method, `${address}/${Math.random()}`, { authorization }, undefined],
        )
      }
    }
  }
  // Creating shops and keys is not the point.
  const harmless = calls.filter(([method, path]) => !(method === 'delete' && path === '/v1/session'))
  for (const [method, path, headers, body] of harmless) {
    const response = await fetch(`${url}${path}`, {
      method: method.toUpperCase(),
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined)
    await response?.body?.cancel()
  }
  return harmless.length
}
