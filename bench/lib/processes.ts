import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('../run.js', import.meta.url))

/** Runs a file of this folder in a separate process; `ready` is its first message. */
export function startProcess(file: string, ...values: string[]): { child: ChildProcess; ready: Promise<unknown> } {
  return startProcessOn(process.execPath, file, ...values)
}

/** The same on another Node. */
export function startProcessOn(
  node: string,
  file: string,
  ...values: string[]
): { child: ChildProcess; ready: Promise<unknown> } {
  const options = node === process.execPath ? {} : { execPath: node, execArgv: [] }
  const child = fork(runner, [fileURLToPath(new URL(file, import.meta.url)), ...values], options)
  return { child, ready: nextMessage(child) }
}

/** The next message of the process. It is an error if the process ends instead. */
export function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off('exit', onExit)
      resolve(message)
    }
    const onExit = (code: number | null) => {
      child.off('message', onMessage)
      reject(new Error(`a process of the benchmark ended with ${code}`))
    }
    child.once('message', onMessage).once('exit', onExit)
  })
}

export async function sendAndWait(child: ChildProcess, message: object): Promise<unknown> {
  const reply = nextMessage(child)
  child.send(message)
  return reply
}
