declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** Where the encryption keys of this installation are. */
    readonly encryptionKeys: EncryptionKeySource
  }
}

export interface EncryptionKeySource {
  /** In the setting, which only the operator changes, or in the data folder. */
  source: 'setting' | 'data_folder'
  /** Makes a new key that encrypts from now on; undefined where only the operator can. */
  makeKey: (() => string) | undefined
}
