import { onTestFinished, vi } from 'vitest'
import { SendWindow } from '../../src/platform/foundation/send-window.ts'
import { FeedReaders } from '../../src/webhooks/event-feed/feed-readers.ts'

/**
 * Until the end of the test, waiting for a provider's limit or for events of a feed takes no time: the monotonic clock
 * moves forward instead.
 */
export function skipWaits(): void {
  const realNow = performance.now.bind(performance)
  let movedMs = 0
  const { reserve } = SendWindow.prototype
  const { begin } = FeedReaders.prototype
  const spies = [
    vi.spyOn(performance, 'now').mockImplementation(() => realNow() + movedMs),
    vi.spyOn(SendWindow.prototype, 'reserve').mockImplementation(function (this: SendWindow, nowMs) {
      movedMs += reserve.call(this, nowMs)
      return 0
    }),
    vi.spyOn(FeedReaders.prototype, 'begin').mockImplementation(function (this: FeedReaders, context) {
      return Object.assign(Object.create(begin.call(this, context)), {
        async wait(_position: number, ms: number) {
          movedMs += ms
        },
      })
    }),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
}
