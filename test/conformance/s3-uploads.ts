import { createHash } from 'node:crypto'

interface UploadRequest {
  method: string
  path: string
  query: URLSearchParams
  body: Buffer
}

interface UploadReply {
  status: number
  content: string
  headers?: Record<string, string>
}

/** Every part but the last has at least this size. */
const minPartBytes = 5 * 1_048_576
/** S3 lists a thousand keys at a time; less here, so that a test needs few. */
const keysPerList = 2

/** Uploads in parts: CreateMultipartUpload, UploadPart, CompleteMultipartUpload, AbortMultipartUpload. */
export class S3Uploads {
  readonly open = new Map<string, { path: string; parts: Map<number, Buffer> }>()
  readonly #keep: (path: string, bytes: Buffer) => void
  #begun = 0

  constructor(keep: (path: string, bytes: Buffer) => void) {
    this.#keep = keep
  }

  handle({ method, path, query, body }: UploadRequest): UploadReply {
    if (method === 'POST' && query.has('uploads')) return this.#begin(path)
    const id = query.get('uploadId') ?? ''
    const upload = this.open.get(id)
    if (upload === undefined || upload.path !== path) return failure(404, 'NoSuchUpload')
    if (method === 'PUT') {
      const number = Number(query.get('partNumber'))
      if (!Number.isInteger(number) || number < 1 || number > 10_000) return failure(400, 'InvalidArgument')
      upload.parts.set(number, body)
      return { status: 200, content: '', headers: { etag: tagOf(body) } }
    }
    if (method === 'DELETE') {
      this.open.delete(id)
      return { status: 204, content: '' }
    }
    return this.#complete(id, upload, body.toString('utf8'))
  }

  #begin(path: string): UploadReply {
    this.#begun += 1
    const id = `upload/${this.#begun}+=`
    this.open.set(id, { path, parts: new Map() })
    return {
      status: 200,
      content: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    }
  }

  #complete(id: string, { path, parts }: { path: string; parts: Map<number, Buffer> }, document: string): UploadReply {
    const named = [...document.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag><\/Part>/g)]
    if (named.length === 0) return failure(400, 'MalformedXML')
    const bytes: Buffer[] = []
    for (const [index, [, number, tag]] of named.entries()) {
      const part = parts.get(Number(number))
      if (part === undefined || tagOf(part) !== tag) return failure(400, 'InvalidPart')
      if (index > 0 && Number(named[index - 1]?.[1]) >= Number(number)) return failure(400, 'InvalidPartOrder')
      if (index < named.length - 1 && part.length < minPartBytes) return failure(400, 'EntityTooSmall')
      bytes.push(part)
    }
    this.open.delete(id)
    this.#keep(path, Buffer.concat(bytes))
    return { status: 200, content: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' }
  }
}

/** ListObjectsV2: keys in their order, some at a time. */
export function listOf(objects: ReadonlyMap<string, unknown>, bucket: string, query: URLSearchParams): string {
  const after = query.get('start-after') ?? ''
  const keys = [...objects.keys()]
    .map((path) => decodeURIComponent(path.slice(`/${bucket}/`.length)))
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const listed = keys.slice(0, keysPerList).map((key) => `<Contents><Key>${key}</Key></Contents>`)
  return `<ListBucketResult><IsTruncated>${keys.length > keysPerList}</IsTruncated>${listed.join('')}</ListBucketResult>`
}

function failure(status: number, code: string): UploadReply {
  return { status, content: `<Error><Code>${code}</Code></Error>` }
}

function tagOf(part: Buffer): string {
  return `"${createHash('md5').update(part).digest('hex')}"`
}
