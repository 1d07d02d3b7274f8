/** Waits, unless the signal aborts: then it rejects with the signal's reason. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** How long to wait before another try: half a second at first, then twice as long each time, and never all callers at once. */
export function backoffMs(failures: number, longestMs: number): number {
  return Math.min(longestMs, 500 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)
}
