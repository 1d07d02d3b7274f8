import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Cleanup, makeFolder } from './process.ts'

/** A disk of a few megabytes that a test can fill. */
export interface SmallDisk {
  folder: string
  /** Takes all space that is left. */
  fill(): void
  free(): void
}

/** Undefined if this user may not mount anything. */
export function mountSmallDisk(megabytes: number, cleanup: Cleanup): SmallDisk | undefined {
  const folder = makeFolder(cleanup)
  const options = `size=${megabytes}m,mode=0777`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0) return undefined
  cleanup(async () => void spawnSync('umount', ['-l', folder]))
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      for (const size of [1_048_576, 4_096]) {
        try {
          for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break
        } catch {
          // Full.
        }
      }
      closeSync(file)
    },
    free: () => rmSync(ballast, { force: true }),
  }
}
