import type { Schemas } from 'doorstep-client'
import { type Phase, phasesInOrder } from './phases.ts'

type EventDescription = Schemas['EventDescription']

/** Everything that an endpoint can listen to, as a tree of filters: each has those that it includes. */
export interface FilterNode {
  filter: string
  name: string
  children: FilterNode[]
}

/** The events by phase, and parcels that will probably be late. An event without a group is published to nobody. */
export function eventTree(
  events: readonly EventDescription[],
  phaseWords: (phase: Phase) => string,
  claimWords: { claims: string; created: string; updated: string },
  atRiskWords: { name: string; event: string },
): FilterNode[] {
  const phases = phasesInOrder.map((phase) => ({
    filter: `shipments/${phase}`,
    name: phaseWords(phase),
    children: events
      .filter((event) => event.phase === phase && (event.event_group ?? event.return_event_group) !== null)
      .map((event) => leaf(`shipments/${phase}/${event.event_name}`, event.text)),
  }))
  const claims = {
    filter: 'claims',
    name: claimWords.claims,
    children: [leaf('claims/created', claimWords.created), leaf('claims/updated', claimWords.updated)],
  }
  const atRisk = {
    filter: 'shipments/at_risk',
    name: atRiskWords.name,
    children: [leaf('shipments/at_risk/SHIPMENT_AT_RISK', atRiskWords.event)],
  }
  return [...phases.filter(({ children }) => children.length > 0), atRisk, claims]
}

function leaf(filter: string, name: string): FilterNode {
  return { filter, name, children: [] }
}

/** The chosen filters below a node; all of them if the node itself is chosen. */
export function chosenBelow(node: FilterNode, chosen: ReadonlySet<string>): string[] {
  const isWhole = chosen.has(node.filter) || (node.filter.startsWith('shipments/') && chosen.has('shipments'))
  return node.children.map(({ filter }) => filter).filter((filter) => isWhole || chosen.has(filter))
}

/** The filters after one child of a node was switched. All children together become the node's own filter. */
export function toggleChild(nodes: readonly FilterNode[], chosen: readonly string[], node: FilterNode, child: string) {
  const below = new Set(chosenBelow(node, new Set(chosen)))
  if (!below.delete(child)) below.add(child)
  return withBelow(nodes, chosen, node, below)
}

/** The filters after a whole node was switched on or off. */
export function toggleNode(nodes: readonly FilterNode[], chosen: readonly string[], node: FilterNode, isOn: boolean) {
  return withBelow(nodes, chosen, node, new Set(isOn ? node.children.map(({ filter }) => filter) : []))
}

function withBelow(
  nodes: readonly FilterNode[],
  chosen: readonly string[],
  changed: FilterNode,
  below: ReadonlySet<string>,
): string[] {
  const before = new Set(chosen)
  return nodes.flatMap((node) => {
    const filters = node === changed ? [...below] : chosenBelow(node, before)
    return filters.length === node.children.length ? [node.filter] : filters
  })
}
