/** Long work of the processor that yields wherever it can pause. */
export type Steps<Result> = Generator<void, Result>

/** How long other requests may wait for one part of it. */
const sliceMs = 3
/** A request takes several turns of the event loop, which would all wait for a part if the next one followed at once. */
const turnsBetween = 5
const pauseMs = 3

/** Does it all at once. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs it in slices, between which all other work can run. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const endsAt = performance.now() + sliceMs
    do {
      const { done, value } = steps.next()
      if (done) return value
    } while (performance.now() < endsAt)
    for (let turn = 0; turn < turnsBetween; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Work that cannot pause, after one for others. */
export function* inOneStep<Result>(work: () => Result): Steps<Result> {
  yield
  return work()
}
