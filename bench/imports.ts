import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'csv-parse/sync'
import type { ReadBytes, Row } from '../src/orders/imports/read-rows.ts'
import type { KeptColumns } from '../src/orders/imports/split-row.ts'
import { type Checkout, checkoutsToCompare } from './lib/checkouts.ts'
import { median, printTable } from './table.ts'

const goodMb = Number(process.env.BENCH_MB ?? 8)
/** Small, because the reader of before needs minutes for a megabyte. */
const faultyMb = Number(process.env.BENCH_FAULTY_MB ?? 0.03)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const pieceBytes = 65_536
/** An import knows about half of the columns of a shop system's export, and keeps those only. */
const keepsHalf: KeptColumns = { kept: [0, 2, 4, 6, 8, 10, 12, 14, 16], width: 18 }

type ReadRows = (
  readBytes: ReadBytes,
  from: { bytes: number; row: number },
  delimiter: string,
  columns?: KeptColumns,
) => AsyncIterable<Pick<Row, 'cells' | 'fault'>>

const checkouts = checkoutsToCompare()
const good = repeated(
  (n) =>
    `${n},ext-${n},#${n},2026-01-01T09:30:00Z,customer-${n}@example.com,Ada Example,"Example Street ${n % 200}, 2nd ""floor""",Berlin,10115,DE,EUR,94.85,Rain jacket,RJ-42,1,89.90,TRACK${n},dhl\n`,
  goodMb,
)
/** The shortest rows that cannot be split: each costs the same, and there are the most of them in a megabyte. */
const faulty = repeated(() => 'a"\n', faultyMb)
/** A row whose quote is never closed, among others. */
const opened = Buffer.from(`1,a\n2,"b\n${'3,c\n'.repeat(1_000)}`)

console.log(`Node ${process.version}, ${cpus().length} cores, ${goodMb} MB of good rows, ${faultyMb} MB of faulty ones`)
console.log('\nProcessor time per megabyte')
printTable(['checkout', 'file', 'rows', 'CPU seconds per MB', 'times the first'], await compareCheckouts())
console.log('\nSplitting the same good file')
printTable(['splitter', 'rows per second', 'CPU seconds per MB', 'times csv-parse'], await compareSplitters())
console.log('\nFaulty rows in one parser, and what it finds in a file with a quote that is never closed')
printTable(['splitter', 'CPU seconds per MB', 'times csv-parse', 'good rows found'], await compareRecovery())

async function compareRecovery(): Promise<string[][]> {
  const readRows = await readerOf(checkouts[1])
  const options = { skip_records_with_error: true }
  const contestants: Contestant[] = [
    { name: 'csv-parse, skip_records_with_error', file: faulty, read: async () => parse(faulty, options).length },
    { name: 'ours', file: faulty, read: () => countRows(readRows, faulty, true) },
  ]
  const measured = await inTurns(contestants)
  const first = measured[0]?.cpuSeconds ?? Number.NaN
  let found = 0
  for await (const { fault } of readRows(reading(opened), { bytes: 0, row: 1 }, ','))
    if (fault === undefined) found += 1
  const good = [parse(opened, options).length, found]
  return contestants.map(({ name, file }, index) => {
    const { cpuSeconds } = measured[index] ?? { cpuSeconds: Number.NaN }
    return [name, perMb(cpuSeconds, file), (cpuSeconds / first).toFixed(2), `${good[index]} of 1001`]
  })
}

interface Contestant {
  name: string
  file: Buffer
  /** Returns the number of rows. */
  read(): Promise<number>
}

interface Measured {
  rows: number
  cpuSeconds: number
}

async function compareCheckouts(): Promise<string[][]> {
  const readers = await Promise.all(
    checkouts.map(async (checkout) => ({ checkout, readRows: await readerOf(checkout) })),
  )
  const found: string[][] = []
  for (const [what, file] of [
    ['good', good],
    ['faulty', faulty],
  ] as const) {
    const contestants = readers.map(({ checkout, readRows }) => ({
      name: checkout.name,
      file,
      read: () => countRows(readRows, file, what === 'faulty'),
    }))
    const measured = await inTurns(contestants)
    const first = measured[0]?.cpuSeconds ?? Number.NaN
    for (const [index, { name }] of contestants.entries()) {
      const { rows, cpuSeconds } = measured[index] ?? { rows: 0, cpuSeconds: Number.NaN }
      found.push([name, what, String(rows), perMb(cpuSeconds, file), (cpuSeconds / first).toFixed(4)])
    }
  }
  return found
}

async function compareSplitters(): Promise<string[][]> {
  const readRows = await readerOf(checkouts[1])
  const ours: string[][] = []
  for await (const { cells } of readRows(reading(good), { bytes: 0, row: 1 }, ',')) ours.push(cells)
  if (JSON.stringify(ours) !== JSON.stringify(parse(good))) throw new Error('the splitters found different values')
  console.log(`Both give the same ${ours.length} rows.`)
  const contestants: Contestant[] = [
    // Its fastest way: the whole file at once, without options.
    { name: 'csv-parse, whole file', file: good, read: async () => parse(good).length },
    { name: 'ours, all values', file: good, read: () => countRows(readRows, good, false) },
    {
      name: 'ours, half of the values, as an import',
      file: good,
      read: () => countRows(readRows, good, false, keepsHalf),
    },
  ]
  const measured = await inTurns(contestants)
  const first = measured[0]?.cpuSeconds ?? Number.NaN
  return contestants.map(({ name, file }, index) => {
    const { rows, cpuSeconds } = measured[index] ?? { rows: 0, cpuSeconds: Number.NaN }
    return [name, (rows / cpuSeconds).toFixed(0), perMb(cpuSeconds, file), (cpuSeconds / first).toFixed(2)]
  })
}

async function readerOf({ program }: Checkout): Promise<ReadRows> {
  const folder = program === undefined ? dirname(import.meta.dirname) : dirname(dirname(program))
  const { href } = pathToFileURL(join(folder, 'src/orders/imports/read-rows.ts'))
  return ((await import(href)) as { readRows: ReadRows }).readRows
}

/** Fails if a row is not what it should be: its rate would mean nothing. */
async function countRows(readRows: ReadRows, file: Buffer, isFaulty: boolean, columns?: KeptColumns): Promise<number> {
  let count = 0
  for await (const { fault } of readRows(reading(file), { bytes: 0, row: 1 }, ',', columns)) {
    if ((fault !== undefined) !== isFaulty) throw new Error(`row ${count + 1}: ${fault ?? 'no fault'}`)
    count += 1
  }
  return count
}

/** The median of each; they alternate, so that other load affects all alike. The first round is not counted. */
async function inTurns(contestants: Contestant[]): Promise<Measured[]> {
  const times = contestants.map((): number[] => [])
  const rows = contestants.map(() => 0)
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { read }] of contestants.entries()) {
      const start = process.cpuUsage()
      rows[index] = await read()
      const { user, system } = process.cpuUsage(start)
      if (round > 0) times[index]?.push((user + system) / 1e6)
    }
  }
  return contestants.map((_, index) => ({ rows: rows[index] ?? 0, cpuSeconds: median(times[index] ?? []) }))
}

function reading(file: Buffer): ReadBytes {
  return async function* (from) {
    for (let at = from; at < file.length; at += pieceBytes) yield file.subarray(at, at + pieceBytes)
  }
}

function repeated(rowOf: (n: number) => string, megabytes: number): Buffer {
  const rows: string[] = []
  for (let n = 0, bytes = 0; bytes < megabytes * 1e6; n += 1) {
    const row = rowOf(n)
    rows.push(row)
    bytes += row.length
  }
  return Buffer.from(rows.join(''))
}

function perMb(cpuSeconds: number, file: Buffer): string {
  return (cpuSeconds / (file.length / 1e6)).toFixed(3)
}
