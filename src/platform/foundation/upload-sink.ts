import type { ShopContext } from './context.ts'

/** Stores the file of an operation as it arrives, however large it is, until the operation is handled. */
export interface UploadSink {
  /** Default: IMPORT_LIMIT. */
  limitBytes?: number
  /** Reads the bytes to their end. If they break off, nothing of them stays stored. */
  store(context: ShopContext, filename: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredUpload>
  /** Removes the upload of an operation that was not handled. */
  discard(context: ShopContext, upload: StoredUpload): Promise<void>
}

/** A file that has arrived; the sink finds it by the id. */
export interface StoredUpload {
  id: string
  sizeBytes: number
  sha256: string
}
