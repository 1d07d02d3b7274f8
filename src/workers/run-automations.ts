import { AnswerCache, type Changes } from '../database/changes.ts'
import { pauseAfter } from '../deliveries/retry.ts'
import { after, secondMs } from '../foundation/clock.ts'
import type { Context } from '../foundation/context.ts'
import { evaluateEvents, toRule } from '../resources/automations/evaluate.ts'
import { executeDueRuns } from '../resources/automations/execute.ts'
import { RuleSet } from '../resources/automations/rules.ts'
import { type DueRun, postponeRun } from '../resources/automations/run-store.ts'
import { enabledAutomations } from '../resources/automations/store.ts'

export interface AutomationRunnerOptions {
  context: () => Context
  changes: Pick<Changes, 'onChange' | 'trustedSince'>
  retryBaseMs: number
}

const eventsAtOnce = 200
const runsAtOnce = 50
const sweepMs = 2 * secondMs
/** Nobody waits for an automation: what comes within this time is looked at together, in one transaction. */
const gatherMs = 25

/**
 * Asks automations about events and carries out what follows when its time has come. One step at a time in this process:
 * both are set-based, and what comes meanwhile goes together in the next. Everything it is to do lies in the store, so
 * that a delay survives whoever was to wait for it.
 */
export class AutomationRunner {
  readonly #options: AutomationRunnerOptions
  readonly #rules: AnswerCache<{ shopId: string; rules: RuleSet }>
  /** Shops with events that may wait. */
  readonly #shops = new Set<string>()
  #mayHaveRuns = false
  #working: Promise<void> | undefined
  #sweeper: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: AutomationRunnerOptions) {
    this.#options = options
    this.#rules = new AnswerCache(options.changes.trustedSince)
    options.changes.onChange((change) => {
      if (change.kind === 'automations') this.#rules.forget(({ shopId }) => shopId === change.shopId)
    })
  }

  start(): void {
    this.#sweeper = setInterval(() => this.carryOut(), sweepMs)
    this.#sweeper.unref()
    this.carryOut()
  }

  get isBusy(): boolean {
    return this.#working !== undefined
  }

  /** A shop has events for its automations. */
  evaluate(shopId: string): void {
    this.#shops.add(shopId)
    this.#work()
  }

  /** There may be runs whose time has come. */
  carryOut(): void {
    this.#mayHaveRuns = true
    this.#work()
  }

  /** Takes nothing more and finishes what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeper)
    await this.#working
  }

  #work(): void {
    if (this.#working || this.#isStopped || (this.#shops.size === 0 && !this.#mayHaveRuns)) return
    this.#working = new Promise((resolve) => setTimeout(resolve, gatherMs))
      .then(() => this.#step())
      .catch((err) => this.#options.context().log.error({ err }, 'automations: a step failed and will be tried again'))
      .finally(() => {
        this.#working = undefined
        this.#work()
      })
  }

  /** A shop that fails is not asked again before the next sweep finds it. */
  async #step(): Promise<void> {
    for (const shopId of [...this.#shops]) {
      this.#shops.delete(shopId)
      const { events, isRunDue } = await evaluateEvents(this.#options.context(), shopId, eventsAtOnce, this.#rulesOf)
      if (events === eventsAtOnce) this.#shops.add(shopId)
      this.#mayHaveRuns ||= isRunDue
    }
    if (!this.#mayHaveRuns) return
    this.#mayHaveRuns = false
    if ((await this.#carryOutSome()) === runsAtOnce) this.#mayHaveRuns = true
  }

  readonly #rulesOf = async (context: Context, shopId: string): Promise<RuleSet> => {
    const known =
      this.#rules.get(shopId) ??
      (await this.#rules.ask(shopId, async () => ({
        shopId,
        rules: new RuleSet((await enabledAutomations(context, shopId)).map(toRule)),
      })))
    return known.rules
  }

  /** All together, and where that fails one by one: a run's fault must not hold up its neighbours. */
  async #carryOutSome(): Promise<number> {
    const context = this.#options.context()
    let runs: DueRun[] = []
    const taken = (found: DueRun[]) => {
      runs = found
    }
    try {
      await executeDueRuns(context, runsAtOnce, taken)
    } catch (error) {
      if (runs.length === 0) throw error
      for (const run of runs) await this.#carryOutAlone(context, run)
    }
    return runs.length
  }

  async #carryOutAlone(context: Context, run: DueRun): Promise<void> {
    try {
      await executeDueRuns(context, 1, () => {}, run)
    } catch (err) {
      context.log.error({ err, run: run.id }, 'a run of an automation failed')
      const pauseMs = pauseAfter(run.attempts + 1, this.#options.retryBaseMs, { jitter: Math.random() })
      const dueAt = pauseMs === undefined ? undefined : after(context.now, pauseMs)
      await postponeRun(context, run, dueAt, 'it could not be carried out; the log has the cause')
    }
  }
}
