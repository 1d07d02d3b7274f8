import { defineCache } from '../platform/foundation/caches.ts'
import type { Context } from '../platform/foundation/context.ts'
import { toRule } from './evaluate.ts'
import { RuleSet } from './rules.ts'
import { enabledAutomations } from './store.ts'

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

export async function cachedRules(context: Context, shopId: string): Promise<RuleSet> {
  const cache = context.services.caches.open(ruleCache)
  return cache.get(shopId) ?? cache.load(context, shopId, () => loadRules(context, shopId))
}

async function loadRules(context: Context, shopId: string): Promise<RuleSet> {
  return new RuleSet((await enabledAutomations(context, shopId)).map(toRule))
}
