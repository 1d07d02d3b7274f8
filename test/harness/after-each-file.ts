import { afterAll } from 'vitest'
import { clock } from './clock.ts'
import { logLines } from './log-lines.ts'

// The files of a test process share its clock and its log: each one finds them as they were.
afterAll(() => {
  clock.reset()
  logLines.length = 0
})
