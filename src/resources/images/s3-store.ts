import { AwsClient } from 'aws4fetch'
import type { S3Config } from '../../config.ts'
import { secondMs } from '../../foundation/clock.ts'
import { sha256 } from '../../foundation/crypto.ts'
import type { ImageStore } from './image-storage.ts'

/** Images in a bucket, addressed by path (`endpoint/bucket/key`), which every S3-compatible store understands. */
export function createS3Store(config: S3Config, timeoutMs = 20 * secondMs): ImageStore {
  const client = new AwsClient({
    accessKeyId: config.accessKeyId,
    secretAccessKey: config.secretAccessKey,
    region: config.region,
    service: 's3',
    // Stores return 503 when they are busy. Every call here is idempotent.
    retries: 2,
  })
  const send = (method: string, key: string, body?: Uint8Array, headers: Record<string, string> = {}) =>
    client.fetch(`${config.endpoint}/${config.bucket}/${encodeURIComponent(key)}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': sha256(body ?? '').toString('hex') },
      ...(body ? { body } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })

  return {
    async put(key, bytes, mediaType) {
      const response = await send('PUT', key, bytes, { 'content-type': mediaType })
      if (!response.ok) throw await failure('PUT', key, response)
      await response.arrayBuffer()
    },
    async get(key) {
      const response = await send('GET', key)
      if (response.ok) return new Uint8Array(await response.arrayBuffer())
      const problem = await failure('GET', key, response)
      if (response.status === 404 && problem.code !== 'NoSuchBucket') return undefined
      throw problem
    },
    async delete(key) {
      const response = await send('DELETE', key)
      const problem = response.ok ? undefined : await failure('DELETE', key, response)
      if (problem && (response.status !== 404 || problem.code === 'NoSuchBucket')) throw problem
    },
  }
}

class S3Error extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.name = 'S3Error'
    this.code = code
  }
}

/** Contains only the error code of the response: the rest may repeat the signed request and the access key. */
async function failure(method: string, key: string, response: Response): Promise<S3Error> {
  const code = /<Code>(\w{1,64})<\/Code>/.exec(await response.text())?.[1] ?? 'no code'
  return new S3Error(`the image store responded to ${method} ${key} with ${response.status} (${code})`, code)
}
