import { ApiError } from 'doorstep-client'
import { forEachAtOnce } from './concurrency.ts'
import type { Change, ShopPlan, Step } from './plan.ts'
import { shown } from './problems.ts'
import type { RemoteShop } from './remote-shop.ts'

/** The result of one change. */
export interface Done {
  shop: string
  change: Change
  note?: string
}

/** A step that failed. The changes before it stay. */
export interface Failure {
  shop: string
  change: Change
  error: unknown
  /** The service's errors about fields of the file. */
  details: { path: string; message: string }[]
}

export interface AppliedPlans {
  done: Done[]
  failure: Failure | undefined
}

export interface ApplyOptions {
  concurrency: number
  remoteOf(shop: string): RemoteShop
  onDone(done: Done): void
  signal: AbortSignal
}

/** Makes the changes: shops several at a time, each one's steps in order. Stops everywhere at the first failure. */
export async function applyPlans(plans: readonly ShopPlan[], options: ApplyOptions): Promise<AppliedPlans> {
  const done: Done[] = []
  let failure: Failure | undefined
  await forEachAtOnce(plans, options.concurrency, async (plan) => {
    const remote = options.remoteOf(plan.shop)
    for (const step of plan.steps) {
      if (failure) return
      try {
        options.signal.throwIfAborted()
        await runStep(remote, plan, step)
      } catch (error) {
        failure ??= { shop: plan.shop, change: step.change, error, details: detailsOf(step, error) }
        return
      }
      const result = { shop: plan.shop, change: step.change, ...(step.note ? { note: step.note } : {}) }
      done.push(result)
      options.onDone(result)
    }
  })
  return { done, failure }
}

async function runStep(remote: RemoteShop, { ids }: ShopPlan, step: Step): Promise<void> {
  const { route, body } = step.request(ids)
  const id = await remote.write(route, body)
  if (step.creates && id) ids.set(step.creates, id)
}

/** The places in the file that have what the service rejects. */
function detailsOf({ placeOf, change }: Step, error: unknown): Failure['details'] {
  if (!(error instanceof ApiError)) return []
  const fields = error.errors.map(({ loc, msg }) => {
    const [, ...path] = loc
    const place = placeOf?.(path) ?? change.place
    return { path: place ? shown(place) : path.join('.'), message: `${path.join('.')} ${msg}` }
  })
  if (fields.length > 0 || !change.place) return fields
  return [{ path: shown(change.place), message: `${change.kind} ${change.name}` }]
}
