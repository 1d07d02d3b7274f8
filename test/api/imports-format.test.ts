import { describe, expect, it } from 'vitest'
import { type Row, readRows } from '../../src/orders/imports/read-rows.ts'
import { importFile } from '../harness/imports.ts'
import { readOrder } from '../harness/orders.ts'
import { makeShop } from '../harness/shop.ts'

const open = async () => (await makeShop()).as('editor')

describe('CSV file', () => {
  it.each([
    ['commas', ',', '\n', ''],
    ['semicolons', ';', '\r\n', ''],
    ['tabs', '\t', '\n', ''],
    ['a byte order mark', ',', '\r\n', '\ufeff'],
    ['carriage returns alone', ';', '\r', '\ufeff'],
  ])('may have %s', async (_what, delimiter, newline, mark) => {
    const shop = await open()
    const lines = [
      ['order_number', 'Zip Code', 'city', 'name'],
      ['1', '10115', '"Berlin, Mitte; here\tand there"', 'Ada'],
      ['2', '01069', '"""quoted"" and\r\non two lines"', 'Žofie Å'],
      ['3', '20095', '""', ''],
    ]
    const csv = mark + lines.map((cells) => cells.join(delimiter)).join(newline)
    expect(await importFile(shop, csv)).toMatchObject({ created: 3, problems: [], ignored_columns: [] })
    expect((await readOrder(shop, '1')).address).toEqual({
      zip_code: '10115',
      city: 'Berlin, Mitte; here\tand there',
      name: 'Ada',
    })
    expect((await readOrder(shop, '2')).address).toEqual({
      zip_code: '01069',
      city: '"quoted" and\r\non two lines',
      name: 'Žofie Å',
    })
    expect((await readOrder(shop, '3')).address).toEqual({ zip_code: '20095' })
  })

  it('may have quoted names, blank rows, short rows and blanks around values', async () => {
    const shop = await open()
    const csv = '\ufeff"Order-Number" , "zip_code",email\r\n\r\n 1 , 10115 ,a@example.com\r\n,,\r\n2\r\n'
    // A blank before a quote is an error in the header only.
    expect((await importFile(shop, csv)).status).toBe('failed')
    expect(await importFile(shop, csv.replaceAll(' , "', ',"'))).toMatchObject({ rows: 2, created: 2, problems: [] })
    expect(await readOrder(shop, '1')).toMatchObject({ email_id: 'a@example.com', address: { zip_code: '10115' } })
  })

  it('is read except for a row with a broken quote', async () => {
    const shop = await open()
    const csv = [
      'order_number,zip_code,city',
      '1,10115,Berlin',
      '2,10115,"never closed',
      '3,10115,"fine"',
      '4,10115,5" pipe',
      '5,10115,"fine" not',
      '6,10115,fine',
      '7,10115,"never closed either',
      '8,10115,fine',
      '',
    ].join('\n')
    const report = await importFile(shop, csv)
    expect(report).toMatchObject({ rows: 8, created: 4, failed: 4 })
    expect(report.problems.map(({ row }: { row: number }) => row)).toEqual([3, 5, 6, 8])
    expect(report.problems[0]).toMatchObject({ column: null, message: expect.stringContaining('quote') })
  })

  it('that is not UTF-8 has its faulty rows reported', async () => {
    const shop = await open()
    const csv = Buffer.from('order_number,zip_code,name\n1,10115,M\u00fcller\n2,10115,Ada\n', 'latin1')
    expect(await importFile(shop, csv)).toMatchObject({
      created: 1,
      problems: [{ row: 2, column: 'name', message: expect.stringContaining('UTF-8') }],
    })
  })

  it('loses the apostrophe that keeps a spreadsheet from calculating', async () => {
    const shop = await open()
    await importFile(shop, "order_number,zip_code,phone,name\n1,10115,'+49 30 1234567,'t Hart\n")
    expect((await readOrder(shop, '1')).address).toMatchObject({ phone: '+49 30 1234567', name: "'t Hart" })
  })

  it('may have an order with too many rows, which fails without affecting the others', async () => {
    const shop = await open()
    const csv = `order_number,zip_code,product_title\n${'1,10115,Socks\n'.repeat(2_100)}2,10115,Hat\n`
    expect(await importFile(shop, csv)).toMatchObject({ rows: 2_101, created: 1, failed: 1 })
  })
})

describe('reading rows', () => {
  const text =
    '\ufefforder,note\r\n1,"a ""quoted"" note\r\nof two lines"\r\n\r\n2,"broken" here\r\n3,Ünïcode – ✓\r\n4,"open\r\n5,end'

  async function read(pieceBytes: number, from = { bytes: 0, row: 1 }): Promise<Row[]> {
    const bytes = Buffer.from(text)
    const rows: Row[] = []
    const pieces = async function* (start: number) {
      for (let at = start; at < bytes.length; at += pieceBytes)
        yield bytes.subarray(at, Math.min(at + pieceBytes, bytes.length))
    }
    for await (const row of readRows(pieces, from, ',')) rows.push(row)
    return rows
  }

  it('reads the same however the bytes are split', async () => {
    const whole = await read(10_000)
    expect(whole.map(({ number, cells, fault }) => [number, fault === undefined ? cells : 'fault'])).toEqual([
      [1, ['order', 'note']],
      [2, ['1', 'a "quoted" note\r\nof two lines']],
      [3, ['']],
      [4, 'fault'],
      [5, ['3', 'Ünïcode – ✓']],
      [6, 'fault'],
      [7, ['5', 'end']],
    ])
    for (const pieceBytes of [3, 4, 5, 7, 11, 64]) expect(await read(pieceBytes)).toEqual(whole)
  })

  it('resumes from the end of any row with the same result', async () => {
    const whole = await read(10_000)
    for (const [index, { endsAt, number }] of whole.entries()) {
      expect(await read(9, { bytes: endsAt, row: number + 1 })).toEqual(whole.slice(index + 1))
    }
  })
})
