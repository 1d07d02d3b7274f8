import { PassThrough } from 'node:stream'
import type { Io, ServerCommands } from '../../packages/cli/src/frame/io.ts'
import { main } from '../../packages/cli/src/main.ts'
import { inject } from './client.ts'
import { newFolder } from './new-folder.ts'
import { clock, superadmin } from './service.ts'
import type { TestShop } from './shop.ts'

export interface CliRun {
  code: number
  stdout: string
  stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what a command printed field by field
  readonly json: any
  /** Of a stream: one document per line. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read each printed line field by field
  readonly lines: any[]
}

export interface CliOptions {
  env?: Record<string, string>
  /** Default: the superadmin. Null: nobody. */
  auth?: { username: string; apiKey: string } | null
  shop?: TestShop
  /** The input: typed or piped. */
  input?: string
  /** Whether input and output are a terminal. */
  isTerminal?: boolean
  /** The user's home folder; default: an empty one. */
  home?: string
  signal?: AbortSignal
  fetch?: Io['fetch']
  /** Commands that it does not have are never called. */
  server?: Partial<ServerCommands>
}

/** Runs a command against the service of this test process: `runCli(['shops', 'list', '--json'])`. */
export async function runCli(argv: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const watched = watchCli(argv, options)
  const code = await watched.code
  const { stdout, stderr } = watched
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout)
    },
    get lines() {
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    },
  }
}

const absent = () => Promise.reject(new Error('this test has no such command of the server'))
const noServer: ServerCommands = {
  version: () => '0',
  start: absent,
  migrate: absent,
  examine: absent,
  backUp: absent,
  checkBackup: absent,
  restore: absent,
  moveStore: absent,
}

/** A command that is still running: its output so far, and its exit code once it ends. */
export class WatchedCli {
  stdout = ''
  stderr = ''
  code: Promise<number>

  constructor(argv: readonly string[], options: CliOptions) {
    const { auth = superadmin, isTerminal = false } = options
    const input = new PassThrough()
    const stdin: Io['stdin'] = input
    stdin.isTTY = isTerminal
    // A person types a line when there is a question; a pipe has everything at once.
    const typed = (options.input ?? '').split(/(?<=\n)/)
    if (!isTerminal) input.end(options.input ?? '')
    this.code = main(argv, {
      stdout: { isTTY: isTerminal, write: (text) => this.#read('stdout', text) },
      stderr: {
        isTTY: isTerminal,
        write: (text) => {
          this.#read('stderr', text)
          if (isTerminal && /[:\]] $/.test(text)) input.write(typed.shift() ?? '')
        },
      },
      stdin,
      env: {
        DOORSTEP_URL: 'http://doorstep.example',
        ...(auth ? { DOORSTEP_USERNAME: auth.username, DOORSTEP_API_KEY: auth.apiKey } : {}),
        ...(options.shop ? { DOORSTEP_SHOP: options.shop.slug } : {}),
        ...options.env,
      },
      home: options.home ?? newFolder(),
      signal: options.signal ?? new AbortController().signal,
      now: () => clock.now(),
      // As fast as the commands can: no test is about how long they wait.
      wait: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        options.signal?.throwIfAborted()
      },
      fetch: options.fetch ?? abortable,
      ...(options.server ? { server: { ...noServer, ...options.server } } : {}),
    })
  }

  #read(stream: 'stdout' | 'stderr', text: string): void {
    this[stream] += text
  }
}

export function watchCli(argv: readonly string[], options: CliOptions = {}): WatchedCli {
  return new WatchedCli(argv, options)
}

/** The service goes on waiting for events after its caller has left, so the call ends here. */
async function abortable(request: Request): Promise<Response> {
  const { signal } = request
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  return Promise.race([inject(request), aborted])
}
