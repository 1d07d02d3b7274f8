import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { invalid, Refusal } from '../foundation/errors.ts'
import type { PageFile, PageRequest } from '../foundation/page-route.ts'

type Brought = Pick<PageRequest, 'form' | 'files'>

/** All files of a form together may be as large as this many that are as large as one may be. */
const largestFiles = 4

/** What the form of a page brings, urlencoded or multipart. A file that is too large is told of, and does not fail the rest. */
export async function readForm(request: FastifyRequest, mostFiles: number, imageLimitBytes: number): Promise<Brought> {
  if (request.method !== 'POST') return { form: new URLSearchParams(), files: [] }
  if (request.body instanceof URLSearchParams) return { form: request.body, files: [] }
  if (mostFiles === 0 || !request.isMultipart()) {
    throw new Refusal('invalid_payload', 'Send the form as a browser does.', { status: 415 })
  }
  try {
    return await readParts(request, mostFiles, imageLimitBytes)
  } catch (error) {
    // Limits are reported as such; whatever else the parser says is about a form that breaks off or is none.
    if (/LIMIT|TOO_LARGE/.test((error as { code?: string }).code ?? '')) throw error
    throw invalid(['body'], 'is not a complete form')
  }
}

async function readParts(request: FastifyRequest, mostFiles: number, imageLimitBytes: number): Promise<Brought> {
  const form = new URLSearchParams()
  const files: PageFile[] = []
  let leftBytes = largestFiles * imageLimitBytes
  const options = {
    throwFileSizeLimit: false,
    limits: { fileSize: imageLimitBytes, files: mostFiles, fields: 500, parts: 500 + mostFiles, fieldSize: 1_000_000 },
  }
  for await (const part of request.parts(options)) {
    if (part.type === 'field') {
      form.append(part.fieldname, String(part.value))
      continue
    }
    const file = await readFile(part, leftBytes)
    leftBytes -= file.bytes.length
    if (file.filename !== '' || file.bytes.length > 0) files.push(file)
  }
  return { form, files }
}

/** Read to its end in any case: what follows it in the form is wanted. */
async function readFile(part: MultipartFile, leftBytes: number): Promise<PageFile> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= leftBytes) chunks.push(chunk)
  }
  const isTooLarge = part.file.truncated || size > leftBytes
  return {
    field: part.fieldname,
    filename: part.filename ?? '',
    mediaType: part.mimetype,
    bytes: isTooLarge ? Buffer.alloc(0) : Buffer.concat(chunks),
    isTooLarge,
  }
}
