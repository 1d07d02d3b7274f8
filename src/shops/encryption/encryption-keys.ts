declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** The source of this installation's encryption keys. */
    readonly encryptionKeys: EncryptionKeySource
  }
}

export interface EncryptionKeySource {
  /** In the setting, which only the operator changes, or in the data folder. */
  source: 'setting' | 'data_folder'
  /** Makes a new key that encrypts from now on; undefined if only the operator can. */
  makeKey: (() => string) | undefined
}
