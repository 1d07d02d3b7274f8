import type { Account } from '../integration.ts'

/** The ids of external events by name and shop. An id does not change while the event exists. */
export interface EventIdCache {
  find(account: Account, name: string): string | undefined
  set(account: Account, name: string, id: string): string
  forget(account: Account, name: string): void
}

export function createEventIdCache(): EventIdCache {
  const shops = new Map<string, { client: string; ids: Map<string, string> }>()

  function idsOf(account: Account): Map<string, string> {
    // Another client may belong to another Emarsys account, which has other ids.
    const client = 'client_id' in account.credentials ? account.credentials.client_id : ''
    const found = shops.get(account.shopId)
    if (found?.client === client) return found.ids
    const ids = new Map<string, string>()
    shops.set(account.shopId, { client, ids })
    return ids
  }

  return {
    find: (account, name) => idsOf(account).get(name),
    set(account, name, id) {
      idsOf(account).set(name, id)
      return id
    },
    forget(account, name) {
      idsOf(account).delete(name)
    },
  }
}
