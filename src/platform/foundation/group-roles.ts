import { mayActAs, type Role, roles } from './roles.ts'

/** The roles that members of each group get: by shop slug, `*` for all shops. */
export type GroupRoles = ReadonlyMap<string, ReadonlyMap<string, Role>>

/**
 * Reads `ops=superadmin;support=editor@demo-shop,viewer@*`: a role without a shop is one for all shops. Returns the part
 * that is wrong as `wrong`.
 */
export function readGroupRoles(text: string): { groups: GroupRoles } | { wrong: string } {
  const groups = new Map<string, Map<string, Role>>()
  for (const part of text.split(';').map((entry) => entry.trim())) {
    if (part === '') continue
    // The last one: names of groups may contain it, as those of LDAP do.
    const equals = part.lastIndexOf('=')
    const group = part.slice(0, equals).trim()
    if (equals < 1 || group === '') return { wrong: part }
    const granted = groups.get(group) ?? new Map<string, Role>()
    for (const grant of part.slice(equals + 1).split(',')) {
      const [role = '', slug = '*', ...rest] = grant.trim().split('@')
      if (!isRole(role) || slug === '' || rest.length > 0 || (role === 'superadmin' && slug !== '*')) {
        return { wrong: part }
      }
      granted.set(slug, higher(granted.get(slug), role))
    }
    groups.set(group, granted)
  }
  return { groups }
}

/** The highest role per shop that membership in these groups gives. */
export function rolesOfGroups(mapping: GroupRoles, groups: readonly string[]): Map<string, Role> {
  const granted = new Map<string, Role>()
  for (const group of groups) {
    for (const [slug, role] of mapping.get(group) ?? []) granted.set(slug, higher(granted.get(slug), role))
  }
  return granted
}

function higher(known: Role | undefined, role: Role): Role {
  return known !== undefined && mayActAs(known, role) ? known : role
}

function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}
