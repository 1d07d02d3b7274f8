import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { findClosedPort } from './loopback.ts'
import { until } from './patience.ts'
import { type LaunchOptions, launch, type ServiceProcess } from './process.ts'

/** A node of the service that is started again, on its port, whenever it has ended. */
export interface SupervisedNode {
  url: string
  /** Its process now; it may still be starting. */
  current(): ServiceProcess
  /** The processes that its process started to share its port. */
  children(): number[]
  /** Waits until it serves requests. */
  ready(): Promise<void>
  /** Ends it in the regular way and starts it no more. */
  stop(): Promise<void>
}

export async function supervise(
  settings: Record<string, string>,
  options: LaunchOptions = {},
): Promise<SupervisedNode> {
  const port = await findClosedPort()
  const url = `http://127.0.0.1:${port}`
  let isStopped = false
  const begin = (): ServiceProcess => {
    const started = launch({ ...settings, PORT: String(port) }, { ...options, cleanup: () => {} })
    started.ended.then(() => {
      // A moment later, as service managers do: one that cannot start would be started all the time otherwise.
      setTimeout(() => {
        if (!isStopped) running = begin()
      }, 200)
    })
    return started
  }
  let running = begin()
  onTestFinished(async () => {
    isStopped = true
    running.child.kill('SIGKILL')
    await running.ended
  })
  return {
    url,
    current: () => running,
    children: () => childrenOf(running.child.pid ?? 0),
    ready: async () => {
      await until(() =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok || undefined,
          () => undefined,
        ),
      )
    },
    async stop() {
      isStopped = true
      running.child.kill('SIGTERM')
      await running.ended
    },
  }
}

/** Only those that are the service too. */
function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('doorstep.js'))
  } catch {
    return [] // it has ended
  }
}
