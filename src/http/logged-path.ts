import type { FastifyRequest } from 'fastify'
import { withoutEmails, withoutTokens } from './log.ts'

/** The path of a request as the log shows it: without the query and without the tokens of customers' pages. */
export function loggedPath(request: FastifyRequest): string {
  const { url: route } = request.routeOptions
  // Built from the route: a token that is percent-encoded is still a token.
  if (route?.includes(':token')) {
    const given = request.params as Record<string, string>
    return withoutEmails(
      route.replaceAll(/:(\w+)/g, (_part, name) => (name === 'token' ? '[token]' : (given[name] ?? ''))),
    )
  }
  return withoutEmails(withoutTokens(request.url.split('?')[0] ?? ''))
}
