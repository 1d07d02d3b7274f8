import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message of the parent: reply when that many more requests have arrived. */
export interface CountUpTo {
  count: number
  /** How many of them are warm-up. */
  ahead?: number
}

/** The arrival times of the last warm-up request, and of the last of all. */
export interface Counted {
  from: number
  at: number
}

// Another company's server, in its own process: it accepts every request, and reports when all have arrived.
let seen = 0
let from = 0
let ahead = 0
let wanted = Number.POSITIVE_INFINITY
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200).end()
    seen += 1
    if (seen === ahead) from = Date.now()
    if (seen === wanted) process.send?.({ from, at: Date.now() } satisfies Counted)
  })
})
process.on('message', (message: CountUpTo) => {
  seen = 0
  ahead = message.ahead ?? 0
  wanted = message.count
  process.send?.({ isCounting: true })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a path
  process.send?.({ port })
})

// Exits with its parent process.
process.on('disconnect', () => process.exit())
