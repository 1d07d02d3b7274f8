import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DirectoryInUse, lockDirectory, visitOwner } from '../../src/platform/store/embedded/lock.js'
import { makeFolder } from '../harness/process.ts'

const lockModule = new URL('../../src/platform/store/embedded/lock.js', import.meta.url).href

/** Locks the folder in a process of its own, which is killed. */
async function leaveDeadLock(folder: string): Promise<void> {
  const script = `
    const { lockDirectory } = await import('${lockModule}')
    await lockDirectory(process.argv[1])
    process.stdin.resume()
    console.log('locked')`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script, folder])
  await once(owner.stdout, 'data')
  await expect(lockDirectory(folder)).rejects.toThrow(DirectoryInUse)
  owner.kill('SIGKILL')
  await once(owner, 'close')
}

/** How many of those that want it at the same time got it; the others must get the reason why not. */
async function contend(folder: string): Promise<(() => Promise<void>)[]> {
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(folder)))
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DirectoryInUse)
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

describe('lock of a folder', () => {
  it('goes to one of many that want it at once, after its owner was killed too', async () => {
    const folder = makeFolder()
    await leaveDeadLock(folder)
    for (let round = 0; round < 20; round += 1) {
      const [release, ...others] = await contend(folder)
      expect(others).toEqual([])
      expect(release).toBeDefined()
      expect(readdirSync(folder)).toEqual(['lock'])
      await expect(lockDirectory(folder)).rejects.toThrow(DirectoryInUse)
      const visited = await visitOwner(folder)
      expect(visited).toBeDefined()
      visited?.destroy()
      await release?.()
      expect(readdirSync(folder)).toEqual([])
      expect(await visitOwner(folder)).toBeUndefined()
      // As a killed process leaves it: a file that nobody listens on.
      writeFileSync(join(folder, round % 2 === 0 ? 'lock' : 'lock.3'), '')
    }
  })

  it('is not taken from a live owner that has a later name', async () => {
    const folder = makeFolder()
    const release = await lockDirectory(folder)
    // A process that saw a dead lock long ago, and only now takes the next name, gives it up.
    writeFileSync(join(folder, 'lock.1'), '')
    await expect(lockDirectory(folder)).rejects.toThrow(DirectoryInUse)
    await release()
    await (await lockDirectory(folder))()
    expect(readdirSync(folder)).toEqual([])
  })
})
