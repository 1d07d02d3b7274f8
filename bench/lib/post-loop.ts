import { Agent, request } from 'undici'

/** The upper bound: the same bodies posted from memory; nothing is accepted, stored or signed. */
export interface PostLoop {
  url: string
  payload: string
  count: number
}

process.on('message', ({ url, payload, count }: PostLoop) => {
  const concurrency = 32
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1 })
  let left = count
  const loop = async () => {
    while (left > 0) {
      left -= 1
      const response = await request(url, {
        method: 'POST',
        dispatcher,
        body: payload,
        headers: { 'content-type': 'application/json' },
      })
      await response.body.dump()
    }
  }
  Promise.all(Array.from({ length: concurrency }, loop)).then(() => process.send?.({ isDone: true }))
})
process.send?.({ isReady: true })

// Exits with its parent process.
process.on('disconnect', () => process.exit())
