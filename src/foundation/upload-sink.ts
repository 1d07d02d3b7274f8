import type { ShopContext } from './context.ts'

/** Takes the file of an operation as it arrives, however large it is, and keeps it until the operation is handled. */
export interface FileKeeper {
  /** Reads the bytes to their end; where they break off, nothing is left behind. */
  keep(context: ShopContext, filename: string, bytes: AsyncIterable<Uint8Array>): Promise<KeptFile>
  /** The operation was not carried out: what was kept for it goes. */
  discard(context: ShopContext, kept: KeptFile): Promise<void>
}

/** A file that has arrived; its keeper knows it by the id. */
export interface KeptFile {
  id: string
  sizeBytes: number
  sha256: string
}
