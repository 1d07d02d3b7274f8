import type { FiledClaim } from '../../claims/claims/form-store.ts'
import { formatsFor } from '../../platform/foundation/formats.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { type Style, style } from '../assets.ts'
import type { Viewer } from '../viewer.ts'
import { withdrawalTexts } from '../withdrawal/texts.ts'
import { isReason } from './reasons.ts'
import { type ClaimTexts, claimTexts } from './texts.ts'

/** The anchor of a claim on the order's page, which the browser jumps to after filing. */
export function claimAnchor(id: string): string {
  return `report-${id}`
}

/** The status of an order's claims as text: what was reported and when, the decision, and what happens next. */
export function renderClaimStates(viewer: Viewer, claims: readonly FiledClaim[], timeZone = 'UTC'): Html {
  return html`
    <ul class="reports">
      ${claims.map((claim) => renderClaimState(viewer, claim, timeZone))}
    </ul>`
}

function renderClaimState(viewer: Viewer, claim: FiledClaim, timeZone = 'UTC'): Html {
  const texts = claimTexts(viewer.language)
  const { day } = formatsFor(viewer.language, timeZone)
  const sent = new Date(claim.created_at)
  const changed = new Date(claim.updated_at)
  const when = (key: 'claims.sent' | 'claims.changed', instant: Date) =>
    html`<time datetime="${instant.toISOString()}">${texts.say(key, { date: day(instant) })}</time>`
  const change = changed > sent ? html` · ${when('claims.changed', changed)}` : undefined
  return html`
    <li class="report" id="${claimAnchor(claim.id)}" tabindex="-1">
      <p class="thanks">${texts.say('claims.thanks')}</p>
      ${claim.kind === 'withdrawal' ? withdrawalState(viewer, claim) : claimState(texts, claim)}
      ${claim.reply ? renderReply(texts, claim.reply) : undefined}
      <p class="small soft">${when('claims.sent', sent)}${change}</p>
    </li>`
}

function claimState(texts: ClaimTexts, claim: FiledClaim): Html {
  return html`
    <h3>${reasonWords(texts, claim.reason)}</h3>
    <p class="state ${claim.status}">${texts.say(`status.${claim.status}`)}</p>
    <p>${nextWords(texts, claim)}</p>`
}

function withdrawalState({ language }: Viewer, { status, is_late }: FiledClaim): Html {
  const texts = withdrawalTexts(language)
  return html`
    <h3>${texts.say('state.heading')}</h3>
    <p class="state ${status}">${texts.say(`state.${status}`)}</p>
    ${is_late ? html`<p>${texts.say('state.late')}</p>` : undefined}`
}

/** Plain text as the shop wrote it; the style keeps its line breaks. */
function renderReply(texts: ClaimTexts, reply: string): Html {
  return html`
    <figure class="answer">
      <figcaption>${texts.say('claims.reply')}</figcaption>
      <blockquote>${reply}</blockquote>
    </figure>`
}

function reasonWords(texts: ClaimTexts, reason: string): string {
  return isReason(reason) ? texts.say(`reason.${reason}`) : reason
}

function nextWords(texts: ClaimTexts, { status, resolution_preference: preference }: FiledClaim): string {
  if (status !== 'accepted') return texts.say(`status.${status}.next`)
  if (preference === 'reorder' || preference === 'refund' || preference === 'keep_with_reward') {
    return texts.say(`status.accepted.next.${preference}`)
  }
  return texts.say('status.accepted.next')
}

/** Styles of the status, for every page that shows it. */
export const claimStateStyle: Style = style(
  [
    '.reports{display:grid;gap:1rem}',
    '.report{display:grid;gap:.375rem;padding:1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--page)}',
    '.report .state{justify-self:start;font-size:.875rem;font-weight:620;color:var(--accent);display:inline-flex;gap:.5rem;align-items:center}',
    '.report .state::before{content:"";width:.5rem;height:.5rem;border-radius:50%;background:currentColor}',
    '.report .rejected{color:var(--wrong)}.report .closed{color:var(--soft)}',
    '.report .answer{display:grid;gap:.25rem;margin:.375rem 0;padding:.75rem 1rem;border-radius:.75rem;background:var(--card)}',
    '.report .answer figcaption{font-size:.875rem;font-weight:620}.report .answer blockquote{margin:0;white-space:pre-line;overflow-wrap:anywhere}',
    '.report .thanks{display:none;margin-bottom:.375rem;font-weight:640;color:var(--accent)}',
    '.report:focus{outline:none}.report:target{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.report:target .thanks{display:block}',
  ].join(''),
)
