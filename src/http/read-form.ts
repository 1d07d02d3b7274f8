import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../platform/foundation/errors.ts'
import { randomText } from '../platform/foundation/ids.ts'
import type { PageFile, PageRequest } from '../platform/foundation/page-route.ts'

export interface FormLimits {
  /** How many files a form may have. */
  files: number
  imageLimitBytes: number
  /** The folder that stores files until the response is sent. */
  folder: string
}

/** The content of a form. Its files exist until it is discarded. */
export interface ReadForm extends Pick<PageRequest, 'form' | 'files'> {
  discard(): Promise<void>
}

/** All files of a form together may be as large as this many of the largest size. */
const largestFiles = 4

/** The fields of a form, and the boundaries between its parts. */
const fieldBytes = 1_000_000
const maxFields = 500

/** A form without files is short: enough for the longest text with every character escaped. */
export const plainFormBytes = 256_000

/** Reads the form of a page, urlencoded or multipart. A file that is too large is marked, and does not fail the rest. */
export async function readForm(request: FastifyRequest, limits: FormLimits): Promise<ReadForm> {
  const nothing = { form: new URLSearchParams(), files: [], discard: async () => {} }
  if (request.method !== 'POST') return nothing
  if (request.body instanceof URLSearchParams) return { ...nothing, form: request.body }
  if (limits.files === 0 || !request.isMultipart()) {
    throw new ApiError('invalid_payload', 'Send the form as a browser does.', { status: 415 })
  }
  const stored: TemporaryFile[] = []
  const discard = async () => void (await Promise.all(stored.splice(0).map((file) => file.close())))
  try {
    return { ...(await readParts(request, limits, stored)), discard }
  } catch (error) {
    await discard()
    // Limits are reported as such; any other error of the parser means a form that is incomplete or malformed.
    if (error instanceof ApiError || /LIMIT|TOO_LARGE/.test((error as { code?: string }).code ?? '')) throw error
    throw invalid(['body'], 'is not a complete form')
  }
}

/** A field that declares itself as JSON was parsed, however deep it is nested. No field of ours is. */
export function textOfField({ fieldname, value }: MultipartValue): string {
  if (typeof value === 'string') return value
  throw invalid(['body', fieldname], 'must be sent as text')
}

async function readParts(
  request: FastifyRequest,
  limits: FormLimits,
  stored: TemporaryFile[],
): Promise<Pick<ReadForm, 'form' | 'files'>> {
  const form = new URLSearchParams()
  const files: PageFile[] = []
  const length = request.headers['content-length']
  const total = { remainingBytes: largestFiles * limits.imageLimitBytes, isAnnounced: length !== undefined }
  rejectIfLarger(Number(length ?? 0), total.remainingBytes + fieldBytes)
  const options = {
    throwFileSizeLimit: false,
    limits: {
      fileSize: limits.imageLimitBytes,
      files: limits.files,
      fields: maxFields,
      parts: maxFields + limits.files,
      fieldSize: fieldBytes / 10,
      headerPairs: 20,
    },
  }
  let remainingFieldBytes = fieldBytes
  for await (const part of request.parts(options)) {
    if (part.type === 'field') {
      const text = textOfField(part)
      remainingFieldBytes -= part.fieldname.length + text.length
      rejectIfLarger(0, remainingFieldBytes)
      form.append(part.fieldname, text)
    } else {
      const file = await storeFile(part, total, limits.folder, stored)
      if (file) files.push(file)
    }
  }
  return { form, files }
}

/** Undefined for an input without a chosen file. A file that is too large is read to its end: other parts follow. */
async function storeFile(
  part: MultipartFile,
  total: { remainingBytes: number; isAnnounced: boolean },
  folder: string,
  stored: TemporaryFile[],
): Promise<PageFile | undefined> {
  let file: TemporaryFile | undefined
  // The parser drops the rest uncounted: without a Content-Length it may never end.
  if (!total.isAnnounced) part.file.once('limit', () => part.file.destroy(tooLarge()))
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    total.remainingBytes -= chunk.length
    rejectIfLarger(0, total.remainingBytes)
    if (file === undefined) {
      file = await TemporaryFile.open(folder)
      stored.push(file)
    }
    await file.append(chunk)
  }
  const { fieldname: field, filename = '', mimetype: mediaType } = part
  if (filename === '' && file === undefined) return undefined
  const isTooLarge = part.file.truncated
  return { field, filename, mediaType, isTooLarge, read: async () => (await file?.read()) ?? Buffer.alloc(0) }
}

function rejectIfLarger(bytes: number, remainingBytes: number): void {
  if (bytes > remainingBytes) throw tooLarge()
}

function tooLarge(): ApiError {
  return new ApiError('invalid_payload', 'The form is larger than this service accepts.', { status: 413 })
}

/**
 * A file for data too large for memory. It is unlinked as soon as it is open: no other process can open it, and it is
 * gone when it is closed or the process ends, even by a crash.
 */
class TemporaryFile {
  readonly #handle: FileHandle
  #sizeBytes = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async open(folder: string): Promise<TemporaryFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomText(24))
    const handle = await open(path, 'wx+', 0o600)
    try {
      await unlink(path)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new TemporaryFile(handle)
  }

  async append(chunk: Uint8Array): Promise<void> {
    let written = 0
    while (written < chunk.length) {
      const { bytesWritten } = await this.#handle.write(chunk, written, chunk.length - written, this.#sizeBytes)
      written += bytesWritten
      this.#sizeBytes += bytesWritten
    }
  }

  /** All that was appended. */
  async read(): Promise<Buffer> {
    const bytes = Buffer.alloc(this.#sizeBytes)
    let position = 0
    while (position < bytes.length) {
      const { bytesRead } = await this.#handle.read(bytes, position, bytes.length - position, position)
      if (bytesRead === 0) throw new Error('a temporary file ended too early')
      position += bytesRead
    }
    return bytes
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
