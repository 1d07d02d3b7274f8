import type { Context } from '../../platform/foundation/context.ts'

/** Who made a change. */
export interface Actor {
  kind: 'key' | 'person' | 'automation' | 'system'
  /** The id of the key, person or automation; null for the service itself. */
  id: string | null
  /** What people know it by; null for an automation, whose name is looked up in the store. */
  name: string | null
}

/** Who acts in this context: the last automation that led here, or the caller. */
export function actorOf({ principal, causedBy }: Context): Actor {
  const automation = causedBy?.at(-1)
  if (automation !== undefined) return { kind: 'automation', id: automation, name: null }
  // Shop systems prove themselves by a signature and have no key.
  if (principal.kind === 'nobody' || principal.kind === 'system') return { kind: 'system', id: null, name: null }
  return { kind: principal.kind, id: principal.keyId, name: principal.name }
}

/** Whether somebody who has signed in makes the change by hand, and not a system with its API key. */
export function isByHand({ principal }: Context): boolean {
  return principal.sessionId !== undefined
}
