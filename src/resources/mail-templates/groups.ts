import { findMailGroup, type MailGroup } from '../customer-mail/groups.ts'

/** The group of a name that a schema has accepted. */
export function getGroup(name: string): MailGroup {
  const group = findMailGroup(name)
  if (group === undefined) throw new Error(`the schema allows the group ${name}, which does not exist`)
  return group
}
