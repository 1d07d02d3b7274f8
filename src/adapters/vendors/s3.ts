import { AwsClient } from 'aws4fetch'
import { sha256 } from '../../platform/foundation/crypto.ts'

export interface S3Account {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface S3Request {
  method: string
  bucket: string
  /** Empty: the bucket itself. */
  key?: string
  query?: Record<string, string>
  body?: Uint8Array | undefined
  headers?: Record<string, string>
}

/** Sends signed requests, addressed by path (`endpoint/bucket/key`), which every S3-compatible store understands. */
export function createS3Client(account: S3Account, timeoutMs: number): (request: S3Request) => Promise<Response> {
  const client = new AwsClient({
    accessKeyId: account.accessKeyId,
    secretAccessKey: account.secretAccessKey,
    region: account.region,
    service: 's3',
    // Stores return 503 when they are busy. Every call here may be repeated.
    retries: 2,
  })
  return ({ method, bucket, key = '', query = {}, body, headers = {} }) => {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const search = new URLSearchParams(query).toString()
    return client.fetch(`${account.endpoint}/${bucket}${key === '' ? '' : `/${path}`}${search && `?${search}`}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': sha256(body ?? '').toString('hex') },
      ...(body ? { body } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
  }
}

export class S3Error extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.name = 'S3Error'
    this.code = code
  }
}

/** Contains only the error code of the response: the rest may repeat the signed request and the access key. */
export async function s3Failure(store: string, method: string, key: string, response: Response): Promise<S3Error> {
  const code = /<Code>(\w{1,64})<\/Code>/.exec(await response.text())?.[1] ?? 'no code'
  return new S3Error(`${store} responded to ${method} ${key} with ${response.status} (${code})`, code)
}
