import { onTestFinished, vi } from 'vitest'

/**
 * Until the end of the test, waiting for a provider's limit takes no time: the monotonic clock moves forward instead.
 * Such a wait is computed from that clock, so it is not a whole number of milliseconds; other timers are not affected.
 */
export function skipWaits(): void {
  const { setTimeout: realSetTimeout } = globalThis
  const realNow = performance.now.bind(performance)
  let movedMs = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + movedMs)
  const timeout = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: (...given: unknown[]) => void,
    ms = 0,
    ...given: unknown[]
  ) => {
    if (Number.isInteger(ms)) return realSetTimeout(callback, ms, ...given)
    return realSetTimeout(() => {
      movedMs += ms
      callback(...given)
    }, 0)
  }) as typeof setTimeout) // it returns what the real one returns
  onTestFinished(() => {
    timeout.mockRestore()
    now.mockRestore()
  })
}
