import { homedir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Io, ServerCommands } from './frame/io.ts'

/** The process as a command sees it: the only reader of the environment. */
export function processIo(server: ServerCommands): Io {
  const interrupted = new AbortController()
  process.on('SIGINT', () => {
    // The first one ends the running command; a second one does not wait for it.
    if (interrupted.signal.aborted) process.exit(130)
    interrupted.abort()
  })
  process.on('SIGTERM', () => interrupted.abort())
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // `doorstep deliveries list | head`: the reader has seen enough.
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  }
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: process.env,
    home: homedir(),
    signal: interrupted.signal,
    now: () => new Date(),
    wait: (ms) => setTimeout(ms, undefined, { signal: interrupted.signal }),
    server,
  }
}
