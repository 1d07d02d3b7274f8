import { describe, expect, it } from 'vitest'
import { type Batch, inBatches } from '../../src/orders/imports/batches.ts'
import { layoutOf } from '../../src/orders/imports/columns.ts'
import { groupRows } from '../../src/orders/imports/group-rows.ts'
import { type ReadBytes, type Row, readRows } from '../../src/orders/imports/read-rows.ts'
import { importFile } from '../harness/imports.ts'
import { makeShop } from '../harness/shop.ts'

const open = async () => (await makeShop()).as('editor')
const chunkBytes = 256 * 1024

/** Reads a file in chunks, and counts how often and how much is read. */
function fileOf(text: string) {
  const bytes = Buffer.from(text)
  const counts = { opened: 0, bytes: 0 }
  async function* readBytes(from: number) {
    counts.opened += 1
    for (let at = from; at < bytes.length; at += chunkBytes) {
      const piece = bytes.subarray(at, at + chunkBytes)
      counts.bytes += piece.length
      yield piece
    }
  }
  return { readBytes, counts, size: bytes.length }
}

async function rowsOf(text: string, header = ['order_number']): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of readRows(fileOf(text).readBytes, { bytes: 0, row: 1 }, ',', layoutOf(header))) rows.push(row)
  return rows
}

async function batchesOf(file: string | ReadBytes, header: string[], unreadable = 0): Promise<Batch[]> {
  const layout = layoutOf(header)
  const readBytes = typeof file === 'string' ? fileOf(file).readBytes : file
  const rows = readRows(readBytes, { bytes: 0, row: 2 }, ',', layout)
  const batches: Batch[] = []
  for await (const batch of inBatches(groupRows(rows, layout), { bytes: 0, row: 2 }, unreadable)) batches.push(batch)
  return batches
}

describe('a file of faulty rows', () => {
  it('is read once, however many there are', async () => {
    for (const line of ['x"y\n', '"x"y\n', '"open,\n', `${','.repeat(1_000)}\n`]) {
      const { readBytes, counts, size } = fileOf(line.repeat(5_000))
      let faults = 0
      for await (const row of readRows(readBytes, { bytes: 0, row: 1 }, ',')) if (row.fault !== undefined) faults += 1
      expect({ ...counts, faults }, line.slice(0, 20)).toEqual({ opened: 1, bytes: size, faults: 5_000 })
    }
  })

  it('keeps nothing of a long line but its fault', async () => {
    const rows = await rowsOf(`1\n${','.repeat(3_000_000)}\n2\n"${'x'.repeat(2_000_000)}\n3\n${'"'}`)
    expect(rows.map(({ number, cells, fault }) => [number, fault ?? cells])).toEqual([
      [1, ['1']],
      [2, 'has more than 1,000 values'],
      [3, ['2']],
      [4, expect.stringContaining('longer than a megabyte')],
      [5, ['3']],
      [6, expect.stringContaining('never closed')],
    ])
  })

  it('ends after a thousand in a row, and reports why', async () => {
    const shop = await open()
    const report = await importFile(shop, `order_number\ngood\n${'fau"lty\n'.repeat(5_000)}late\n`)
    expect(report).toMatchObject({
      status: 'failed',
      rows: 1_001,
      created: 1,
      failed: 1_000,
      problem_count: 1_000,
      reason: expect.stringMatching(/^The 1,000 rows up to row 1002 could not be read/),
      finished_at: expect.any(String),
    })
    expect(report.bytes_read).toBe('order_number\ngood\n'.length + 1_000 * 'fau"lty\n'.length)
    const [listed] = (await shop.get('/imports')).body
    expect(listed).toMatchObject({ id: report.id, status: 'failed', reason: report.reason })
  })

  it('is imported if there is always a good one among them', async () => {
    const shop = await open()
    const csv = `order_number,zip_code\n${Array.from({ length: 4 }, (_, n) => `${'fau"lty\n'.repeat(999)}good${n},10115\n`).join('')}`
    expect(await importFile(shop, csv)).toMatchObject({ status: 'completed', created: 4, failed: 3_996, reason: null })
  })

  it('is counted on by the worker that resumes', async () => {
    const [batch, ...others] = await batchesOf('x"y\n'.repeat(600), ['order_number'], 400)
    expect(others).toEqual([])
    expect(batch).toMatchObject({ unreadable: 1_000, isLast: true, next: { row: 602 } })
    const continued = await batchesOf(`${'x"y\n'.repeat(599)}good\n`, ['order_number'], 400)
    expect(continued.at(-1)).toMatchObject({ unreadable: 0, isLast: true })
  })
})

describe('a file with very many columns', () => {
  it('fails as a whole if its header names more than a thousand', async () => {
    const report = await importFile(await open(), `order_number${','.repeat(999_000)}\n1\n`)
    expect(report).toMatchObject({
      status: 'failed',
      rows: 0,
      reason: expect.stringContaining('more than 1,000 values'),
      problems: [{ row: 1, message: report.reason }],
    })
    const thousand = `order_number${Array.from({ length: 999 }, (_, n) => `,x${n}`).join('')}\n1\n`
    expect(await importFile(await open(), thousand)).toMatchObject({ status: 'completed', created: 1 })
  })

  it('has the rows skipped that have a million values', async () => {
    const row = `${','.repeat(1_000_000)}\n`
    const report = await importFile(await open(), `order_number,zip_code\n${row.repeat(5)}last,10115\n`)
    expect(report).toMatchObject({ status: 'completed', rows: 6, created: 1, failed: 5, problem_count: 5 })
    expect(report.problems[0]).toMatchObject({ row: 2, message: 'This row has more than 1,000 values.' })
    const pieces = async function* () {
      for (let count = 0; count < 150; count += 1) yield Buffer.from(row)
    }
    const batches = await batchesOf(pieces, ['order_number'])
    expect(batches).toMatchObject([{ rows: 150, keptBytes: 0, unreadable: 150, isLast: true }])
    expect(batches[0]?.groups.flatMap((group) => group.rows.flatMap(({ cells }) => cells))).toEqual([])
  })

  it('has only the values in memory that an import knows', async () => {
    const header = [...Array.from({ length: 400 }, (_, n) => `x${n}`), 'zip_code', ...Array(400).fill('y'), 'order']
    const cells = header.map((name) => (name === 'order' ? '1001' : name === 'zip_code' ? '10115' : 'z'.repeat(900)))
    const [row] = await rowsOf(`${cells.join(',')}\n`, header)
    expect(row).toMatchObject({ cells: ['10115', '1001'], keptBytes: 9, width: 802, hasSurplus: false })
  })

  it('has blank rows left out, and values past the header noticed', async () => {
    const rows = await rowsOf('\n ,\t\n,\u00a0,""\n1,,,\n2,, ,x\n', ['order_number', 'zip_code'])
    expect(rows.map(({ number, cells, hasSurplus }) => [number, cells, hasSurplus])).toEqual([
      [4, ['1', ''], false],
      [5, ['2', ''], true],
    ])
  })
})

describe('a batch', () => {
  it('has a few megabytes at most, however long its values are', async () => {
    const text = Array.from({ length: 60 }, (_, n) => `n${n},${'x'.repeat(700_000)}\n`).join('')
    const batches = await batchesOf(text, ['order_number', 'name'])
    expect(batches.length).toBeGreaterThanOrEqual(10)
    for (const { keptBytes, groups } of batches) {
      expect(keptBytes).toBeLessThan(5_000_000)
      expect(keptBytes).toBe(
        groups.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)).reduce((sum, cell) => sum + cell.length, 0),
      )
    }
    expect(batches.reduce((sum, { groups }) => sum + groups.length, 0)).toBe(60)
  })

  it('is no larger for values that nobody knows', async () => {
    const text = Array.from({ length: 60 }, (_, n) => `n${n},${'x'.repeat(100_000)}\n`).join('')
    const batches = await batchesOf(text, ['order_number', 'notes'])
    expect(batches).toMatchObject([{ isLast: true, rows: 60 }])
    expect(batches[0]?.keptBytes).toBe(170)
  })

  it('has 2,500 rows without an order, and 250 with one', async () => {
    const faulty = await batchesOf(`${'x"y\n'.repeat(900)}1\n`.repeat(3), ['order_number'])
    expect(faulty.map(({ groups }) => groups.length)).toEqual([2_500, 203])
    const good = await batchesOf(Array.from({ length: 300 }, (_, n) => `${n}\n`).join(''), ['order_number'])
    expect(good.map(({ groups }) => groups.length)).toEqual([250, 50])
  })

  it('does not collect the rows of one order without end', async () => {
    const report = await importFile(await open(), `order_number,name\n${`1,${'x'.repeat(900_000)}\n`.repeat(8)}2,Ada\n`)
    expect(report).toMatchObject({ status: 'completed', rows: 9, created: 1, failed: 1 })
    expect(report.problems).toContainEqual(
      expect.objectContaining({ row: 6, column: 'order_number', value: '1', message: 'has more than 4 MB' }),
    )
    const [first] = await batchesOf(`1,${'x'.repeat(900_000)}\n`.repeat(8), ['order_number', 'name'])
    expect(first?.groups).toMatchObject([{ rowCount: 8 }])
    expect(first?.keptBytes).toBeLessThanOrEqual(4_000_000)
  })
})

describe('reading any values', () => {
  /** The same numbers in every run. */
  function* numbers(seed: number): Generator<number, never> {
    for (let state = seed; ; ) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      yield state
    }
  }

  it('returns what was written, however it is quoted and split', async () => {
    const random = numbers(7)
    const pick = <Item>(items: readonly Item[]): Item => items[random.next().value % items.length] as Item // not empty
    const parts = ['a', 'ü', '✓', ' ', ',', '"', '""', '\n', '\r\n', '\r', '', 'word']
    for (let round = 0; round < 200; round += 1) {
      const rows = Array.from({ length: 1 + (random.next().value % 6) }, () =>
        Array.from({ length: 1 + (random.next().value % 5) }, () => pick(parts) + pick(parts) + pick(parts)),
      )
      const line = pick(['\n', '\r\n', '\r'])
      const cell = (text: string) =>
        /[",\r\n]/.test(text) || pick([true, false]) ? `"${text.replaceAll('"', '""')}"` : text
      const bytes = Buffer.from(rows.map((cells) => cells.map(cell).join(',')).join(line) + pick(['', line]))
      const pieceBytes = pick([1, 2, 3, 5, 64])
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
      }
      const read: string[][] = []
      for await (const { cells } of readRows(pieces, { bytes: 0, row: 1 }, ',')) read.push(cells)
      // A last row of one empty value without quotes is the end of the file.
      const written = bytes.length === 0 ? [] : rows
      expect(read, JSON.stringify(bytes.toString())).toEqual(
        read.length === written.length - 1 ? written.slice(0, -1) : written,
      )
    }
  })
})
