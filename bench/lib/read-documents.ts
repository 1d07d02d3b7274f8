import { headOf, openSocket } from './networks.ts'

/** Requests for documents, all at once. */
export interface Reading {
  port: number
  path: string
  count: number
}

// In a process of its own, so that reading takes no time from the process that measures. Sends back the number of bytes it has read.
process.on('message', async ({ port, path, count }: Reading) => {
  const lengths = await Promise.all(Array.from({ length: count }, () => read(port, path)))
  process.send?.(lengths.reduce((sum, length) => sum + length, 0))
})
process.send?.('ready')

async function read(port: number, path: string): Promise<number> {
  const socket = await openSocket(port)
  socket.resume().write(headOf('GET', path, { connection: 'close' }))
  await new Promise((resolve) => socket.once('close', resolve))
  return socket.bytesRead
}
