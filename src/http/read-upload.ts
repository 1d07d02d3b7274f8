import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { minuteMs } from '../platform/foundation/clock.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { ApiError, invalid } from '../platform/foundation/errors.ts'
import type { StoredUpload, UploadSink } from '../platform/foundation/upload-sink.ts'
import { textOfField } from './read-form.ts'

/** The other parts of a form, and the boundaries between them. */
const formBytes = 100_000

/** A connection without data for this long is dead. */
const silenceMs = 2 * minuteMs

/** Reads a form and passes its file to the sink as it arrives; fields may come before or after the file. */
export async function readUpload(
  request: FastifyRequest,
  file: string,
  uploadSink: UploadSink,
  limitBytes: number,
): Promise<{ value: Record<string, unknown>; storedUpload: StoredUpload | undefined }> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes + formBytes) throw tooLarge(limitBytes)
  const context = request.operationContext as ShopContext // every operation with a sink belongs to a shop
  const value: Record<string, unknown> = {}
  let storedUpload: StoredUpload | undefined
  let sinkError: unknown
  request.raw.setTimeout?.(silenceMs, () => request.raw.destroy())
  try {
    for await (const part of request.parts({ limits: { fileSize: limitBytes } })) {
      if (part.type === 'field') value[part.fieldname] = textOfField(part)
      else if (part.fieldname !== file) part.file.resume()
      else
        storedUpload = await uploadSink.store(context, part.filename, bytesOf(part, limitBytes)).catch((error) => {
          sinkError = error
          throw error
        })
    }
    return { value, storedUpload }
  } catch (error) {
    if (storedUpload) await uploadSink.discard(context, storedUpload)
    // The rest is read and dropped: a client that is still sending does not read the response.
    request.raw.resume()
    if (error === sinkError || error instanceof ApiError || /LIMIT/.test((error as { code?: string }).code ?? ''))
      throw error
    throw incomplete()
  }
}

async function* bytesOf(part: MultipartFile, limitBytes: number): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of part.file as AsyncIterable<Buffer>) yield chunk
  } catch {
    throw incomplete()
  }
  if (part.file.truncated) throw tooLarge(limitBytes)
}

function incomplete(): ApiError {
  return invalid(['body'], 'is not a complete multipart form')
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('invalid_payload', `The file is larger than the limit of ${limitBytes} bytes.`, {
    status: 413,
  })
}
