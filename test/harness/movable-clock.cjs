// @ts-check
// Loaded into a process of the service before anything else, so that its parent can move its clock: forward, as if time
// had passed (timers that are due within that time run at once), or by setting the clock of the machine, either way.
const { performance } = require('node:perf_hooks')

let movedMs = 0
let setByMs = 0

const RealDate = Date
const now = () => RealDate.now() + movedMs + setByMs
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

const realPerformanceNow = performance.now.bind(performance)
performance.now = () => realPerformanceNow() + movedMs

/** @type {Map<NodeJS.Timeout, { dueMs: number, run: () => void }>} */
const pending = new Map()
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis

/** @param {(...given: unknown[]) => void} callback @param {number} [ms] @param {unknown[]} given */
function setMovableTimeout(callback, ms = 0, ...given) {
  const run = () => {
    pending.delete(timer)
    callback(...given)
  }
  const timer = realSetTimeout(run, ms)
  pending.set(timer, { dueMs: performance.now() + ms, run })
  return timer
}

/** @param {NodeJS.Timeout} timer */
function clearMovableTimeout(timer) {
  pending.delete(timer)
  realClearTimeout(timer)
}

Object.assign(globalThis, { setTimeout: setMovableTimeout, clearTimeout: clearMovableTimeout })

process.on('message', (/** @type {{ advance?: number, set?: number }} */ { advance = 0, set = 0 }) => {
  movedMs += advance
  setByMs += set
  const due = [...pending].filter(([, { dueMs }]) => dueMs <= performance.now())
  for (const [timer, { run }] of due) {
    realClearTimeout(timer)
    run()
  }
  process.send?.('moved')
})
// The channel to the parent must not keep the process alive.
process.channel?.unref()
