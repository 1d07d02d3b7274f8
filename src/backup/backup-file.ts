import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ArchiveEntry } from '../foundation/archive/format.ts'
import { openArchive } from '../foundation/archive/read.ts'
import { writeArchive } from '../foundation/archive/write.ts'
import { BackupError, backupKind, entryNames, type Manifest, type Summary } from './contents.ts'

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

/** The entries of a backup, to be read once. */
export async function readBackupFile(
  path: string,
  passphrase: string | undefined,
): Promise<AsyncIterable<ArchiveEntry>> {
  const { header, entries } = await openArchive(createReadStream(path), passphrase)
  if (header.kind !== backupKind)
    throw new BackupError(`The file is no backup, but an archive of the kind ${header.kind}.`)
  return entries
}

/** Reads the whole file and verifies every byte of it. */
export async function checkBackupFile(
  path: string,
  passphrase: string | undefined,
): Promise<{ manifest: Manifest; summary: Summary }> {
  const found = new Map<string, unknown>()
  for await (const { name, content } of await readBackupFile(path, passphrase)) {
    if (name !== entryNames.manifest && name !== entryNames.summary) continue
    const parts: Uint8Array[] = []
    for await (const piece of content) parts.push(piece)
    found.set(name, JSON.parse(Buffer.concat(parts).toString('utf8')))
  }
  const manifest = found.get(entryNames.manifest) as Manifest | undefined
  const summary = found.get(entryNames.summary) as Summary | undefined
  if (!manifest || !summary) throw new BackupError('The file is no complete backup.')
  return { manifest, summary }
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
