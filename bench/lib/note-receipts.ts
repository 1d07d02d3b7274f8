import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message of the parent: record requests from now on. Paths in `hang` never get a response. */
export interface NoteReceipts {
  count: number
  hang: string[]
}

/** The received requests: path, tracking number and time, in milliseconds since the epoch with fractions. */
export interface Receipts {
  receipts: [string, string, number][]
}

// Other companies' servers, in a separate process. Some of them accept a request and never respond.
let receipts: Receipts['receipts'] = []
let wanted = Number.POSITIVE_INFINITY
let hanging = new Set<string>()
const server = createServer((request, response) => {
  const path = request.url ?? ''
  const at = performance.timeOrigin + performance.now()
  if (hanging.has(path)) return
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    response.writeHead(200).end()
    const number = /"tracking_number":"([^"]+)"/.exec(body)?.[1] ?? ''
    receipts.push([path, number, at])
    if (receipts.length === wanted) process.send?.({ receipts } satisfies Receipts)
  })
})
process.on('message', ({ count, hang }: NoteReceipts) => {
  receipts = []
  wanted = count
  hanging = new Set(hang)
  process.send?.({ isCounting: true })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a path
  process.send?.({ port })
})

// Exits with its parent process.
process.on('disconnect', () => process.exit())
