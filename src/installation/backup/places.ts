import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createS3Client, type S3Request, s3Failure } from '../../adapters/vendors/s3.ts'
import type { BackupConfig, S3Config } from '../../platform/config/accounts.ts'
import type { ArchiveEntry } from '../../platform/foundation/archive/format.ts'
import { writeArchive } from '../../platform/foundation/archive/write.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import { makePrivateFolder } from '../../platform/store/private-folder.js'
import { writeBackupFile } from './backup-file.ts'
import { backupKind } from './contents.ts'

/** The place that scheduled backups are kept in. A backup is listed only when it is complete. */
export interface BackupPlace {
  /** Returns its size. */
  write(name: string, entries: AsyncIterable<ArchiveEntry>, passphrase: string | undefined): Promise<number>
  list(): Promise<string[]>
  delete(name: string): Promise<void>
}

export function openPlace(to: NonNullable<BackupConfig['to']>, s3: S3Config | undefined): BackupPlace {
  if ('folder' in to) return createFolderPlace(to.folder)
  if (s3 === undefined) throw new Error('the settings allow no s3:// address without an account')
  return createS3Place(s3, to.bucket, to.prefix)
}

function createFolderPlace(folder: string): BackupPlace {
  return {
    write(name, entries, passphrase) {
      makePrivateFolder(folder)
      return writeBackupFile(join(folder, name), entries, passphrase)
    },
    list: () => readdir(folder),
    delete: (name) => rm(join(folder, name), { force: true }),
  }
}

/** A store accepts 10,000 parts: 160 GB. */
const s3PartBytes = 16_000_000
const store = 'the store of backups'

function createS3Place(account: S3Config, bucket: string, prefix: string): BackupPlace {
  const call = createS3Client(account, 5 * minuteMs)
  const send = async (request: Omit<S3Request, 'bucket'>): Promise<{ text: string; headers: Headers }> => {
    const response = await call({ ...request, bucket })
    if (!response.ok) throw await s3Failure(store, request.method, request.key ?? '', response)
    return { text: await response.text(), headers: response.headers }
  }
  return {
    async write(name, entries, passphrase) {
      const key = `${prefix}${name}`
      const started = await send({ method: 'POST', key, query: { uploads: '' } })
      const uploadId = tagsOf(started.text, 'UploadId')[0] ?? ''
      try {
        const tags: string[] = []
        let size = 0
        for await (const part of partsOf(writeArchive(entries, { kind: backupKind, passphrase }))) {
          const query = { partNumber: String(tags.length + 1), uploadId }
          tags.push((await send({ method: 'PUT', key, query, body: part })).headers.get('etag') ?? '')
          size += part.length
        }
        const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
        const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
        const { text } = await send({ method: 'POST', key, query: { uploadId }, body })
        // A store may fail after it has begun a response with status 200.
        if (text.includes('<Error>')) throw new Error(`${store} could not complete ${key}`)
        return size
      } catch (error) {
        await send({ method: 'DELETE', key, query: { uploadId } }).catch(() => {})
        throw error
      }
    },
    async list() {
      const names: string[] = []
      let after = ''
      for (;;) {
        const query = { 'list-type': '2', prefix, ...(after === '' ? {} : { 'start-after': after }) }
        const { text } = await send({ method: 'GET', query })
        const keys = tagsOf(text, 'Key')
        names.push(...keys.map((key) => key.slice(prefix.length)))
        after = keys.at(-1) ?? ''
        if (after === '' || tagsOf(text, 'IsTruncated')[0] !== 'true') return names
      }
    },
    async delete(name) {
      await send({ method: 'DELETE', key: `${prefix}${name}` })
    },
  }
}

async function* partsOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const piece of source) {
    waiting.push(piece)
    size += piece.length
    if (size < s3PartBytes) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}

function tagsOf(xml: string, tag: string): string[] {
  return xml
    .split(`<${tag}>`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(`</${tag}>`)))
}
