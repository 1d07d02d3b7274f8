import { Agent, request } from 'undici'

/** The ceiling: the same bodies posted from memory, with nothing accepted, stored or signed. */
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
      const answer = await request(url, {
        method: 'POST',
        dispatcher,
        body: payload,
        headers: { 'content-type': 'application/json' },
      })
      await answer.body.dump()
    }
  }
  Promise.all(Array.from({ length: concurrency }, loop)).then(() => process.send?.({ isDone: true }))
})
process.send?.({ isReady: true })

// A parent that is gone has no use for it.
process.on('disconnect', () => process.exit())
