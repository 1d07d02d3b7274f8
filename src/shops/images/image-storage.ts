declare module '../../platform/foundation/services.ts' {
  interface Services {
    imageStore: ImageStore
  }
}

/** The storage of uploaded images: a folder, or an S3-compatible store. */
export interface ImageStore {
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>
  get(key: string): Promise<Uint8Array | undefined>
  delete(key: string): Promise<void>
}
