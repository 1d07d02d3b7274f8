import type { AppliedMigration, StoredSequence } from '../../platform/store/store-contents.ts'

/** The kind of archive that a backup is. */
export const backupKind = 'backup'

/** The first entry of a backup: what is in it, and which schema its rows have. */
export interface Manifest {
  createdAt: string
  engine: 'embedded' | 'postgres'
  migrations: AppliedMigration[]
  sequences: StoredSequence[]
  hasImages: boolean
  hasKey: boolean
  /** The fingerprint of the encryption key that its secrets need; undefined if the store was never started. */
  keyFingerprint: string | undefined
  /** Of all keys that values are encrypted with, separated by commas. */
  keysInUse?: string | undefined
}

/** The last entry: what has to be there after a restore. */
export interface Summary {
  /** Rows by table. */
  rows: Record<string, number>
  images: number
  /** Images with a row but without bytes: deleted while the backup ran. */
  missingImages: number
}

export const entryNames = {
  manifest: 'manifest',
  key: 'encryption-key',
  table: 'table/',
  image: 'image/',
  summary: 'summary',
} as const

/** The reason why a command of this area cannot do its work, for people. */
export class BackupError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BackupError'
  }
}
