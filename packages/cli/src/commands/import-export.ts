import { existsSync, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Client, Schemas } from 'doorstep-client'
import { command } from '../frame/command.ts'
import { CliError, UsageError } from '../frame/errors.ts'
import { exitCodes } from '../frame/exit-codes.ts'
import type { Io } from '../frame/io.ts'
import type { Output } from '../frame/output.ts'
import { Progress, sizeText } from '../frame/progress.ts'
import { readInput } from '../frame/prompt.ts'
import { writeWholeFile } from '../shop-file/write-whole-file.ts'

type Import = Schemas['Import']

const pollMs = 500

export const importOrders = command({
  name: 'import',
  summary: 'Import orders from a CSV file',
  details:
    'The first row names the columns; only order_number is required, and the order export of Shopify is accepted as it is.\n' +
    'Sending the same file again changes nothing. Orders with a problem are skipped and listed by row.\n\n' +
    `Exits with ${exitCodes.different} if there were problems, and with ${exitCodes.rejected} if it ended before the end of the file.`,
  needs: 'shop',
  arguments: [{ name: 'file', summary: 'the CSV file, or - for the standard input', isOptional: true }],
  options: {
    'dry-run': { type: 'boolean', summary: 'Check everything and write nothing' },
    watch: { type: 'string', value: 'ID', summary: 'Show an import that was begun before' },
    cancel: { type: 'string', value: 'ID', summary: 'End an import; what was written stays' },
  },
  examples: [
    { line: 'import orders.csv --dry-run', says: 'What would happen' },
    { line: 'import orders.csv', says: 'Imports it, with progress and a report' },
    { line: 'import --watch 0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d', says: 'Continues to show one after Ctrl+C' },
    { line: 'import --cancel 0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d', says: 'Ends one that is no longer wanted' },
  ],
  async run({ client, shop, arguments: { file }, options, output, io }) {
    if ([file, options.watch, options.cancel].filter((given) => given !== undefined).length !== 1) {
      throw new UsageError('Name a CSV file, or an import with --watch or --cancel.')
    }
    if (options.cancel !== undefined) {
      const ended = await client.post('/v1/shops/{slug}/imports/{import_id}/cancel', {
        params: { path: { slug: shop, import_id: options.cancel } },
      })
      output.result(ended, () => reportText(ended, output))
      return ended.status === 'cancelled' ? exitCodes.ok : exitCodes.different
    }
    const id =
      options.watch ??
      (
        await client.post('/v1/shops/{slug}/imports/orders', {
          params: { path: { slug: shop } },
          body: { file: await openFile(file ?? '-', io), dry_run: options['dry-run'] },
        })
      ).id
    const finished = await untilFinished({ client, output, io }, shop, id)
    output.result(finished, () => reportText(finished, output))
    if (finished.status !== 'completed') return exitCodes.rejected
    return finished.problem_count > 0 ? exitCodes.different : exitCodes.ok
  },
})

export const exportShipments = command({
  name: 'export',
  summary: 'Export shipments as a CSV file',
  details:
    'Without --out, the file is printed. With it, the file appears under its name only when it is complete.\n' +
    'The columns are those of an import. Times are ISO 8601, such as 2026-11-01 or 2026-11-01T09:30:00Z.',
  needs: 'shop',
  options: {
    out: { type: 'string', short: 'o', value: 'FILE', summary: 'Where to write it' },
    force: { type: 'boolean', summary: 'Replace the file if it exists' },
    from: { type: 'string', value: 'TIME', summary: 'Shipments created since then; default: 90 days before the end' },
    to: { type: 'string', value: 'TIME', summary: 'Shipments created before then; default: now' },
    'updated-from': { type: 'string', value: 'TIME', summary: 'Shipments changed since then' },
    'updated-to': { type: 'string', value: 'TIME', summary: 'Shipments changed before then' },
    'no-drafts': { type: 'boolean', summary: 'Leave out shipments without a tracking number' },
  },
  examples: [
    { line: 'export --from 2026-11-01 --out shipments.csv', says: 'Of this month, into a file' },
    { line: 'export | head', says: 'The first rows of the last 90 days' },
  ],
  async run({ client, shop, options, output, io, signal }) {
    const { out, force } = options
    if (out !== undefined && existsSync(out) && !force) {
      throw new UsageError(`${out} exists already.`, 'Replace it with --force, or name another file with --out.')
    }
    const query = {
      ...(options.from === undefined ? {} : { created_from: options.from }),
      ...(options.to === undefined ? {} : { created_to: options.to }),
      ...(options['updated-from'] === undefined ? {} : { updated_from: options['updated-from'] }),
      ...(options['updated-to'] === undefined ? {} : { updated_to: options['updated-to'] }),
      ...(options['no-drafts'] ? { include_drafts: false } : {}),
    }
    const { response } = await client.raw.GET('/v1/shops/{slug}/exports/shipments.csv', {
      params: { path: { slug: shop }, query },
      parseAs: 'stream',
      signal,
    })
    const file = new ReceivedFile(response, new Progress(io, out !== undefined && !output.isJson), signal)
    if (out === undefined) {
      const decoder = new TextDecoder()
      for await (const chunk of file.chunks()) output.raw(decoder.decode(chunk, { stream: true }))
      return
    }
    await writeWholeFile(out, file.chunks())
    const { bytes, rows } = file
    output.result(
      { file: out, rows, bytes },
      `Wrote ${rows} ${rows === 1 ? 'row' : 'rows'} (${sizeText(bytes)}) to ${out}`,
    )
  },
})

/** A file that is being received. An incomplete one ends with an error: the service aborts the connection. */
class ReceivedFile {
  bytes = 0
  /** Without the row of titles. A line break in a value counts as a row, which only makes a file look longer. */
  rows = -1
  readonly #response: Response
  readonly #progress: Progress
  readonly #signal: AbortSignal

  constructor(response: Response, progress: Progress, signal: AbortSignal) {
    this.#response = response
    this.#progress = progress
    this.#signal = signal
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#response.body ?? []) {
        const part = chunk as Uint8Array // a body consists of bytes
        this.bytes += part.length
        for (const byte of part) if (byte === lineFeed) this.rows += 1
        this.#progress.count(`${Math.max(0, this.rows)} rows, ${sizeText(this.bytes)}`)
        yield part
      }
    } catch (error) {
      this.#signal.throwIfAborted()
      throw new CliError(
        'The export broke off before its end, and is not complete. Run it again.',
        {},
        { cause: error },
      )
    } finally {
      this.#progress.end()
    }
  }
}

const lineFeed = 10

async function openFile(path: string, io: Io): Promise<File> {
  if (path === '-') return new File([await readInput(io)], 'stdin.csv', { type: 'text/csv' })
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`)
  return new File([await openAsBlob(path)], basename(path), { type: 'text/csv' })
}

async function untilFinished(
  { client, output, io }: { client: Client; output: Output; io: Io },
  shop: string,
  id: string,
): Promise<Import> {
  const progress = new Progress(io, !output.isJson)
  const path = { slug: shop, import_id: id }
  try {
    for (;;) {
      const found = await client.get('/v1/shops/{slug}/imports/{import_id}', { params: { path } })
      if (found.status !== 'queued' && found.status !== 'running') return found
      progress.show(found.bytes_read, found.size_bytes, `${found.rows} rows, ${found.problem_count} problems`)
      await io.wait(pollMs)
    }
  } catch (error) {
    progress.end()
    if (io.signal.aborted) output.note(`The import goes on: doorstep import --shop ${shop} --watch ${id}`)
    throw error
  } finally {
    progress.end()
  }
}

function reportText(done: Import, output: Output): string {
  const counts = `${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged, ${done.failed} with problems`
  const lines = [outcomeText(done), `${done.rows} rows. Orders: ${counts}.`]
  if (done.ignored_columns.length > 0) lines.push(`Columns that are not known: ${done.ignored_columns.join(', ')}`)
  if (done.problems.length > 0) {
    const rows = done.problems.map(({ row, column, value, message }) => [
      String(row),
      column ?? '',
      value ?? '',
      message,
    ])
    lines.push('', output.table(['ROW', 'COLUMN', 'VALUE', 'PROBLEM'], rows))
  }
  const left = done.problem_count - done.problems.length
  if (left > 0) lines.push(`… and ${left} more`)
  return lines.join('\n')
}

function outcomeText({ filename, status, reason, dry_run }: Import): string {
  if (status === 'completed') {
    return dry_run ? `${filename} would be imported, and nothing was written.` : `${filename} was imported.`
  }
  const kept = dry_run ? 'Nothing was written.' : 'What was written until then stays.'
  if (status === 'cancelled') return `The import of ${filename} was cancelled. ${kept}`
  const what = status === 'set_aside' ? 'was set aside' : 'failed'
  return [`The import of ${filename} ${what}. ${kept}`, reason].filter(Boolean).join('\n')
}
