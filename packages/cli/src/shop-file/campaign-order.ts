/** When and for whom a campaign is shown. */
export interface Slot {
  isEnabled: boolean
  segment: string
  type: string
  /** Milliseconds; the end is exclusive. */
  start: number
  end: number
}

/** One change of a campaign: to what it should be, or switched off until its own turn comes. */
export interface Turn {
  name: string
  does: 'change' | 'disable'
}

/** Two campaigns that would be shown in one place. */
export interface Conflict {
  name: string
  rival: string
}

/**
 * An order in which campaigns can be changed one by one, although only one may be enabled for a segment, type and period:
 * a campaign moves once its place is free. If several wait for each other, one of them is disabled first.
 * A campaign that is to be deleted has no slot.
 */
export function orderCampaigns(
  current: ReadonlyMap<string, Slot>,
  wanted: ReadonlyMap<string, Slot | undefined>,
): Turn[] | Conflict {
  const slots = new Map(current)
  const waiting = new Map(wanted)
  const turns: Turn[] = []
  const rivalOf = (name: string, slot: Slot | undefined) =>
    slot && [...slots].find(([other, held]) => other !== name && collide(slot, held))?.[0]
  while (waiting.size > 0) {
    const free = [...waiting].find(([name, slot]) => rivalOf(name, slot) === undefined)
    if (free) {
      const [name, slot] = free
      if (slot) slots.set(name, slot)
      else slots.delete(name)
      waiting.delete(name)
      turns.push({ name, does: 'change' })
      continue
    }
    const [name = '', slot] = [...waiting][0] ?? []
    const rival = rivalOf(name, slot) ?? ''
    const held = slots.get(rival)
    if (!waiting.has(rival) || !held) return { name, rival }
    slots.set(rival, { ...held, isEnabled: false })
    turns.push({ name: rival, does: 'disable' })
  }
  return turns
}

function collide(one: Slot, other: Slot): boolean {
  return (
    one.isEnabled &&
    other.isEnabled &&
    one.segment === other.segment &&
    one.type === other.type &&
    one.start < other.end &&
    other.start < one.end
  )
}
