import type { Call } from './service.ts'

export interface FormPart {
  name: string
  content: string | Uint8Array
  /** Present for a file. */
  filename?: string
  contentType?: string
}

/** A multipart form as a call sends it; its parts are sent in this order. */
export function multipart(parts: readonly FormPart[]): Pick<Call, 'payload' | 'headers'> {
  const boundary = 'part-of-a-test-form'
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`),
    Buffer.from(part.content),
    Buffer.from('\r\n'),
  ])
  return {
    payload: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

function headersOf(part: FormPart): string {
  const filename = part.filename === undefined ? '' : `; filename="${part.filename}"`
  const disposition = `Content-Disposition: form-data; name="${part.name}"${filename}`
  return part.contentType === undefined ? disposition : `${disposition}\r\nContent-Type: ${part.contentType}`
}
