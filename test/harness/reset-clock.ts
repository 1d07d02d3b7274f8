import { afterAll } from 'vitest'
import { clock } from './clock.ts'

// The files of a test process share its clock: each one finds it as it was.
afterAll(() => clock.reset())
