import { relative } from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import { clock } from './clock.ts'
import { logLines } from './log-lines.ts'
import { beginFile } from './patience.ts'

const root = new URL('../..', import.meta.url).pathname
const limitMs = beginFile(relative(root, expect.getState().testPath ?? ''))
vi.setConfig({ testTimeout: limitMs, hookTimeout: limitMs })

// The files of a test process share its clock and its log: each one finds them as they were.
afterAll(() => {
  clock.reset()
  logLines.length = 0
})
