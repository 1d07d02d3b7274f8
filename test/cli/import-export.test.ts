import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { inject } from '../harness/client.ts'
import { sendImport } from '../harness/imports.ts'
import { newFolder } from '../harness/new-folder.ts'
import { createOrder } from '../harness/orders.ts'
import { makeShop } from '../harness/shop.ts'

const folder = newFolder()

function write(text: string): string {
  const file = join(folder, 'orders.csv')
  writeFileSync(file, text)
  return file
}

const rows = 'order_number,external_id,email_id,zip_code,tracking_number,Notes\n'
const good = 'A-1,x1,a@shop.example,10115,T-1,\n'

describe('doorstep import', () => {
  it('imports a file and reports what became of it', async () => {
    const shop = await makeShop()
    const run = await runCli(['import', write(rows + good)], { shop })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toContain('orders.csv was imported.\n1 rows. Orders: 1 created, 0 updated, 0 unchanged')
    expect(run.stdout).toContain('Columns that are not known: Notes')
    const piped = await runCli(['import', '-', '--json'], { shop, input: rows + good })
    expect(piped.json).toMatchObject({ filename: 'stdin.csv', unchanged: 1, created: 0 })
  })

  it('lists problems by row, with a code of its own, and writes nothing in a dry run', async () => {
    const shop = await makeShop()
    const run = await runCli(['import', write(`${rows}${good}A-2,x2,b@shop.example,-,T-2,\n`), '--dry-run'], {
      shop,
    })
    expect(run.code).toBe(7)
    expect(run.stdout).toContain('orders.csv would be imported, and nothing was written.')
    expect(run.stdout).toMatch(/\n3 +zip_code +- +\S+/)
    expect((await shop.as('viewer').get('/orders')).body).toEqual([])
  })

  it('shows how far it is on a terminal, and only there', async () => {
    const shop = await makeShop()
    const run = await runCli(['import', write(rows + good)], { shop, isTerminal: true, fetch: slowly() })
    expect(run.stderr).toContain('] ')
    expect(run.stderr.endsWith('\r\u001b[K')).toBe(true)
    expect((await runCli(['import', write(rows + good)], { shop, fetch: slowly() })).stderr).toBe('')
  })

  it('says how to continue when it is interrupted', async () => {
    const shop = await makeShop()
    const interrupted = new AbortController()
    const fetch = async (request: Request) => {
      const response = await inject(request)
      if (request.method === 'GET') interrupted.abort()
      return request.method === 'GET'
        ? Response.json({ ...((await response.json()) as object), status: 'running' })
        : response
    }
    const run = await runCli(['import', write(rows + good)], { shop, fetch, signal: interrupted.signal })
    expect(run.code).toBe(130)
    const [, id = ''] = /--watch (\S+)/.exec(run.stderr) ?? []
    expect((await runCli(['import', '--watch', id], { shop })).stdout).toContain('orders.csv was imported.')
  })

  it('cancels an import, and says what became of one that was set aside', async () => {
    const shop = await makeShop()
    const { id } = (await sendImport(shop.as('editor'), rows + good, { dryRun: true })).body
    const pretend = (changes: object) => async (request: Request) =>
      Response.json({ ...((await (await inject(request)).json()) as object), ...changes })
    const cancelled = await runCli(['import', '--cancel', id], { shop, fetch: pretend({ status: 'cancelled' }) })
    expect(cancelled).toMatchObject({ code: 0, stderr: '' })
    expect(cancelled.stdout).toContain('The import of orders.csv was cancelled. Nothing was written.')
    const ended = { status: 'set_aside', dry_run: false, reason: 'It stopped again.' }
    const watched = await runCli(['import', '--watch', id], { shop, fetch: pretend(ended) })
    expect(watched.code).toBe(6)
    expect(watched.stdout).toContain(
      'The import of orders.csv was set aside. What was written until then stays.\nIt stopped again.',
    )
    expect((await runCli(['import', 'orders.csv', '--cancel', id], { shop })).code).toBe(2)
  })

  it('rejects what is no file, and what is none of ours', async () => {
    const shop = await makeShop()
    expect((await runCli(['import', 'nowhere.csv'], { shop })).code).toBe(2)
    expect((await runCli(['import'], { shop })).code).toBe(2)
    expect((await runCli(['import', write('')], { shop })).code).toBe(6)
  })
})

/** An import that is still running at the first query. */
function slowly() {
  let isFirst = true
  return async (request: Request) => {
    const response = await inject(request)
    if (request.method !== 'GET' || !isFirst) return response
    isFirst = false
    return Response.json({ ...((await response.json()) as object), status: 'running', bytes_read: 10 })
  }
}

describe('doorstep export', () => {
  it('prints the file, or writes it', async () => {
    const shop = await makeShop()
    await createOrder(shop.as('editor'), {}, [{ tracking_number: 'T-1', carrier_reference: 'dhl' }])
    const printed = await runCli(['export'], { shop })
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    const out = join(folder, 'shipments.csv')
    const written = await runCli(['export', '--out', out], { shop })
    expect(written.stdout).toMatch(/^Wrote 1 row \([\d.]+ (bytes|kB)\) to /)
    expect(readFileSync(out, 'utf8')).toBe(printed.stdout)
    expect((await runCli(['export', '--out', out], { shop })).code).toBe(2)
    const later = await runCli(
      ['export', '--out', out, '--force', '--from', '2999-01-01', '--to', '2999-02-01', '--json'],
      { shop },
    )
    expect(later.json).toMatchObject({ rows: 0 })
  })

  it('leaves nothing behind if it breaks off', async () => {
    const shop = await makeShop()
    const place = newFolder()
    const broken = async () => {
      const parts = ['order_number\r\n', undefined]
      return new Response(
        new ReadableStream({
          pull(controller) {
            const part = parts.shift()
            if (part === undefined) controller.error(new TypeError('terminated'))
            else controller.enqueue(new TextEncoder().encode(part))
          },
        }),
      )
    }
    const run = await runCli(['export', '--out', join(place, 'shipments.csv')], { shop, fetch: broken })
    expect(run.code).not.toBe(0)
    expect(run.stderr).toContain('broke off')
    expect(existsSync(join(place, 'shipments.csv'))).toBe(false)
    expect(readdirSync(place)).toEqual([])
  })

  it('rejects a time that is none', async () => {
    const shop = await makeShop()
    const run = await runCli(['export', '--from', 'yesterday'], { shop })
    expect([run.code, run.stdout]).toEqual([6, ''])
    expect(run.stderr).toContain('created_from')
  })
})
