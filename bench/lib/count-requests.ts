import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Told by the parent: answer when so many more requests have come. */
export interface CountUpTo {
  count: number
}

/** When the first of them came, and the last. */
export interface Counted {
  firstAt: number
  at: number
}

// Another company's server, in a process of its own: it takes every request, and tells when all have come.
let seen = 0
let firstAt = 0
let wanted = Number.POSITIVE_INFINITY
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200).end()
    seen += 1
    if (seen === 1) firstAt = Date.now()
    if (seen === wanted) process.send?.({ firstAt, at: Date.now() } satisfies Counted)
  })
})
process.on('message', ({ count }: CountUpTo) => {
  seen = 0
  wanted = count
  process.send?.({ isCounting: true })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a path
  process.send?.({ port })
})

// A parent that is gone has no use for it.
process.on('disconnect', () => process.exit())
