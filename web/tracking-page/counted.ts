import type { PageRequest } from '../../src/foundation/page-route.ts'

/** Only customers count: no robots, no prefetching, no one who signals "do not sell", and not the merchant's own look. */
export function isCounted({ method, headers, query }: Pick<PageRequest, 'method' | 'headers' | 'query'>): boolean {
  if (query.from === 'dashboard') return false
  if (method === 'HEAD' || headers['sec-gpc'] === '1') return false
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''} ${headers['x-moz'] ?? ''}`
  if (/prefetch|prerender|preview/i.test(purpose)) return false
  return !/bot\b|crawl|spider|preview|externalhit|slurp/i.test(String(headers['user-agent'] ?? ''))
}
