import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Told by the parent: answer when so many more requests have come. */
export interface CountUpTo {
  count: number
  /** So many of them come first, while their sender is still warming up. */
  ahead?: number
}

/** When the last of those came that go ahead, and the last of all. */
export interface Counted {
  from: number
  at: number
}

// Another company's server, in a process of its own: it takes every request, and tells when all have come.
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
process.on('message', (told: CountUpTo) => {
  seen = 0
  ahead = told.ahead ?? 0
  wanted = told.count
  process.send?.({ isCounting: true })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a path
  process.send?.({ port })
})

// A parent that is gone has no use for it.
process.on('disconnect', () => process.exit())
