import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../foundation/errors.ts'
import type { PageFile, PageRequest } from '../foundation/page-route.ts'
import { TemporaryFile } from './temporary-file.ts'

export interface FormLimits {
  /** How many files a form may bring. */
  files: number
  imageLimitBytes: number
  /** Where files wait for their page. */
  folder: string
}

/** What a form brings. Its files are there until it is discarded. */
export interface ReadForm extends Pick<PageRequest, 'form' | 'files'> {
  discard(): Promise<void>
}

/** All files of a form together may be as large as this many that are as large as one may be. */
const largestFiles = 4

/** The fields of a form, and the lines between its parts. */
const fieldBytes = 1_000_000
const mostFields = 500

/** A form without files is short: the longest text that one takes, with every character written as an escape, and more. */
export const plainFormBytes = 256_000

/** What the form of a page brings, urlencoded or multipart. A file that is too large is told of, and does not fail the rest. */
export async function readForm(request: FastifyRequest, limits: FormLimits): Promise<ReadForm> {
  const nothing = { form: new URLSearchParams(), files: [], discard: async () => {} }
  if (request.method !== 'POST') return nothing
  if (request.body instanceof URLSearchParams) return { ...nothing, form: request.body }
  if (limits.files === 0 || !request.isMultipart()) {
    throw new ApiError('invalid_payload', 'Send the form as a browser does.', { status: 415 })
  }
  const kept: TemporaryFile[] = []
  const discard = async () => void (await Promise.all(kept.splice(0).map((file) => file.close())))
  try {
    return { ...(await readParts(request, limits, kept)), discard }
  } catch (error) {
    await discard()
    // Limits are reported as such; whatever else the parser says is about a form that breaks off or is none.
    if (error instanceof ApiError || /LIMIT|TOO_LARGE/.test((error as { code?: string }).code ?? '')) throw error
    throw invalid(['body'], 'is not a complete form')
  }
}

async function readParts(
  request: FastifyRequest,
  limits: FormLimits,
  kept: TemporaryFile[],
): Promise<Pick<ReadForm, 'form' | 'files'>> {
  const form = new URLSearchParams()
  const files: PageFile[] = []
  const length = request.headers['content-length']
  const total = { leftBytes: largestFiles * limits.imageLimitBytes, isAnnounced: length !== undefined }
  refuseIfLarger(Number(length ?? 0), total.leftBytes + fieldBytes)
  const options = {
    throwFileSizeLimit: false,
    limits: {
      fileSize: limits.imageLimitBytes,
      files: limits.files,
      fields: mostFields,
      parts: mostFields + limits.files,
      fieldSize: fieldBytes / 10,
      headerPairs: 20,
    },
  }
  let leftOfFields = fieldBytes
  for await (const part of request.parts(options)) {
    if (part.type === 'field') {
      leftOfFields -= part.fieldname.length + String(part.value).length
      refuseIfLarger(0, leftOfFields)
      form.append(part.fieldname, String(part.value))
    } else {
      const file = await keepFile(part, total, limits.folder, kept)
      if (file) files.push(file)
    }
  }
  return { form, files }
}

/** Undefined for an input that nothing was chosen in. One that is too large is read to its end: what follows is wanted. */
async function keepFile(
  part: MultipartFile,
  total: { leftBytes: number; isAnnounced: boolean },
  folder: string,
  kept: TemporaryFile[],
): Promise<PageFile | undefined> {
  let file: TemporaryFile | undefined
  // The parser throws the rest away uncounted: without an announced length there may be no end to it.
  if (!total.isAnnounced) part.file.once('limit', () => part.file.destroy(tooLarge()))
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    total.leftBytes -= chunk.length
    refuseIfLarger(0, total.leftBytes)
    if (file === undefined) {
      file = await TemporaryFile.open(folder)
      kept.push(file)
    }
    await file.append(chunk)
  }
  const { fieldname: field, filename = '', mimetype: mediaType } = part
  if (filename === '' && file === undefined) return undefined
  const isTooLarge = part.file.truncated
  return { field, filename, mediaType, isTooLarge, read: async () => (await file?.read()) ?? Buffer.alloc(0) }
}

function refuseIfLarger(bytes: number, leftBytes: number): void {
  if (bytes > leftBytes) throw tooLarge()
}

function tooLarge(): ApiError {
  return new ApiError('invalid_payload', 'The form is larger than this service accepts.', { status: 413 })
}
