/** More beats notice the end of the time sooner, fewer cost less. */
const beats = 20

/**
 * Calls back after so much time in which the event loop was free to read what had arrived; returns how to cancel it. A timer of
 * the usual kind ends first after a long computation, such as loading all modules, and blames a server that has long
 * responded: here such a computation counts as one beat of twenty.
 */
export function afterFreeTime(ms: number, act: () => void): () => void {
  let left = beats
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    act()
  }, ms / beats)
  return () => clearInterval(timer)
}
