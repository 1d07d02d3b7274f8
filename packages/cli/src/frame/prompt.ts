import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CliError, UsageError } from './errors.ts'
import type { Io } from './io.ts'

/** Whether there is somebody to answer a question. */
export function isInteractive({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

/** The answer to a question on the terminal. A typed secret is not shown. */
export async function ask(io: Io, question: string, { isSecret = false } = {}): Promise<string> {
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!isSecret) io.stderr.write(String(chunk))
      done()
    },
  })
  if (isSecret) io.stderr.write(question)
  const terminal = createInterface({ input: io.stdin, output: echo, terminal: true })
  // In raw mode, Ctrl+C is a character like any other.
  const interrupted = new AbortController()
  terminal.on('SIGINT', () => interrupted.abort())
  try {
    const signal = AbortSignal.any([io.signal, interrupted.signal])
    return (await terminal.question(question, { signal })).trim()
  } finally {
    if (isSecret) io.stderr.write('\n')
    terminal.close()
  }
}

/** Ends the command unless the user agrees, on the terminal or with --yes. */
export async function confirm(io: Io, question: string, isAgreed: boolean): Promise<void> {
  if (isAgreed) return
  if (!isInteractive(io)) throw new UsageError(`${question} Nobody is there to confirm it.`, 'Confirm with --yes.')
  const answer = await ask(io, `${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer)) throw new CliError('Nothing was changed.')
}

/** The option of commands that ask for confirmation. */
export const yesOption = {
  yes: { type: 'boolean', short: 'y', summary: 'Do not ask for confirmation' },
} as const

/** Everything that is piped in. */
export async function readInput({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array)) // a stream of bytes or text
  return Buffer.concat(chunks).toString('utf8')
}
