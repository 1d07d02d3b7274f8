import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('../run.js', import.meta.url))

/** A file of this folder in a process of its own; `ready` is its first message. */
export function startProcess(file: string, ...values: string[]): { child: ChildProcess; ready: Promise<unknown> } {
  const child = fork(runner, [fileURLToPath(new URL(file, import.meta.url)), ...values])
  return { child, ready: nextMessage(child) }
}

/** What the process tells next; that it ends instead is an error. */
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

export async function ask(child: ChildProcess, question: object): Promise<unknown> {
  const answer = nextMessage(child)
  child.send(question)
  return answer
}
