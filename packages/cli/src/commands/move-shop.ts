import { existsSync, openAsBlob, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { command } from '../frame/command.ts'
import { CliError, UsageError } from '../frame/errors.ts'
import { exitCodes } from '../frame/exit-codes.ts'
import type { Io } from '../frame/io.ts'
import { Progress, sizeText } from '../frame/progress.ts'
import { ask, confirm, isInteractive, yesOption } from '../frame/prompt.ts'
import { writeWholeFile } from '../shop-file/write-whole-file.ts'

const passphraseOption = {
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    summary: 'A file with the passphrase, of 12 characters or more; otherwise it is asked for',
  },
} as const

const slugArgument = { name: 'slug', summary: 'the slug of the shop' } as const
const fileArgument = { name: 'file', summary: 'the file of the shop' } as const

export const shopsExport = command({
  name: 'shops export',
  summary: 'Export a whole shop into an encrypted file',
  details:
    'The file has everything of the shop: rows, images, API keys, credentials, pending deliveries, links to its pages. It can be\n' +
    'imported into any installation of the same version. It appears under its name only when it is complete.\n\n' +
    'With --move, the shop is paused and stays so: writes get 503 with Retry-After, and nothing is sent. It continues where the\n' +
    'file is imported. If that fails, "doorstep shops resume" lets it continue here.',
  needs: 'service',
  arguments: [slugArgument, fileArgument],
  options: {
    move: { type: 'boolean', summary: 'The shop stays paused here, and continues where it is imported' },
    force: { type: 'boolean', summary: 'Replace the file if it exists' },
    ...passphraseOption,
    ...yesOption,
  },
  examples: [
    { line: 'shops export river-and-pine shop.doorstep', says: 'A copy, while the shop goes on' },
    { line: 'shops export river-and-pine shop.doorstep --move', says: 'To continue at another installation' },
  ],
  async run({ client, arguments: { slug, file }, options, output, io, signal }) {
    if (existsSync(file) && !options.force) {
      throw new UsageError(`${file} exists already.`, 'Replace it with --force, or name another file.')
    }
    const passphrase = await readPassphrase(io, options['passphrase-file'])
    if (options.move) await confirm(io, `Pause ${slug} until it is imported elsewhere?`, options.yes)
    const { response } = await client.raw.POST('/v1/shops/{slug}/export', {
      params: { path: { slug } },
      body: { passphrase, move: options.move },
      parseAs: 'stream',
      signal,
    })
    const progress = new Progress(io, !output.isJson)
    let bytes = 0
    await writeWholeFile(
      file,
      received(response, (count) => {
        bytes += count
        progress.count(sizeText(bytes))
      }),
    )
      .catch((cause: unknown) => {
        signal.throwIfAborted()
        const paused = options.move ? ` The shop is paused: export it again, or: doorstep shops resume ${slug}` : ''
        throw new CliError(`The export broke off before its end.${paused}`, {}, { cause })
      })
      .finally(() => progress.end())
    output.result(
      { slug, file, bytes, moved: options.move },
      `Wrote ${file} (${sizeText(bytes)}).${options.move ? ` The shop is paused here. Import the file, or: doorstep shops resume ${slug}` : ''}`,
    )
    return undefined
  },
})

export const shopsImport = command({
  name: 'shops import',
  summary: 'Import a whole shop from the file of an export',
  details:
    'The whole file is verified first. The shop appears when it is complete; an import that fails leaves nothing. A shop that\n' +
    'moves continues at once. A copy is paused, and what was pending in it is not sent, until "doorstep shops resume".',
  needs: 'service',
  arguments: [fileArgument],
  options: {
    'deliver-pending': { type: 'boolean', summary: 'Of a copy: send what was pending once the shop is resumed' },
    'replace-deleted': { type: 'boolean', summary: 'Remove what is left of the same shop, if it was deleted here' },
    ...passphraseOption,
  },
  examples: [{ line: 'shops import shop.doorstep', says: 'At the installation where the shop continues' }],
  async run({ client, arguments: { file }, options, output, io, signal }) {
    if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
    const passphrase = await readPassphrase(io, options['passphrase-file'])
    const { response } = await client.raw.POST('/v1/shop-imports', {
      body: {
        passphrase,
        deliver_pending: options['deliver-pending'],
        replace_deleted: options['replace-deleted'],
        file: new File([await openAsBlob(file)], basename(file)),
      },
      parseAs: 'stream',
      signal,
    })
    const progress = new Progress(io, !output.isJson)
    const lines: string[] = ['']
    const decoder = new TextDecoder()
    try {
      for await (const chunk of received(response, () => undefined)) {
        const [rest = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n')
        lines[lines.length - 1] += rest
        lines.push(...more)
        const last = lines.findLast((line) => line.startsWith('{"rows"'))
        if (last) progress.count(`${(JSON.parse(last) as { rows: number }).rows} rows`)
      }
    } finally {
      progress.end()
    }
    const end = JSON.parse(lines.findLast((line) => line.includes('"status"')) ?? '{}') as ImportEnd
    if (end.status !== 'completed') throw new CliError(`The shop was not imported. ${end.message ?? 'It broke off.'}`)
    const next = end.kind === 'copy' ? ` It is paused. To start it: doorstep shops resume ${end.slug}` : ''
    output.result(end, `Imported ${end.slug}: ${end.rows} rows.${next}`)
    return exitCodes.ok
  },
})

export const shopsResume = command({
  name: 'shops resume',
  summary: 'Let a paused shop continue',
  details: 'Never where a shop was exported with --move and then imported elsewhere: both would send.',
  needs: 'service',
  arguments: [slugArgument],
  options: yesOption,
  examples: [{ line: 'shops resume river-and-pine', says: 'After a move was given up, or to start an imported copy' }],
  async run({ client, arguments: { slug }, options, output, io }) {
    const path = { slug }
    const { reason } = await client.get('/v1/shops/{slug}/pause', { params: { path } })
    if (reason === 'move') {
      await confirm(
        io,
        `${slug} was exported in order to move. Is it certain that it was imported nowhere?`,
        options.yes,
      )
    }
    const state = await client.delete('/v1/shops/{slug}/pause', { params: { path } })
    output.result(state, reason === null ? `${slug} was not paused.` : `${slug} continues.`)
    return undefined
  },
})

/** The last line of an import. */
interface ImportEnd {
  status?: 'completed' | 'failed'
  slug?: string
  kind?: 'move' | 'copy'
  rows?: number
  message?: string
}

async function readPassphrase(io: Io, file: string | undefined): Promise<string> {
  if (file !== undefined) {
    if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
    return readFileSync(file, 'utf8').trim()
  }
  if (!isInteractive(io)) throw new UsageError('Nobody is there to type the passphrase.', 'Use --passphrase-file.')
  return ask(io, 'Passphrase of the file: ', { isSecret: true })
}

async function* received(response: Response, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of response.body ?? []) {
    const part = chunk as Uint8Array // a body consists of bytes
    count(part.length)
    yield part
  }
}
