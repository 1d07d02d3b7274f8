import type { ShopContext } from './context.ts'

/** Takes the file of an operation as it arrives, however large it is, and keeps it until the operation is handled. */
export interface UploadSink {
  /** Reads the bytes to their end; where they break off, nothing is left behind. */
  keep(context: ShopContext, filename: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredUpload>
  /** The operation was not carried out: what was kept for it goes. */
  discard(context: ShopContext, kept: StoredUpload): Promise<void>
}

/** A file that has arrived; its uploadSink knows it by the id. */
export interface StoredUpload {
  id: string
  sizeBytes: number
  sha256: string
}
