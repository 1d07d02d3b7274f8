import { pauseAfter } from '../delivery/queue/retry.ts'
import { defineCache } from '../platform/foundation/caches.ts'
import { after, secondMs } from '../platform/foundation/clock.ts'
import type { Context } from '../platform/foundation/context.ts'
import { Worker } from '../platform/workers/worker.ts'
import { evaluateEvents, toRule } from './evaluate.ts'
import { executeDueRuns } from './execute.ts'
import { RuleSet } from './rules.ts'
import { type DueRun, postponeRun } from './run-store.ts'
import { enabledAutomations } from './store.ts'

export interface AutomationWorkerOptions {
  context: () => Context
  retryBaseMs: number
}

const eventsAtOnce = 200
const runsAtOnce = 50
const sweepMs = 2 * secondMs
/** Automations are not urgent: events that arrive within this time are evaluated together, in one transaction. */
const gatherMs = 25

/**
 * Evaluates events against the automations of their shop, and executes the runs that follow when they are due. One step at
 * a time in this process: both are set-based, and what arrives meanwhile is part of the next step.
 */
export class AutomationWorker extends Worker {
  readonly #retryBaseMs: number
  readonly #steps = this.createLoop(() => this.#step(), { gatherMs })
  /** Shops that may have events to be evaluated. */
  readonly #shops = new Set<string>()
  #mayHaveRuns = false

  constructor({ context, retryBaseMs }: AutomationWorkerOptions) {
    super({ name: 'automations', context, sweepMs })
    this.#retryBaseMs = retryBaseMs
  }

  /** A shop has events for its automations. */
  evaluate(shopId: string): void {
    this.#shops.add(shopId)
    void this.#steps.run()
  }

  /** Finds runs that are due. Events are found by the sweep of deliveries, because they are in the same queue. */
  protected override findWork(): Promise<void> {
    this.#mayHaveRuns = true
    return this.#steps.run()
  }

  /** A shop that fails is not evaluated again before a sweep finds it. */
  async #step(): Promise<void> {
    try {
      for (const shopId of [...this.#shops]) await this.#evaluate(shopId)
      if (this.#mayHaveRuns) await this.#executeRuns()
    } finally {
      if (this.#shops.size > 0 || this.#mayHaveRuns) void this.#steps.run()
    }
  }

  async #evaluate(shopId: string): Promise<void> {
    this.#shops.delete(shopId)
    const { events, isRunDue } = await evaluateEvents(this.context, shopId, eventsAtOnce, cachedRules)
    if (events === eventsAtOnce) this.#shops.add(shopId)
    this.#mayHaveRuns ||= isRunDue
  }

  /** All together, or one by one if that fails: a faulty run must not block the others. */
  async #executeRuns(): Promise<void> {
    this.#mayHaveRuns = false
    const { context } = this
    let runs: DueRun[] = []
    const onClaimed = (found: DueRun[]) => {
      runs = found
    }
    try {
      await executeDueRuns(context, runsAtOnce, onClaimed)
    } catch (error) {
      if (runs.length === 0) throw error
      for (const run of runs) await this.#executeAlone(context, run)
    }
    if (runs.length === runsAtOnce) this.#mayHaveRuns = true
  }

  async #executeAlone(context: Context, run: DueRun): Promise<void> {
    try {
      await executeDueRuns(context, 1, () => {}, run)
    } catch (err) {
      context.log.error({ err, run: run.id }, 'a run of an automation failed')
      const pauseMs = pauseAfter(run.attempts + 1, this.#retryBaseMs, { jitter: Math.random() })
      const dueAt = pauseMs === undefined ? undefined : after(context.now, pauseMs)
      await postponeRun(context, run, dueAt, 'it could not be executed; the log has the cause')
    }
  }
}

declare module '../platform/foundation/caches.ts' {
  interface ChangeKinds {
    /** An automation of the shop was created, changed or deleted. */
    automations: { shopId: string }
  }
}

/** The enabled automations of each shop, by its id, compiled to one set of rules. */
const ruleCache = defineCache<RuleSet>({
  name: 'automation rules',
  maxEntries: 10_000,
  invalidatedBy: { automations: (change, _rules, shopId) => shopId === change.shopId },
})

async function cachedRules(context: Context, shopId: string): Promise<RuleSet> {
  const cache = context.services.caches.open(ruleCache)
  return cache.get(shopId) ?? cache.load(context, shopId, () => loadRules(context, shopId))
}

async function loadRules(context: Context, shopId: string): Promise<RuleSet> {
  return new RuleSet((await enabledAutomations(context, shopId)).map(toRule))
}
