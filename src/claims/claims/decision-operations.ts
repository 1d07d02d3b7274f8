import { operation } from '../../platform/foundation/operation.ts'
import { decide, undoDecisions } from './decisions.ts'
import { ClaimDecision, ClaimDecisions, UndoneClaims, UndoneDecisions } from './schema.ts'

export const decideClaims = operation({
  name: 'decideClaims',
  summary: 'Decide about claims, with time to undo',
  description:
    'The decision takes effect after 10 seconds, as an update of each claim would: only then are integrations and webhooks notified. Until then it can be undone, and a later decision about the same claim replaces it. Either all claims can become that status, or nothing is decided. Absent fields stay unchanged.',
  area: 'Claims',
  route: 'POST /v1/shops/{slug}/claims/decisions',
  needs: 'editor',
  body: ClaimDecision,
  reply: ClaimDecisions,
  audit: { none: 'A decision is recorded as an update of the claim when it takes effect.' },
  handle: (context, { body }) => decide(context, body),
})

export const undoClaimDecisions = operation({
  name: 'undoClaimDecisions',
  summary: 'Undo decisions about claims',
  description: 'Decisions that have taken effect stay; their claims are returned in too_late.',
  area: 'Claims',
  route: 'DELETE /v1/shops/{slug}/claims/decisions',
  needs: 'editor',
  query: UndoneClaims,
  reply: UndoneDecisions,
  audit: { none: 'A decision that is undone has changed nothing.' },
  handle: (context, { query }) => undoDecisions(context, query.claims.split(',')),
})
