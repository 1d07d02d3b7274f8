import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ArchiveEntry } from '../../platform/foundation/archive/format.ts'
import { openArchive, shown } from '../../platform/foundation/archive/read.ts'
import { writeArchive } from '../../platform/foundation/archive/write.ts'
import { checkEntries } from './check-entries.ts'
import { BackupError, backupKind, type Manifest, type Summary } from './contents.ts'

/**
 * Writes a backup to a file, which has its name only when it is complete and on the disk. Returns its size.
 * @param cost What trying the passphrase costs, if tests cannot wait for the usual cost.
 */
export async function writeBackupFile(
  path: string,
  entries: AsyncIterable<ArchiveEntry>,
  passphrase: string | undefined,
  cost?: number,
): Promise<number> {
  const unfinished = `${path}.unfinished`
  try {
    await pipeline(
      writeArchive(entries, { kind: backupKind, passphrase, cost }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    )
    await rename(unfinished, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return (await stat(path)).size
}

export interface OpenOptions {
  /** Whether a file that is not encrypted is accepted although there is a passphrase. */
  acceptsUnencrypted: boolean
}

export interface OpenBackup {
  isEncrypted: boolean
  /** To be read once. */
  entries: AsyncIterable<ArchiveEntry>
}

/** Opens a backup. If a passphrase is set, an unencrypted one may be anybody's: the caller has to accept it. */
export async function readBackupFile(
  path: string,
  passphrase: string | undefined,
  { acceptsUnencrypted }: OpenOptions = { acceptsUnencrypted: false },
): Promise<OpenBackup> {
  const bytes = createReadStream(path)
  const { header, entries } = await openArchive(bytes, passphrase)
  const isEncrypted = header.encryption !== undefined
  const isTrusted = isEncrypted || passphrase === undefined || acceptsUnencrypted
  const problem = problemOf(header.kind, isTrusted)
  if (problem === undefined) return { isEncrypted, entries }
  bytes.destroy()
  throw new BackupError(problem)
}

function problemOf(kind: string, isTrusted: boolean): string | undefined {
  if (kind !== backupKind) return `The file is no backup, but an archive of the kind ${shown(kind)}.`
  if (isTrusted) return undefined
  return 'The file is not encrypted although BACKUP_PASSPHRASE is set, so anybody may have written it. If it is yours, use --unencrypted.'
}

export interface CheckedBackup {
  isEncrypted: boolean
  manifest: Manifest
  summary: Summary
}

/** Reads the whole file and verifies every byte of it. */
export async function checkBackupFile(
  path: string,
  passphrase: string | undefined,
  options?: OpenOptions,
): Promise<CheckedBackup> {
  const { isEncrypted, entries } = await readBackupFile(path, passphrase, options)
  let manifest: Manifest | undefined
  let summary: Summary | undefined
  for await (const part of checkEntries(entries)) {
    if (part.kind === 'manifest') manifest = part.manifest
    else if (part.kind === 'summary') summary = part.summary
  }
  if (!manifest || !summary) throw new BackupError('The file is no complete backup.')
  return { isEncrypted, manifest, summary }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
