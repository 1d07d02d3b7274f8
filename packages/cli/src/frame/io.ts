import type { ClientOptions } from 'doorstep-client'

/** The input and output of a command. The process fills it (environment.ts), and so do tests. */
export interface Io {
  stdout: TextSink
  stderr: TextSink
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  /** The environment's variables. */
  env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  home: string
  /** Aborted by Ctrl+C, and when nobody reads the output any more. */
  signal: AbortSignal
  now(): Date
  /** Rejects when the signal aborts. */
  wait(ms: number): Promise<void>
  /** Calls the service, if not with the global fetch. */
  fetch?: ClientOptions['fetch']
  /** The commands of the server; undefined if the command line runs without one. */
  server?: ServerCommands
}

export interface TextSink {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** The commands that are the server's own: bin/doorstep.js provides them. */
export interface ServerCommands {
  version(): string
  /** Resolves when it runs. */
  start(): Promise<void>
  /** The names of the migrations that were applied. */
  migrate(): Promise<string[]>
  /** Checks the installation on this machine. */
  examine(): Promise<Examination>
  backUp(file: string, options: { withImages: boolean; withKey: boolean }): Promise<BackupReport>
  /** Rejects if the file is not complete and intact. */
  checkBackup(file: string, options: { acceptsUnencrypted: boolean }): Promise<CheckedBackup>
  restore(file: string, options: { replace: boolean; acceptsUnencrypted: boolean }): Promise<RestoredStore>
  moveStore(to: string): Promise<Omit<RestoredStore, 'isEncrypted'> & { setting: string }>
}

/** The result of a backup. */
export interface BackupReport {
  file: string
  bytes: number
  isEncrypted: boolean
  hasKey: boolean
  hasImages: boolean
  summary: BackupSummary
}

export interface BackupSummary {
  rows: Record<string, number>
  images: number
  missingImages: number
}

export interface CheckedBackup {
  isEncrypted: boolean
  manifest: { createdAt: string; engine: string; hasImages: boolean; hasKey: boolean }
  summary: BackupSummary
}

export interface RestoredStore extends CheckedBackup {
  migrated: string[]
  key: 'there' | 'written' | 'missing'
}

export interface Examination {
  findings: Finding[]
  /** The address for customers; undefined if none is set. */
  publicUrl: string | undefined
}

/** One thing that was looked at. */
export interface Finding {
  check: string
  state: 'good' | 'warning' | 'problem'
  message: string
  /** Advice about the problem. */
  advice?: string
}
