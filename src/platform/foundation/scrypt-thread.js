// @ts-check
// Derives one key at a time, in a thread of its own. Plain JavaScript, so that a thread runs it as it is in every build.
import { scryptSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

const port = parentPort
if (port === null) throw new Error('this file runs as a worker thread')

port.on('message', ({ secret, salt, bytes, options }) => {
  try {
    port.postMessage({ key: scryptSync(secret, salt, bytes, options) })
  } catch (error) {
    port.postMessage({ error })
  }
})
