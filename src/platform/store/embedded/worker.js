// @ts-check
// The embedded store in a thread of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { exchange, openStore } from './store.js'

const port = parentPort
if (port === null) throw new Error('this file runs as a worker thread')
const database = await openStore(workerData)

port.on('message', async (message) => {
  if (message !== 'close') {
    const response = await exchange(database, message)
    port.postMessage(response, [response.buffer])
    return
  }
  await database.close()
  port.close()
})
port.postMessage('open')
