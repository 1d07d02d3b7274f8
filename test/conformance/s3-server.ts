import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listOf, S3Uploads } from './s3-uploads.ts'

export interface S3Credentials {
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface S3Server {
  endpoint: string
  /** Objects by path, with the media type they were stored under. */
  objects: Map<string, { bytes: Buffer; mediaType: string }>
  /** Statuses to return to the next requests, instead of the usual ones. */
  failures: number[]
  /** While true, requests are accepted and never get a response. */
  isSilent: boolean
  requests: number
  /** Uploads in parts that were begun, and neither completed nor aborted. */
  uploads: ReadonlyMap<string, unknown>
  close(): Promise<void>
}

/** An S3 store, with the settings of a service that stores its images there. */
export async function startImageStore(): Promise<{ s3: S3Server; settings: Record<string, string> }> {
  const credentials = { region: 'eu-central-1', accessKeyId: 'ACCESSKEYOFTESTS', secretAccessKey: 'secret-of-tests' }
  const s3 = await startS3Server('pictures', credentials)
  const settings = {
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: 'pictures',
    S3_REGION: credentials.region,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
  return { s3, settings }
}

/** A store with the S3 object protocol for one bucket, which accepts only correctly signed requests. */
export async function startS3Server(bucket: string, credentials: S3Credentials): Promise<S3Server> {
  const server = createServer(async (request, response) => {
    state.requests += 1
    const body = await readAll(request)
    if (state.isSilent) return
    const reply = (status: number, content: string | Buffer = '', mediaType = 'application/xml') =>
      response.writeHead(status, { 'content-type': mediaType }).end(content)
    const replyError = (status: number, code: string) => reply(status, `<Error><Code>${code}</Code></Error>`)
    const failure = state.failures.shift()
    if (failure !== undefined) return replyError(failure, 'SlowDown')
    const problem = findProblem(request, body, credentials)
    if (problem !== undefined) return replyError(403, problem)
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://host')
    if (path.split('/')[1] !== bucket) return replyError(404, 'NoSuchBucket')
    if (query.has('list-type')) return reply(200, listOf(state.objects, bucket, query))
    if (query.has('uploads') || query.has('uploadId')) {
      const { status, content, headers } = uploads.handle({ method: request.method ?? '', path, query, body })
      return response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(content)
    }
    if (request.method === 'PUT') {
      state.objects.set(path, { bytes: body, mediaType: request.headers['content-type'] ?? '' })
      return reply(200)
    }
    if (request.method === 'DELETE') {
      state.objects.delete(path)
      return reply(204)
    }
    const found = state.objects.get(path)
    return found ? reply(200, found.bytes, found.mediaType) : replyError(404, 'NoSuchKey')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const uploads = new S3Uploads((path, bytes) => state.objects.set(path, { bytes, mediaType: '' }))
  const state: S3Server = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    objects: new Map(),
    failures: [],
    isSilent: false,
    requests: 0,
    uploads: uploads.open,
    close: () => close(server),
  }
  return state
}

/** The error code of S3 for a request with a wrong signature, payload or date. */
function findProblem(request: IncomingMessage, body: Buffer, credentials: S3Credentials): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (given === null) return 'AccessDenied'
  const [, accessKeyId = '', day = '', region = '', signedNames = '', signature = ''] = given
  if (accessKeyId !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  const moment = String(request.headers['x-amz-date'])
  const iso = moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (!moment.startsWith(day) || !(Math.abs(Date.now() - Date.parse(iso)) < 15 * 60_000)) return 'RequestTimeTooSkewed'
  const names = signedNames.split(';')
  if (!names.includes('host') || !names.includes('x-amz-date')) return 'AccessDenied'
  const payloadHash = String(request.headers['x-amz-content-sha256'])
  if (payloadHash !== sha256Hex(body)) return 'XAmzContentSHA256Mismatch'
  const url = new URL(request.url ?? '', 'http://host')
  const expected = signatureOf({
    method: request.method ?? '',
    path: url.pathname,
    query: [...url.searchParams]
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .sort()
      .join('&'),
    headers: names.map((name) => [name, String(request.headers[name] ?? '').trim()]),
    payloadHash,
    moment,
    region,
    secretAccessKey: credentials.secretAccessKey,
  })
  return region === credentials.region && signature === expected ? undefined : 'SignatureDoesNotMatch'
}

export interface SignedRequest {
  method: string
  path: string
  query: string
  headers: string[][]
  payloadHash: string
  moment: string
  region: string
  secretAccessKey: string
}

/** AWS Signature Version 4 for S3, implemented from its specification, independently of the service. */
export function signatureOf(request: SignedRequest): string {
  const canonical = [
    request.method,
    request.path,
    request.query,
    ...request.headers.map(([name, value]) => `${name}:${value}`),
    '',
    request.headers.map(([name]) => name).join(';'),
    request.payloadHash,
  ].join('\n')
  const day = request.moment.slice(0, 8)
  const scope = [day, request.region, 's3', 'aws4_request']
  const text = ['AWS4-HMAC-SHA256', request.moment, scope.join('/'), sha256Hex(canonical)].join('\n')
  const key = scope.reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${request.secretAccessKey}`))
  return hmac(key, text).toString('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256Hex(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // a request without an encoding has buffers
  return Buffer.concat(chunks)
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
