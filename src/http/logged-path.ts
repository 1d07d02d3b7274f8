import type { FastifyRequest } from 'fastify'
import { withoutEmails, withoutTokens } from './log.ts'

/** The path of a request as the log shows it: without the query, and without what opens a customer's page. */
export function loggedPath(request: FastifyRequest): string {
  const { url: route } = request.routeOptions
  // Put together from the route: a token that is written in another way, percent by percent, is still a token.
  if (route?.includes(':token')) {
    const given = request.params as Record<string, string>
    return withoutEmails(
      route.replaceAll(/:(\w+)/g, (_part, name) => (name === 'token' ? '[token]' : (given[name] ?? ''))),
    )
  }
  return withoutEmails(withoutTokens(request.url.split('?')[0] ?? ''))
}
