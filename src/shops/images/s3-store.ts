import { createS3Client, type S3Error, s3Failure } from '../../adapters/vendors/s3.ts'
import type { S3Config } from '../../platform/config/accounts.ts'
import { secondMs } from '../../platform/foundation/clock.ts'
import type { ImageStore } from './image-storage.ts'

/** Images in a bucket. */
export function createS3Store(config: S3Config, timeoutMs = 20 * secondMs): ImageStore {
  const call = createS3Client(config, timeoutMs)
  const send = (method: string, key: string, body?: Uint8Array, headers: Record<string, string> = {}) =>
    call({ method, bucket: config.bucket, key, body, headers })

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

function failure(method: string, key: string, response: Response): Promise<S3Error> {
  return s3Failure('the image store', method, key, response)
}
