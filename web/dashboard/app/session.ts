import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiError, type Schemas } from 'doorstep-client'
import { api } from './api.ts'

export const roles = ['viewer', 'editor', 'admin', 'superadmin'] as const
export type Role = (typeof roles)[number]

export type Session = Schemas['CurrentUser']

/** The signed-in person or key; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['/v1/session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await api.get('/v1/session', { signal })
    } catch (error) {
      // 400: no credentials were sent; 401: the session has ended.
      if (error instanceof ApiError && (error.status === 400 || error.status === 401)) return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** The session on pages that need one: their route has loaded it. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('This page needs a session.')
  return data
}

/** The shop in the address. */
export function useSlug(): string {
  const { slug } = useParams({ strict: false })
  return slug ?? ''
}

/** The role of the reader in the shop of the address. */
export function useRole(): Role {
  const session = useSession()
  const slug = useSlug()
  return roleIn(session, slug) ?? 'viewer'
}

/** Whether the reader may do what needs this role. Other actions are not shown. */
export function useMay(needed: Role): boolean {
  return mayActAs(useRole(), needed)
}

export function mayActAs(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** The higher one of the role everywhere and the one in this shop. */
export function roleIn({ everywhere, shops }: Session, slug: string): Role | undefined {
  const given = [everywhere, shops.find((shop) => shop.slug === slug)?.role]
  const held = given.filter((role): role is Role => role !== null && role !== undefined)
  return held.toSorted((left, right) => roles.indexOf(right) - roles.indexOf(left))[0]
}
