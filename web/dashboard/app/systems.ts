import { systems } from 'doorstep-client/systems'

export type SystemName = keyof typeof systems
type System = (typeof systems)[SystemName]

/** The names of those of these kinds, in the order of the API. */
export type NameOfKind<Kind extends System['kind']> = {
  [Name in SystemName]: (typeof systems)[Name]['kind'] extends Kind ? Name : never
}[SystemName]

export function namesOf<const Kind extends System['kind']>(kind: Kind): NameOfKind<Kind>[] {
  // The kinds of the names are in their type.
  return (Object.keys(systems) as NameOfKind<Kind>[]).filter((name) => systems[name].kind === kind)
}

function isSystem(name: string): name is SystemName {
  return Object.hasOwn(systems, name)
}

/** As its makers write it. */
export function labelOf(name: string): string {
  return isSystem(name) ? systems[name].label : name
}
