import { command } from '../frame/command.ts'
import { CliError } from '../frame/errors.ts'
import type { BackupSummary, CheckedBackup, RestoredStore } from '../frame/io.ts'
import { serverOf } from './server.ts'

const unencrypted = {
  type: 'boolean',
  summary: 'Accept a file that is not encrypted although BACKUP_PASSPHRASE is set',
} as const
const fileArgument = { name: 'file', summary: 'The file of the backup' } as const

export const backup = command({
  name: 'backup',
  summary: 'Write a backup of the whole store to a file',
  details:
    'On the machine of the server, with the same environment, while the service runs. The file has everything as it is at one\n' +
    'moment, and can be restored to PostgreSQL and to the embedded store. BACKUP_PASSPHRASE encrypts it.\n\n' +
    'The encryption key is left out unless --with-key is given: without it, credentials in the backup cannot be read.',
  needs: 'nothing',
  arguments: [fileArgument],
  options: {
    'without-images': { type: 'boolean', summary: 'Leave out uploaded images' },
    'with-key': { type: 'boolean', summary: 'Include the encryption key; needs BACKUP_PASSPHRASE' },
    check: { type: 'boolean', summary: 'Write nothing, but verify that the file is complete and intact' },
    unencrypted: {
      ...unencrypted,
      summary: 'With --check: accept a file that is not encrypted although BACKUP_PASSPHRASE is set',
    },
  },
  examples: [
    { line: 'backup doorstep.backup', says: 'Everything but the encryption key' },
    { line: 'backup doorstep.backup --without-images', says: 'Rows only, if images are copied otherwise' },
    { line: 'backup doorstep.backup --check', says: 'Read a file and verify every byte of it' },
  ],
  async run({ arguments: { file }, options, io, output }) {
    const server = serverOf(io)
    if (options.check) {
      const checked = await server
        .checkBackup(file, { acceptsUnencrypted: options.unencrypted })
        .catch(explained('The backup cannot be used.'))
      output.result(checked, `The file is complete and intact.\n${describe(checked)}`)
      return undefined
    }
    const report = await server
      .backUp(file, { withImages: !options['without-images'], withKey: options['with-key'] })
      .catch(explained('No backup was written.'))
    const { bytes, isEncrypted, hasKey, hasImages, summary } = report
    output.result(
      report,
      [
        `Wrote ${file} (${megabytes(bytes)}), ${isEncrypted ? 'encrypted' : 'not encrypted'}.`,
        `  rows            ${rowsOf(summary)}`,
        `  images          ${hasImages ? imagesOf(summary) : 'left out'}`,
        `  encryption key  ${hasKey ? 'included' : 'left out: keep a copy of it elsewhere'}`,
      ].join('\n'),
    )
    return undefined
  },
})

export const restore = command({
  name: 'restore',
  summary: 'Fill the store from a backup',
  details:
    'Stop the service first. DATABASE_URL or DATA_DIR names the store, which has to be empty. The whole file is verified before\n' +
    'anything is changed, and a restore that fails changes nothing. A backup of an older version is brought up to date.\n\n' +
    'If BACKUP_PASSPHRASE is set, a file that is not encrypted is rejected: anybody may have written it. --unencrypted accepts it.',
  needs: 'nothing',
  arguments: [fileArgument],
  options: { replace: { type: 'boolean', summary: 'Delete what the store has' }, unencrypted },
  examples: [
    { line: 'restore doorstep.backup', says: 'Into an empty store' },
    { line: 'restore doorstep.backup --replace', says: 'Instead of what the store has' },
  ],
  async run({ arguments: { file }, options, io, output }) {
    const restored = await serverOf(io)
      .restore(file, { replace: options.replace, acceptsUnencrypted: options.unencrypted })
      .catch(explained('Nothing was restored.'))
    output.result(restored, `The store is restored.\n${describe(restored)}\n${keyText(restored)}`)
    return undefined
  },
})

export const moveStore = command({
  name: 'move-store',
  summary: 'Copy the store to PostgreSQL, or from it to the embedded store',
  details:
    'Stop the service first. DATABASE_URL or DATA_DIR names the store that is copied; it stays as it is. The target has to be\n' +
    'empty. Images stay in S3; those in DATA_DIR, and the encryption key there, come along to another folder.',
  needs: 'nothing',
  options: {
    to: {
      type: 'string',
      value: 'ADDRESS',
      isRequired: true,
      summary: 'postgres://user:password@host/database, or a folder',
    },
  },
  examples: [
    { line: 'move-store --to postgres://doorstep@localhost/doorstep', says: 'From the embedded store to PostgreSQL' },
    { line: 'move-store --to ./data', says: 'Back, with DATABASE_URL set to where the store is' },
  ],
  async run({ options: { to }, io, output }) {
    const moved = await serverOf(io).moveStore(to).catch(explained('Nothing was moved.'))
    const next =
      moved.setting === 'DATABASE_URL'
        ? 'Set DATABASE_URL to that address and start the service.'
        : `Set DATA_DIR=${to}, without DATABASE_URL, and start the service.`
    output.result(moved, `The store was copied, and its rows counted there: ${rowsOf(moved.summary)}.\n${next}`)
    return undefined
  },
})

function explained(what: string): (cause: unknown) => never {
  return (cause) => {
    throw new CliError(`${what} ${(cause as Error).message}`, {}, { cause }) // the server throws nothing else
  }
}

function describe({ isEncrypted, manifest, summary }: CheckedBackup): string {
  return [
    `  the file is     ${isEncrypted ? 'encrypted with BACKUP_PASSPHRASE' : 'not encrypted: anybody may have written it'}`,
    `  made            ${manifest.createdAt}, ${manifest.engine === 'postgres' ? 'from PostgreSQL' : 'from an embedded store'}`,
    `  rows            ${rowsOf(summary)}`,
    `  images          ${manifest.hasImages ? imagesOf(summary) : 'not in the file'}`,
    `  encryption key  ${manifest.hasKey ? 'in the file' : 'not in the file'}`,
  ].join('\n')
}

function keyText({ key }: RestoredStore): string {
  if (key === 'written') return 'The encryption key was written to DATA_DIR/encryption-key.'
  if (key === 'there') return 'The encryption key of this installation fits.'
  return 'The encryption key is missing: set ENCRYPTION_KEY, or put the file encryption-key into DATA_DIR, before the service is started.'
}

function rowsOf({ rows }: BackupSummary): string {
  const counts = Object.values(rows)
  const total = counts.reduce((sum, count) => sum + count, 0)
  return `${total.toLocaleString('en')} in ${counts.length} tables`
}

function imagesOf({ images, missingImages }: BackupSummary): string {
  const missing = missingImages === 0 ? '' : `, ${missingImages} without a file`
  return `${images.toLocaleString('en')}${missing}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
