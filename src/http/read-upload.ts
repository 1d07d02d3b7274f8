import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { minuteMs } from '../foundation/clock.ts'
import type { ShopContext } from '../foundation/context.ts'
import { ApiError, invalid } from '../foundation/errors.ts'
import type { StoredUpload, UploadSink } from '../foundation/upload-sink.ts'

/** The other parts of a form, and the lines between them. */
const formBytes = 100_000

/** A line on which nothing has come for so long is dead. */
const silenceMs = 2 * minuteMs

/** Reads a form whose file goes to a uploadSink as it arrives; its fields may stand before the file or after it. */
export async function readUpload(
  request: FastifyRequest,
  file: string,
  uploadSink: UploadSink,
  limitBytes: number,
): Promise<{ value: Record<string, unknown>; kept: StoredUpload | undefined }> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes + formBytes) throw tooLarge(limitBytes)
  const context = request.operationContext as ShopContext // a uploadSink's operation is one of a shop
  const value: Record<string, unknown> = {}
  let kept: StoredUpload | undefined
  let keepersTrouble: unknown
  request.raw.setTimeout?.(silenceMs, () => request.raw.destroy())
  try {
    for await (const part of request.parts({ limits: { fileSize: limitBytes } })) {
      if (part.type === 'field') value[part.fieldname] = part.value
      else if (part.fieldname !== file) part.file.resume()
      else
        kept = await uploadSink.keep(context, part.filename, bytesOf(part, limitBytes)).catch((error) => {
          keepersTrouble = error
          throw error
        })
    }
    return { value, kept }
  } catch (error) {
    if (kept) await uploadSink.discard(context, kept)
    // Whatever still comes is read and thrown away: an answer reaches nobody who is busy sending.
    request.raw.resume()
    if (error === keepersTrouble || /LIMIT/.test((error as { code?: string }).code ?? '')) throw error
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
  return new ApiError('invalid_payload', `The file is larger than this service takes, which is ${limitBytes} bytes.`, {
    status: 413,
  })
}
