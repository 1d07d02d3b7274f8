import { describe, expect, it } from 'vitest'
import { chosenBelow, eventTree, toggleChild, toggleNode } from '../../web/dashboard/app/event-filters.ts'

function event(event_name: string, phase: 'in_delivery' | 'delivered' | 'collect', event_group: string | null = 'any') {
  const none = { flag: 'normal', return_event_group: null, moves_phase: true } as const
  return { event_name, text: event_name, phase, event_group, ...none }
}

const nodes = eventTree(
  [event('OUT', 'in_delivery'), event('NEAR', 'in_delivery'), event('DONE', 'delivered'), event('X', 'collect', null)],
  (phase) => phase,
  { claims: 'Claims', created: 'New', updated: 'Changed' },
  { name: 'At risk', event: 'Late' },
)

function nodeOf(filter: string) {
  const node = nodes.find((each) => each.filter === filter)
  if (node === undefined) throw new Error(`there is no ${filter}`)
  return node
}

const inDelivery = nodeOf('shipments/in_delivery')
const [out, near] = ['shipments/in_delivery/OUT', 'shipments/in_delivery/NEAR'] as const

describe('tree of the events that an endpoint can listen to', () => {
  it('has a node for each phase with published events, in the order of a journey, then risks and claims', () => {
    expect(nodes.map(({ filter }) => filter)).toEqual([
      'shipments/in_delivery',
      'shipments/delivered',
      'shipments/at_risk',
      'claims',
    ])
  })

  it('shows all events below a chosen node', () => {
    expect(chosenBelow(inDelivery, new Set(['shipments/in_delivery']))).toEqual([out, near])
    expect(chosenBelow(inDelivery, new Set(['shipments']))).toEqual([out, near])
    expect(chosenBelow(inDelivery, new Set([near, 'claims']))).toEqual([near])
    expect(chosenBelow(nodeOf('claims'), new Set(['shipments']))).toEqual([])
  })

  it('names the node once all of its events are chosen, and its events once one is not', () => {
    expect(toggleChild(nodes, [out, 'claims'], inDelivery, near)).toEqual(['shipments/in_delivery', 'claims'])
    expect(toggleChild(nodes, ['shipments/in_delivery', 'claims'], inDelivery, near)).toEqual([out, 'claims'])
  })

  it('switches a whole node and leaves the others', () => {
    expect(toggleNode(nodes, [near, 'claims/created'], inDelivery, true)).toEqual([
      'shipments/in_delivery',
      'claims/created',
    ])
    expect(toggleNode(nodes, ['shipments'], inDelivery, false)).toEqual(['shipments/delivered', 'shipments/at_risk'])
  })
})
