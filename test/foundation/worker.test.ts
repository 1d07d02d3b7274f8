import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Context } from '../../src/platform/foundation/context.ts'
import { StepLoop } from '../../src/platform/foundation/step-loop.ts'
import { Worker } from '../../src/platform/workers/worker.ts'

const fake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance'] as const

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...fake] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A step that ends when the test ends it. */
function controlledStep() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const step = vi.fn(() => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })))
  return { step, end: () => ends.shift()?.resolve(), fail: () => ends.shift()?.reject(new Error('failed')) }
}

describe('step loop', () => {
  it('runs one step at a time, and one more for all requests made meanwhile', async () => {
    const { step, end } = controlledStep()
    const loop = new StepLoop({ step, onError: () => {} })
    void loop.run()
    await vi.advanceTimersByTimeAsync(0)
    expect(loop.state).toBe('running')
    const second = loop.run()
    expect(loop.run()).toBe(second)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(step).toHaveBeenCalledTimes(1)
    end()
    await vi.advanceTimersByTimeAsync(0)
    expect(step).toHaveBeenCalledTimes(2)
    end()
    await second
    expect(loop.state).toBe('idle')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(step).toHaveBeenCalledTimes(2)
  })

  it('collects requests before it begins', async () => {
    const step = vi.fn(async () => {})
    const loop = new StepLoop({ step, gatherMs: 25, onError: () => {} })
    void loop.run()
    await vi.advanceTimersByTimeAsync(20)
    void loop.run()
    expect(loop.state).toBe('waiting')
    expect(step).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(5)
    expect(step).toHaveBeenCalledTimes(1)
    expect(loop.isBusy).toBe(false)
  })

  it('backs off after failures, longer each time, and resets after a success', async () => {
    const onError = vi.fn()
    let isBroken = true
    const step = vi.fn(async () => {
      if (isBroken) throw new Error('no store')
    })
    const loop = new StepLoop({ step, onError })
    const timeOf = async () => {
      const from = performance.now()
      const done = loop.run()
      await vi.runAllTimersAsync()
      await done
      return performance.now() - from
    }
    const times: number[] = []
    for (let n = 0; n < 8; n += 1) times.push(await timeOf())
    expect(times).toEqual([0, 100, 200, 400, 500, 500, 500, 500])
    expect(onError).toHaveBeenCalledTimes(8)
    isBroken = false
    expect(await timeOf()).toBe(500)
    expect(await timeOf()).toBe(0)
  })

  it('drops a step that has not begun at the time it is closed', async () => {
    const { step, end } = controlledStep()
    const loop = new StepLoop({ step, gatherMs: 60_000, onError: () => {} })
    const first = loop.run()
    loop.hurry()
    await vi.advanceTimersByTimeAsync(0)
    const second = loop.run()
    loop.close()
    end()
    await Promise.all([first, second, loop.run()])
    expect(step).toHaveBeenCalledTimes(1)
    expect(loop.state).toBe('closed')
  })
})

class TestWorker extends Worker {
  readonly log = { error: vi.fn() }
  readonly calls: string[] = []
  readonly recorder = this.createLoop(async () => void this.calls.push('recorded'), {
    gatherMs: 10,
    finishesOnStop: true,
  })
  sweepOnce = async () => {}

  constructor() {
    // The base class uses only the log.
    super({ name: 'tests', sweepMs: 2_000, context: () => ({ log: this.log }) as unknown as Context })
  }

  work(task: () => Promise<void>): void {
    this.runTask(task)
  }

  remind(delayMs: number): () => void {
    return this.runLater(delayMs, () => void this.calls.push('reminded'))
  }

  protected override async findWork(): Promise<void> {
    this.calls.push('swept')
    await this.sweepOnce()
  }

  protected override async onStopping(): Promise<void> {
    this.calls.push('stopping')
  }

  protected override async onDrained(): Promise<void> {
    this.calls.push('drained')
  }
}

describe('worker', () => {
  it('is stuck once no sweep has succeeded for the given time, and for three times as long as it sweeps', async () => {
    const worker = new TestWorker()
    expect(worker.isStuck(0)).toBe(false)
    worker.sweepOnce = () => new Promise(() => {})
    worker.start()
    await vi.advanceTimersByTimeAsync(5_900)
    expect(worker.isStuck(1_000)).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect([worker.isStuck(1_000), worker.isStuck(10_000)]).toEqual([true, false])
    await vi.advanceTimersByTimeAsync(4_000)
    expect(worker.isStuck(10_000)).toBe(true)
  })

  it('sweeps at its start and every few seconds until it is stopped', async () => {
    const worker = new TestWorker()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([worker.state, worker.calls]).toEqual(['created', []])
    worker.start()
    expect(worker.state).toBe('running')
    await vi.advanceTimersByTimeAsync(4_100)
    expect(worker.calls).toEqual(['swept', 'swept', 'swept'])
    await worker.stop()
    await vi.advanceTimersByTimeAsync(5_000)
    worker.wake()
    await worker.sweep()
    expect(worker.state).toBe('stopped')
    expect(worker.calls.slice(3)).toEqual(['stopping', 'drained'])
    expect(() => worker.start()).toThrow('starts once')
  })

  it('completes work in flight before it stops', async () => {
    const worker = new TestWorker()
    worker.start()
    await vi.advanceTimersByTimeAsync(0)
    const { step, end } = controlledStep()
    worker.work(async () => {
      await step()
      void worker.recorder.run()
    })
    expect(worker.isBusy).toBe(true)
    const stopped = worker.stop()
    expect(worker.stop()).toBe(stopped)
    await vi.advanceTimersByTimeAsync(100)
    expect(worker.state).toBe('stopping')
    end()
    await vi.advanceTimersByTimeAsync(100)
    await stopped
    expect(worker.isBusy).toBe(false)
    expect(worker.calls).toEqual(['swept', 'stopping', 'recorded', 'drained'])
  })

  it('logs failures, and continues', async () => {
    const worker = new TestWorker()
    worker.sweepOnce = async () => {
      throw new Error('no store')
    }
    worker.work(async () => {
      throw new Error('no answer')
    })
    const done = worker.runDue()
    await vi.runAllTimersAsync()
    await done
    const messages = worker.log.error.mock.calls.map(([{ err }, text]) => [(err as Error).message, text])
    expect(messages.toSorted()).toEqual([
      ['no answer', 'tests: a step failed and will be tried again'],
      ['no store', 'tests: a step failed and will be tried again'],
    ])
    expect(worker.isBusy).toBe(false)
  })

  it('drops scheduled work when it stops or is cancelled', async () => {
    const worker = new TestWorker()
    worker.remind(10)
    worker.remind(20)()
    worker.remind(30)
    await vi.advanceTimersByTimeAsync(25)
    await worker.stop()
    worker.remind(5)
    await vi.advanceTimersByTimeAsync(100)
    expect(worker.calls).toEqual(['reminded', 'stopping', 'drained'])
  })
})
