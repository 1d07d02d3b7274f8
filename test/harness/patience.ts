/** How long a test waits for anything. A busy machine is slow, and no test is about how long something takes. */
export const patienceMs = 180_000

/** Looks a few times per second until there is something. */
export async function until<Value>(find: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`nothing came within ${patienceMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Waits until a list that grows has so many items. */
export async function untilThereAre(count: number, items: { length: number }, what: string): Promise<void> {
  await until(() => (items.length < count ? undefined : true)).catch(() => {
    throw new Error(`only ${items.length} of ${count} ${what} came`)
  })
}

export async function within<Value>(promised: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not happen within ${patienceMs} ms`)), patienceMs)
  })
  return Promise.race([promised, tooLate]).finally(() => clearTimeout(timer))
}
